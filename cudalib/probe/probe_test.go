//go:build linux

package probe_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/cudalib/probe"
)

// script writes a program.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "probe")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// Whatever becomes of the other program, there is a report.
func TestProbe(t *testing.T) {
	for _, test := range []struct{ name, text, problem string }{
		{"usable", `echo '{"usable": true, "cuda": "12.2"}'`, ""},
		{"crash", `echo 'fatal error: so' >&2; echo 'goroutine 1' >&2; kill -9 $$`,
			"the program that asks the driver failed: signal: killed: fatal error: so"},
		{"silent failure", `exit 3`, "the program that asks the driver failed: exit status 3"},
		{"no report", `echo hello`, "the program that asks the driver wrote no report: invalid character"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := probe.Run(t.Context(), script(t, test.text))
			if r.Usable != (test.problem == "") || !strings.HasPrefix(r.Problem, test.problem) {
				t.Errorf("report %+v, want the problem %q", r, test.problem)
			}
		})
	}
	t.Run("hang", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if r := probe.Run(ctx, script(t, "exec sleep 600")); r.Usable ||
			r.Problem != "the driver did not answer in time" || r.Hint == "" {
			t.Errorf("report %+v", r)
		}
	})
	if r := probe.Run(t.Context(), filepath.Join(t.TempDir(), "none")); r.Usable || r.Problem == "" {
		t.Errorf("report of no program: %+v", r)
	}
}
