package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// LineReader returns a function that reads the next line that a person types. It returns
// false at the end, and when ctx is done.
func LineReader(ctx context.Context, in io.Reader) func() (string, bool) {
	typed := make(chan string)
	go func() {
		defer close(typed)
		for lines := bufio.NewScanner(in); lines.Scan(); {
			select {
			case typed <- lines.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() (string, bool) {
		select {
		case line, ok := <-typed:
			return line, ok
		case <-ctx.Done():
			return "", false
		}
	}
}

// Next returns the error of a command. If that is nil it says on standard error which command makes sense then, unless
// a program reads the result or nobody the log.
func Next(cmd *cobra.Command, err error, words ...string) error {
	json := cmd.Flags().Lookup("json")
	silent := json != nil && json.Changed || zerolog.Ctx(cmd.Context()).GetLevel() > zerolog.InfoLevel
	if err == nil && cmd.Context().Err() == nil && !silent {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: next: %[1]s %s\n", cmd.Root().Name(), CommandLine(words...))
	}
	return err
}
