package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit statuses.
const (
	ExitDone   = 0
	ExitFailed = 1
	ExitUsage  = 2
)

// AnyNumber is the upper limit of arguments for a command that accepts any number.
const AnyNumber = math.MaxInt

// Arguments refuses fewer than low and more than high arguments. Its errors are usage errors and
// show the use line.
func Arguments(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return usererr.Usagef("an argument is missing: %s", cmd.UseLine())
		case len(args) > high:
			return usererr.Usagef("unexpected argument %q: %s", args[high], cmd.UseLine())
		}
		return nil
	}
}

// flagError makes a usage error of an error about a flag. It rewords the errors of
// strconv, and names the flag that an unknown one was probably meant to be.
func flagError(cmd *cobra.Command, err error) error {
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		for _, name := range []string{"--" + unknown.GetSpecifiedName(), cmd.Flags().Arg(0)} {
			if err := goneError(cmd, name); err != nil {
				return err
			}
		}
		var names []string
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
		if near := usererr.Meant(unknown.GetSpecifiedName(), names); near != "" {
			err = fmt.Errorf("%w, the nearest is --%s", err, near)
		}
	}
	if number := (*strconv.NumError)(nil); errors.As(err, &number) {
		flag, _, _ := strings.Cut(err.Error(), ": strconv.")
		want := map[string]string{
			"ParseUint": "a whole number from 0 up", "ParseInt": "a whole number",
			"ParseFloat": "a number", "ParseBool": "true or false",
		}[number.Func]
		if errors.Is(err, strconv.ErrRange) {
			want += " in its range"
		}
		err = fmt.Errorf("%s: not %s", flag, want)
	}
	return usererr.Usage(err)
}

// Reported is an error that has been reported to the user in another form.
type Reported struct{ Err error }

func (r Reported) Error() string { return r.Err.Error() }
func (r Reported) Unwrap() error { return r.Err }

// report prints the error of a command and its hint, which may quote what people have written,
// and returns the exit status.
func report(w io.Writer, cmd *cobra.Command, err error) int {
	if err == nil {
		return ExitDone
	}
	if errors.As(err, new(Reported)) {
		return ExitFailed
	}
	program := cmd.Root().Name()
	fmt.Fprintf(w, "%s: error: %s\n", program, usererr.Safe(text(err)))
	hint, code := usererr.Hint(err), ExitFailed
	if usererr.IsUsage(err) {
		code = ExitUsage
	}
	if code == ExitUsage || errors.Is(err, fs.ErrNotExist) {
		hint = cmp.Or(hint, cmd.CommandPath()+" --help shows the usage")
	}
	if hint != "" {
		fmt.Fprintf(w, "%s: hint: %s\n", program, usererr.Safe(hint))
	}
	return code
}

// text is that of an error, which names a file once: not as in "cannot write a/b: open a/b: no such file or directory".
func text(err error) string {
	all := err.Error()
	at := (*fs.PathError)(nil)
	if !errors.As(err, &at) {
		return all
	}
	before, after, found := strings.Cut(all, at.Error())
	if !found || !strings.Contains(before, at.Path) {
		return all
	}
	return before + at.Err.Error() + after
}
