package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Settings makes settings of those flags of cmd that few people need. Help names them in one
// line, --set NAME=VALUE sets them, as any flag, and --set help prints what they mean. As flags they stay valid.
// It is called once a command, after its flags, arguments and RunE are set.
func Settings(cmd *cobra.Command, names ...string) {
	s := &settings{cmd: cmd, flags: cmd.Flags(), names: slices.Sorted(slices.Values(names))}
	for _, name := range names {
		s.flags.Lookup(name).Hidden = true
	}
	s.flags.Var(s, "set", "set what few people need, see below (repeatable)")
	arguments, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if s.help || arguments == nil {
			return nil
		}
		return arguments(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !s.help {
			return run(cmd, args)
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "Settings of %s, for --set NAME=VALUE:\n%s",
			cmd.CommandPath(), SettingUsages(cmd))
		return err
	}
}

// settings is the value of --set.
type settings struct {
	cmd   *cobra.Command
	flags *pflag.FlagSet
	names []string // sorted
	help  bool     // they are to be printed
}

func (s *settings) String() string { return "" }
func (s *settings) Type() string   { return "NAME=VALUE" }

// Set sets one setting, or asks for help.
func (s *settings) Set(text string) error {
	if text == "help" {
		s.help = true
		return nil
	}
	name, value, found := strings.Cut(text, "=")
	if s.flags.Lookup(name) == nil {
		if err := goneError(s.cmd, "--"+name); err != nil {
			return err
		}
		if near := usererr.Meant(name, s.names); near != "" {
			return fmt.Errorf("there is no setting %s, the nearest is %s", name, near)
		}
		return fmt.Errorf("there is no setting %s, and --set help lists them", name)
	}
	if flag := s.flags.Lookup(name); !found {
		if value = flag.NoOptDefVal; value == "" {
			return fmt.Errorf("%s needs a value, as in %[1]s=VALUE", name)
		}
	}
	err := s.flags.Set(name, value)
	if bad := (*pflag.InvalidValueError)(nil); errors.As(err, &bad) {
		err = bad.Unwrap() // without the flag: the error that this one becomes part of names --set and the value
	}
	return err
}

// settingsOf returns the settings of a command, nil if it has none.
func settingsOf(cmd *cobra.Command) *settings {
	if flag := cmd.Flags().Lookup("set"); flag != nil {
		if s, ok := flag.Value.(*settings); ok {
			return s
		}
	}
	return nil
}

// SettingUsages returns what the settings of a command mean, as NAME=VALUE, wrapped to [HelpWidth]; "" if it has none.
func SettingUsages(cmd *cobra.Command) string {
	s := settingsOf(cmd)
	if s == nil {
		return ""
	}
	shown := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	for _, name := range s.names {
		flag := *s.flags.Lookup(name)
		flag.Hidden, flag.Shorthand = false, ""
		shown.AddFlag(&flag)
	}
	var out strings.Builder
	const dashes = "      --"
	for line := range strings.Lines(shown.FlagUsagesWrapped(HelpWidth)) {
		if name, begins := strings.CutPrefix(line, dashes); begins {
			out.WriteString("  " + name)
		} else {
			out.WriteString(line[len(dashes)-len("  "):]) // what the name's line continues with
		}
	}
	return out.String()
}
