//go:build linux

package main

import (
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
)

// Moves are rated alike on every device, and where a GPU cannot do it the CPU
// does if anything will do, and the log says why.
func TestAnalyseHavannahPlacement(t *testing.T) {
	const many = "150000" // after each of 7 moves, enough for a GPU to gain
	for _, test := range []struct {
		name, settings, device, playouts string
		status                           int
		says                             string
	}{
		{"few", "", "auto", "100", cli.ExitDone,
			`"device":"the CPU: 700 random games, and a GPU gains from 1048576 on"`},
		{"asked for", "", "cuda", "100", cli.ExitDone, `"device":"Fake GPU (cuda:0)"`},
		{"asked for", "", "cpu", "100", cli.ExitDone, `"device":"the CPU, as asked for"`},
		{"no GPU", "devices=0", "auto", many, cli.ExitDone, `"device":"the CPU: `},
		{"no GPU", "devices=0", "cuda", "100", cli.ExitFailed, "gamebots: error: "},
		{"kernels do not load", "fail=cuModuleLoadDataEx:218", "auto", many, cli.ExitDone,
			`"device":"the CPU: module rate: `},
		{"kernels do not load", "fail=cuModuleLoadDataEx:218", "cuda", "100", cli.ExitFailed,
			"gamebots: error: module rate: "},
		{"no device", "", "gpu", "100", cli.ExitUsage, "--device"},
	} {
		t.Run(test.name+" "+test.device, func(t *testing.T) {
			args := []string{"analyse", "havannah", "side=2 : b2", "--json", "--playouts", test.playouts}
			cmd := withDriver(t, test.settings, append(args, "--device", test.device)...)
			var ratings, log strings.Builder
			cmd.Stdout, cmd.Stderr = &ratings, &log
			cmd.Run()
			if status := cmd.ProcessState.ExitCode(); status != test.status ||
				!strings.Contains(log.String(), test.says) {
				t.Fatalf("exit status %d, log %s; want %q", status, &log, test.says)
			}
			if test.status != cli.ExitDone {
				return
			}
			want, err := withDriver(t, "devices=0", append(args, "--device", "cpu")...).Output()
			if err != nil || ratings.String() != string(want) {
				t.Errorf("%s, the CPU says %s: %v", &ratings, want, err)
			}
		})
	}
}
