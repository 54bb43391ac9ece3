package cli

import (
	"bytes"
	"context"
	"errors"
	"testing"

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
		{errors.Join(stopped, disk), "work: error: context canceled\ndisk full\n"},
		{nil, ""},
	} {
		ctx, stop := context.WithCancel(t.Context())
		root := &cobra.Command{Use: "work", RunE: func(*cobra.Command, []string) error {
			stop()
			return test.err
		}}
		Program(root)
		var out bytes.Buffer
		Run(ctx, root, nil, &out, &out)
		if out.String() != test.want {
			t.Errorf("%v: %q, want %q", test.err, out.String(), test.want)
		}
	}
}
