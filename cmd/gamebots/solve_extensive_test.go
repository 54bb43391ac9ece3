package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// A training that is stopped before its first iteration proves nothing.
func TestSolveExtensiveStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	cmd := newSolveExtensive()
	cmd.SetArgs([]string{"kuhn", "--method", "cfr"})
	cmd.SetOut(&out)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.ExecuteContext(ctx); err == nil || !strings.Contains(out.String(), "0 iterations of cfr") {
		t.Errorf("%v, after it printed\n%s", err, out.String())
	}
}
