package main

import (
	"math"
	"strings"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/pflag"
)

// anyNumber is the upper limit of arguments for a command that accepts any number.
const anyNumber = math.MaxInt

// arguments refuses fewer than low and more than high arguments.
var arguments = cli.Arguments

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
