//go:build linux

package main

import (
	"bytes"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
	"gamebots/cmd/internal/cli/clitest"
)

// Without a driver the CPU does the work, which is said once, unless a GPU was
// asked for.
func TestFallback(t *testing.T) {
	const said = `"message":"runs on the CPU: `
	for _, test := range []struct {
		device string
		status int
		says   int
	}{{"auto", cli.ExitDone, 1}, {"cpu", cli.ExitDone, 0}, {"cuda", cli.ExitFailed, 0}} {
		var stderr strings.Builder
		cmd := clitest.WithDriver(t, "devices=0", "gamebench", "copy", "--json", "--device", test.device)
		cmd.Stderr = &stderr
		out, _ := cmd.Output()
		if got := cmd.ProcessState.ExitCode(); got != test.status || strings.Count(stderr.String(), said) != test.says {
			t.Errorf("--device %s: exit status %d, log %s", test.device, got, &stderr)
		}
		if printed := len(out) > 0; printed != (test.status == cli.ExitDone) {
			t.Errorf("--device %s printed %q", test.device, out)
		}
	}
}

// A bench on a GPU measures the CPU first, and only its GPU part fails.
func TestBenchDevice(t *testing.T) {
	var stdout, stderr strings.Builder
	cmd := clitest.WithDriver(t, "memory=1", "gamebench", "copy", "--device", "auto")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	if cmd.ProcessState.ExitCode() != cli.ExitFailed || strings.Count(stdout.String(), CPUModel()) != 1 ||
		!strings.Contains(stderr.String(), "out of memory") {
		t.Errorf("on a GPU with little memory: %s%s", &stdout, &stderr)
	}
	var text bytes.Buffer
	code := cli.Run(t.Context(), newRoot(), []string{"arena", "--device", "cuda"}, &text, &text)
	if code != cli.ExitUsage || !strings.Contains(text.String(), "bench arena is for the CPU") {
		t.Errorf("exit status %d: %s", code, &text)
	}
}
