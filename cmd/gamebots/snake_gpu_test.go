//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
)

// A search on a GPU that fails keeps the snake that it found before.
func TestSnakeOnGPUFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "four.snake")
	cmd := withDriver(t, "memory=16000000", "solve", "snake", "--dimension", "4", "--algorithm", "beam", "--width",
		"2", "--walks", "1000000", "--runs", "2",
		"--device", "cuda", "--output", file)
	out, _ := cmd.CombinedOutput()
	found, err := os.ReadFile(file)
	if status := cmd.ProcessState.ExitCode(); status != cli.ExitFailed || !strings.Contains(string(out),
		"best      7 edges, checked\n") || !strings.Contains(string(out), "gamebots: error: ") || err != nil {
		t.Errorf("exit status %d, file %q: %v, output\n%s", status, found, err, out)
	}
}
