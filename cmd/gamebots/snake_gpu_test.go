//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
)

// A search on a GPU that fails keeps the snake that was found before.
func TestSnakeOnGPUFails(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "four.snake")
	search := []string{"solve", "snake", "--dimension", "4", "--level", "1", "--checkpoint",
		filepath.Join(folder, "four.checkpoint")}
	before := withDriver(t, "", slices.Concat(search, []string{"--runs", "20", "--device", "cpu"})...)
	if out, err := before.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := withDriver(t, "fail=cuLaunchKernel:719",
		slices.Concat(search, []string{"--runs", "40", "--device", "cuda", "--output", file})...)
	out, _ := cmd.CombinedOutput()
	found, err := os.ReadFile(file)
	if status := cmd.ProcessState.ExitCode(); status != cli.ExitFailed || !strings.Contains(string(out),
		"best           7 edges, checked\n") || !strings.Contains(string(out), "gamebots: error: ") || err != nil {
		t.Errorf("exit status %d, file %q: %v, output\n%s", status, found, err, out)
	}
}
