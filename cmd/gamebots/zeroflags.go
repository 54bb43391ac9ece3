package main

import (
	"strings"

	"gamebots/internal/usererr"

	"github.com/spf13/pflag"
)

// refuseZero refuses an explicit 0 of numbers and times whose default is not to be set: a script
// that computes them would get the default.
func refuseZero(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if flag := flags.Lookup(name); flag.Changed && strings.Trim(flag.Value.String(), "0s") == "" {
			return usererr.Usagef("--%s: 0 is not allowed; give a larger number, or leave the flag out for the default", name)
		}
	}
	return nil
}
