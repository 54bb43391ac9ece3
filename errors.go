package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// The exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// hinted is an error with advice for who sees it. Errors of other packages
// give theirs by a method Hint of their own.
type hinted struct {
	error
	hint string
}

func (h hinted) Hint() string  { return h.hint }
func (h hinted) Unwrap() error { return h.error }

// hintOf returns the advice that comes with an error, or "".
func hintOf(err error) string {
	if h := (interface{ Hint() string })(nil); errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

// usageError is a command line that is not understood.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// usagef returns a usage error.
func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// usage makes the refusals of an argument check usage errors.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
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
	return usageError{err}
}

// reported is an error that the user has been told of in another form.
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
	hint, code := hintOf(err), exitFailed
	if errors.As(err, new(usageError)) {
		code = exitUsage
		hint = cmp.Or(hint, cmd.CommandPath()+" --help shows the usage")
	}
	if hint != "" {
		fmt.Fprintf(w, "gamebots: hint: %s\n", hint)
	}
	return code
}
