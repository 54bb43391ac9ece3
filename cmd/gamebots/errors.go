package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gamebots/internal/nearest"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// anyNumber is the upper limit of arguments for a command that accepts any number.
const anyNumber = math.MaxInt

// arguments refuses fewer than low and more than high arguments. Its errors are usage errors and
// show the use line.
func arguments(low, high int) cobra.PositionalArgs {
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
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
		if near := nearest.Meant(unknown.GetSpecifiedName(), names); near != "" {
			err = fmt.Errorf("%w, the nearest is --%s", err, near)
		}
	}
	if number := (*strconv.NumError)(nil); errors.As(err, &number) {
		flag, _, _ := strings.Cut(err.Error(), ": strconv.")
		want := map[string]string{
			"ParseUint": "a whole number from 0 up", "ParseInt": "a whole number", "ParseFloat": "a number", "ParseBool": "true or false",
		}[number.Func]
		if errors.Is(err, strconv.ErrRange) {
			want += " in its range"
		}
		err = fmt.Errorf("%s: not %s", flag, want)
	}
	return usererr.Usage(err)
}

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

// reported is an error that has been reported to the user in another form.
type reported struct{ error }

func (r reported) Unwrap() error { return r.error }

// report prints the error of a command and its hint, and returns the exit
// status.
func report(w io.Writer, cmd *cobra.Command, err error) int {
	if err == nil {
		return exitDone
	}
	if errors.As(err, new(reported)) {
		return exitFailed
	}
	fmt.Fprintf(w, "gamebots: error: %v\n", err)
	hint, code := usererr.Hint(err), exitFailed
	if usererr.IsUsage(err) {
		code = exitUsage
		hint = cmp.Or(hint, cmd.CommandPath()+" --help shows the usage")
	}
	if hint != "" {
		fmt.Fprintf(w, "gamebots: hint: %s\n", hint)
	}
	return code
}
