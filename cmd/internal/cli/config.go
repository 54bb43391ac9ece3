package cli

import (
	"errors"

	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/spf13/pflag"
)

// AddConfig adds the flags --config and --set of a command whose settings may come from a file. The example is one of
// KEY=VALUE.
func AddConfig(flags *pflag.FlagSet, example string) {
	flags.String("config", "", "settings file")
	AddSet(flags, new([]string), example)
}

// AddSet adds the flag --set of a command whose settings come from a file. The example is one of KEY=VALUE.
func AddSet(flags *pflag.FlagSet, to *[]string, example string) {
	flags.StringArrayVar(to, "set", nil,
		"set one key of the settings by `KEY=VALUE`, as in "+example+" (may be repeated)")
}

// LoadConfig loads the settings of --config. Those of --set come before those of the flags that were given; keys has
// pairs of a flag and the key that it stands for. Further overrides come last.
func LoadConfig(
	flags *pflag.FlagSet, keys [][2]string, to configs.Settings, overrides []string, checks ...func() error,
) error {
	set, err := flags.GetStringArray("set")
	if err != nil {
		return err
	}
	for _, f := range keys {
		if flags.Changed(f[0]) {
			set = append(set, f[1]+"="+flags.Lookup(f[0]).Value.String())
		}
	}
	return Load(flags.Lookup("config").Value.String(), to, append(set, overrides...), checks...)
}

// Load is [configs.Load], but what is wrong on the command line is a usage error.
func Load(file string, to configs.Settings, set []string, checks ...func() error) error {
	return SettingsError(configs.Load(file, to, set, checks...))
}

// SettingsError makes a usage error of an error in settings that is on the command line.
func SettingsError(err error) error {
	if e, ok := errors.AsType[*configs.Error](err); ok && e.File == configs.CommandLine {
		err = usererr.Usage(err)
	}
	return err
}
