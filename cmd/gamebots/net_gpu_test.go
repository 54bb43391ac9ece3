//go:build linux

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
	"gamebots/solvers/hexnet"
)

// The bot gumbel computes its network on a GPU that was asked for, and says why if it cannot.
func TestGumbelOnGPU(t *testing.T) {
	for _, test := range []struct {
		settings string
		channels int
		status   int
		says     string
	}{
		{"capability=80", 32, cli.ExitDone, "\n= "},
		{"capability=80", 16, cli.ExitDone, "a network of 16 channels is not for a GPU"},
		{"devices=0", 32, cli.ExitFailed, "gamebots: error: "},
	} {
		n := hexnet.New(hexnet.Config{Blocks: 1, Channels: test.channels}, 1)
		n.Origin.Game = "havannah"
		file := filepath.Join(t.TempDir(), "x.net")
		if err := n.Save(file); err != nil {
			t.Fatal(err)
		}
		cmd := withDriver(t, test.settings, "gtp", "havannah", "--bot", "gumbel", "--net", file, "--device",
			"cuda", "--simulations", "2")
		cmd.Stdin = strings.NewReader("boardsize 2\nplay white a1\ngenmove black\nquit\n")
		out, _ := cmd.CombinedOutput()
		if status := cmd.ProcessState.ExitCode(); status != test.status || !strings.Contains(string(out), test.says) {
			t.Errorf("%s, %d channels: exit status %d, output\n%s", test.settings, test.channels, status, out)
		}
	}
}
