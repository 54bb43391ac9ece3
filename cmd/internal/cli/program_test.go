package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gamebots/internal/shutdown"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

// A command that was asked to end says so in a word, unless it has something else to say.
func TestInterrupted(t *testing.T) {
	stopped, disk := context.Canceled, errors.New("disk full")
	for _, test := range []struct {
		err  error
		want string
	}{
		{stopped, "work: error: interrupted\n"},
		{errors.Join(stopped, stopped), "work: error: interrupted\n"},
		{usererr.WithHint(errors.Join(stopped), "go on"), "work: error: interrupted\nwork: hint: go on\n"},
		{fmt.Errorf("log:3: %w", stopped), "work: error: interrupted\n"},
		{errors.Join(stopped, disk), "work: error: context canceled\ndisk full\n"},
		{nil, "work: error: interrupted\n"},
		{Reported{stopped}, ""},
	} {
		ctx, stop := context.WithCancel(t.Context())
		root := &cobra.Command{Use: "work", RunE: func(*cobra.Command, []string) error {
			stop()
			return test.err
		}}
		Program(root)
		var out bytes.Buffer
		code := Run(ctx, root, nil, &out, &out)
		if out.String() != test.want || code != ExitFailed {
			t.Errorf("%v: exit status %d with %q, want %q", test.err, code, out.String(), test.want)
		}
	}
}

// brokenWriter is a disk that is full.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// A command whose output cannot be written has failed, even if it takes no notice.
func TestBrokenOutput(t *testing.T) {
	root := &cobra.Command{Use: "work", RunE: func(cmd *cobra.Command, _ []string) error {
		fmt.Fprintln(cmd.OutOrStdout(), "a result")
		return nil
	}}
	Program(root)
	for _, args := range [][]string{nil, {"--help"}} {
		var log bytes.Buffer
		code := Run(t.Context(), root, args, brokenWriter{}, &log)
		if code != ExitFailed || log.String() != "work: error: disk full\n" {
			t.Errorf("%q: exit status %d with %q", args, code, &log)
		}
	}
}

// A command that serves has done what it should when it is interrupted.
func TestInterruptedServer(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	root := &cobra.Command{Use: "work", RunE: func(*cobra.Command, []string) error {
		stop()
		return nil
	}}
	Serves(root)
	Program(root)
	var out bytes.Buffer
	if code := Run(ctx, root, nil, &out, &out); code != ExitDone || out.Len() > 0 {
		t.Errorf("exit status %d with %q", code, &out)
	}
}

// A command that takes no notice of an interruption is given up, but not before what it writes is written.
func TestGivenUp(t *testing.T) {
	for what, want := range map[string]string{
		"": "work: error: interrupted\n",
		"writing a file": "work: still writing a file; Ctrl-C again ends at once\n" +
			"work: error: interrupted\n",
	} {
		ctx, stop := context.WithCancel(t.Context())
		written, given := make(chan bool, 1), make(chan bool)
		root := &cobra.Command{Use: "work", RunE: func(*cobra.Command, []string) error {
			if what != "" {
				done := shutdown.Inhibit(what)
				time.AfterFunc(grace+afterGrace, func() {
					written <- true
					done()
				})
			}
			stop()
			<-given
			return nil
		}}
		Program(root)
		var out bytes.Buffer
		if code := Run(ctx, root, nil, &out, &out); code != ExitFailed || out.String() != want {
			t.Errorf("%q: exit status %d with %q, want %q", what, code, &out, want)
		}
		close(given)
		if what != "" && len(written) == 0 {
			t.Errorf("it was not waited for %s", what)
		}
	}
}

// A command that serves and is given up has done what it should, too.
func TestGivenUpServer(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	given := make(chan bool)
	defer close(given)
	root := &cobra.Command{Use: "work"}
	server := &cobra.Command{Use: "serve", RunE: func(*cobra.Command, []string) error {
		stop()
		<-given
		return nil
	}}
	Serves(server)
	root.AddCommand(server)
	Program(root)
	var out bytes.Buffer
	if code := Run(ctx, root, []string{"serve"}, &out, &out); code != ExitDone || out.Len() > 0 {
		t.Errorf("exit status %d with %q", code, &out)
	}
}

// The reader of a command that was interrupted fails.
func TestReader(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r := Reader(ctx, strings.NewReader("text"))
	text := make([]byte, 2)
	if n, err := r.Read(text); n != 2 || err != nil {
		t.Errorf("%d bytes: %v", n, err)
	}
	stop()
	if n, err := r.Read(text); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("after the interruption %d bytes: %v", n, err)
	}
}
