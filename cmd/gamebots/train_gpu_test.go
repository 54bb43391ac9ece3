//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
)

// trainedOn trains in a folder, on a machine with a fake driver, and returns
// the exit status and the log.
func trainedOn(t *testing.T, folder, settings string, args ...string) (status int, log string) {
	t.Helper()
	cmd := withDriver(t, settings, append([]string{"train"}, args...)...)
	cmd.Dir = folder
	var stderr strings.Builder
	cmd.Stderr = &stderr
	cmd.Run()
	return cmd.ProcessState.ExitCode(), stderr.String()
}

// A training begins on one device and goes on on another, as if it had stayed.
func TestTrainAcrossDevices(t *testing.T) {
	for _, algorithm := range []string{"dcfr", "deals(2)", "reis-gpu"} {
		one, both := t.TempDir(), t.TempDir()
		for _, run := range [][]string{
			{one, "cpu", "6"},
			{both, "cuda", "2"}, {both, "cpu", "4"}, {both, "cuda", "6"},
		} {
			status, log := trainedOn(t, run[0], "", "kuhn", "--algorithm", algorithm, "--device", run[1],
				"--iterations", run[2])
			if status != cli.ExitDone {
				t.Fatalf("%s: exit status %d: %s", algorithm, status, log)
			}
		}
		want, err := os.ReadFile(filepath.Join(one, "kuhn.strategy"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(both, "kuhn.strategy"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the strategies differ: %v", algorithm, err)
		}
	}
}

// Several GPUs share a training where they can.
func TestTrainOnAllDevices(t *testing.T) {
	for _, test := range []struct{ devices, game, algorithm, says string }{
		{"2", "kuhn", "pcs+(2)", `"device":"Fake GPU (cuda:0), Fake GPU (cuda:1)"`},
		{"2", "kuhn", "deals(2)", "this is done on one device, not on all"},
		{"2", "leduc", "public-cfr-br", `"device":"Fake GPU (cuda:0), Fake GPU (cuda:1)"`},
		{"3", "leduc", "public-cfr-br",
			`"device":"2 of Fake GPU (cuda:0), Fake GPU (cuda:1), Fake GPU (cuda:2): public-cfr-br uses no more"`},
	} {
		_, log := trainedOn(t, t.TempDir(), "devices="+test.devices, test.game, "--algorithm", test.algorithm,
			"--device", "cuda:all", "--iterations", "2")
		if !strings.Contains(log, test.says) {
			t.Errorf("%s: log %s; want %q", test.algorithm, log, test.says)
		}
	}
}

// A device that fails leaves the last checkpoint as it is.
func TestTrainOnFailingDevice(t *testing.T) {
	folder := t.TempDir()
	status, log := trainedOn(t, folder, "", "kuhn", "--device", "cuda", "--iterations", "2")
	if status != cli.ExitDone {
		t.Fatalf("exit status %d: %s", status, log)
	}
	file := filepath.Join(folder, "kuhn.strategy.checkpoint")
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	status, log = trainedOn(t, folder, "fail=cuLaunchKernel:719", "kuhn", "--device", "cuda", "--iterations", "4")
	if status != cli.ExitFailed || !strings.Contains(log, "gamebots: error: kernel evaluate_one_last") ||
		!strings.Contains(log, "from its last checkpoint") {
		t.Errorf("exit status %d: %s", status, log)
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the checkpoint has changed: %v", err)
	}
}

// Where training cannot be on a GPU, the CPU does it if anything will do, and the
// log says why.
func TestTrainPlacement(t *testing.T) {
	for _, test := range []struct {
		name, settings, device, game string
		status                       int
		says                         string
	}{
		{"small game", "", "auto", "kuhn", cli.ExitDone,
			`"device":"the CPU: 24 entries, and a GPU gains from 1000 on"`},
		{"no GPU", "devices=0", "auto", "rhode-island", cli.ExitDone, `"device":"the CPU: `},
		{"old driver", "version=10020", "auto", "rhode-island", cli.ExitDone,
			`"device":"the CPU: libcuda.so.1: the driver is for CUDA 10.2`},
		{"little memory", "memory=1048576", "auto", "rhode-island", cli.ExitDone,
			`"device":"the CPU: rhode-island with lossless cards needs `},
		{"kernels do not load", "memory=1073741824;fail=cuModuleLoadDataEx:218", "auto", "rhode-island", cli.ExitDone,
			`"device":"the CPU: module mean: cuModuleLoadDataEx: `},
		{"no GPU", "devices=0", "cuda", "kuhn", cli.ExitFailed, "gamebots: error: "},
		{"little memory", "memory=1048576", "cuda", "rhode-island", cli.ExitFailed,
			"of Fake GPU (cuda:0) are free\ngamebots: hint: coarser cards (--abstraction)"},
		{"three players", "", "cuda", "kuhn-3p", cli.ExitFailed,
			"kuhn-3p: a GPU trains games of two players with one hole card or two"},
	} {
		t.Run(test.name+" "+test.device, func(t *testing.T) {
			status, log := trainedOn(t, t.TempDir(), test.settings, test.game, "--device", test.device, "--iterations",
				"1")
			if status != test.status || !strings.Contains(log, test.says) {
				t.Errorf("exit status %d, log %s; want %q", status, log, test.says)
			}
		})
	}
}
