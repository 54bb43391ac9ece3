package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

// The exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// usage makes the refusals of an argument check usage errors.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usererr.Usage(err)
		}
		return nil
	}
}

// flagError makes a usage error of what is wrong with a flag, in words for
// people where strconv has its own.
func flagError(_ *cobra.Command, err error) error {
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
