package main

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// Who stops it while it lists the tree gets no solution.
func TestSolveExtensiveStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	cmd := newSolveExtensive()
	cmd.SetArgs([]string{"kuhn", "--method", "cfr"})
	cmd.SetOut(&out)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.ExecuteContext(ctx); !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("%v, after it printed\n%s", err, out.String())
	}
}
