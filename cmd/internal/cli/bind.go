package cli

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The annotations of a command with the texts of its flags and of its settings, which [Bind] reads.
const (
	FlagTexts    = "flags"
	SettingTexts = "settings"
)

// usualTexts are those of flags that mean the same everywhere.
var usualTexts = map[string]string{
	"color":  "colours: auto, always or never",
	"force":  "replace an output file that exists",
	"json":   "print one JSON object",
	"memory": "memory limit, as in 8GiB (default all available memory)",
	"unit":   "print mb (thousandths of the largest blind or ante), bb100 (such blinds per 100 hands) or chips",
}

// Bind adds the flags and the settings of cmd, see [BindTexts]. It is called once a command, after its arguments and
// its RunE are set.
func Bind(cmd *cobra.Command, values ...any) {
	flags, settings := cmd.Annotations[FlagTexts], cmd.Annotations[SettingTexts]
	BindTexts(cmd.Flags(), flags+"\n"+settings, values...)
	if settings != "" {
		Settings(cmd, textNames(settings)...)
	}
}

// BindTexts adds the flags that texts describe. A text begins with "  NAME: " or "  NAME, SHORTHAND: ", goes on in
// lines that are indented further, and has the name of the value in backquotes. An empty one stands for the usual text
// of that name, and a flag whose text begins with "with --OTHER: " is refused without the other one. Values are pairs
// of a name and what holds the value: a pointer to the default, or a [pflag.Value]. Texts without a value must be those
// of flags that there are already. BindTexts panics where texts and values differ.
func BindTexts(flags *pflag.FlagSet, texts string, values ...any) {
	to := map[string]any{}
	for i := 0; i < len(values); i += 2 {
		to[values[i].(string)] = values[i+1]
	}
	for text := range strings.SplitSeq(strings.ReplaceAll(texts, "\n    ", " "), "\n") {
		names, usage, found := strings.Cut(strings.TrimSpace(text), ":")
		name, short, _ := strings.Cut(names, ", ")
		value, ok := to[name]
		switch usage = cmp.Or(strings.TrimSpace(usage), usualTexts[name]); {
		case ok:
			addFlag(flags, value, name, short, usage)
			delete(to, name)
		case found && flags.Lookup(name) == nil:
			panic(fmt.Sprintf("nothing holds the value of --%s", name))
		}
		if with := withFlag.FindStringSubmatch(usage); ok && with != nil {
			_ = flags.SetAnnotation(name, needed, with[1:])
		}
	}
	if len(to) > 0 {
		panic(fmt.Sprintf("no text says what these flags mean: %v", slices.Sorted(maps.Keys(to))))
	}
}

// withFlag matches the text of a flag that has no effect without another one.
var withFlag = regexp.MustCompile(`^with --([\w-]+): `)

// needed is the annotation of a flag with the other one that it has no effect without.
const needed = "needed"

// checkNeeded refuses flags that have no effect without others, which are not given.
func checkNeeded(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(flag *pflag.Flag) {
		for _, other := range flag.Annotations[needed] {
			if !flags.Changed(other) {
				err = usererr.Usagef("--%s has no effect without --%s", flag.Name, other)
			}
		}
	})
	return err
}

// textNames returns the names of the flags that texts describe.
func textNames(texts string) (names []string) {
	for line := range strings.Lines(texts) {
		if name, _, found := strings.Cut(line, ":"); found && !strings.HasPrefix(line, "    ") {
			name, _, _ = strings.Cut(name[2:], ", ")
			names = append(names, name)
		}
	}
	return names
}

// addFlag adds a flag.
func addFlag(flags *pflag.FlagSet, to any, name, short, usage string) {
	switch to := to.(type) {
	case *bool:
		flags.BoolVarP(to, name, short, *to, usage)
	case *int:
		flags.IntVarP(to, name, short, *to, usage)
	case *int64:
		flags.Int64VarP(to, name, short, *to, usage)
	case *uint16:
		flags.Uint16VarP(to, name, short, *to, usage)
	case *uint32:
		flags.Uint32VarP(to, name, short, *to, usage)
	case *uint64:
		flags.Uint64VarP(to, name, short, *to, usage)
	case *float64:
		flags.Float64VarP(to, name, short, *to, usage)
	case *string:
		flags.StringVarP(to, name, short, *to, usage)
	case *time.Duration:
		flags.DurationVarP(to, name, short, *to, usage)
	case *[]string:
		flags.StringArrayVarP(to, name, short, *to, usage)
	case *[]int:
		flags.IntSliceVarP(to, name, short, *to, usage)
	case *[]float64:
		flags.Float64SliceVarP(to, name, short, *to, usage)
		flags.Lookup(name).DefValue = "" // help would show []
	case *[]time.Duration:
		flags.DurationSliceVarP(to, name, short, *to, usage)
		flags.Lookup(name).DefValue = ""
	case *cudalib.Choice:
		flags.VarP(deviceFlag{to}, name, short, usage)
	case pflag.Value:
		flag := flags.VarPF(to, name, short, usage)
		if _, ok := to.(perProcessor); ok {
			flag.DefValue = "one per processor" // help texts are the same on every machine
		}
	default:
		panic(fmt.Sprintf("--%s: a flag cannot be a %T", name, to))
	}
}
