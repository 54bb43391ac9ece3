//go:build linux

package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli/clitest"
	"gamebots/cudalib/probe"
)

// withDriver returns a command of the program on a machine with a fake driver.
func withDriver(t *testing.T, settings string, args ...string) *exec.Cmd {
	t.Helper()
	return clitest.WithDriver(t, settings, "gamebots", args...)
}

func TestGPU(t *testing.T) {
	out, err := withDriver(t, "devices=2;capability=90;memory=65536", "gpu", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var r probe.Report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	if !r.Usable || r.Problem != "" || r.CUDA != "13.0" || len(r.Devices) != 2 {
		t.Fatalf("report %s", out)
	}
	d := r.Devices[1]
	if d.CopyBytesPerSecond <= 0 || d.LaunchSeconds <= 0 || d.GraphLaunchSeconds <= 0 {
		t.Errorf("not measured: %+v", d)
	}
	d.CopyBytesPerSecond, d.LaunchSeconds, d.GraphLaunchSeconds = 0, 0, 0
	if want := (probe.DeviceReport{Device: "cuda:1", Name: "Fake GPU", Capability: "9.0", Multiprocessors: 2,
		MemoryBytes: 1 << 16, FreeBytes: 1 << 16}); d != want {
		t.Errorf("device %+v, want %+v", d, want)
	}
}

// A driver that cannot be used is an answer, whatever it does.
func TestGPUProblems(t *testing.T) {
	for _, test := range []struct{ name, settings, want string }{
		{"old driver", "version=10020",
			"no GPU: libcuda.so.1: the driver is for CUDA 10.2, and at least 11.4 is needed\nhint: install a newer " +
				"driver"},
		{"old device", "capability=61",
			"  cannot be used: device 0 (Fake GPU) has compute capability 6.1, and at least 7.0 is needed\nno GPU: " +
				"none of the devices is usable\n"},
		{"crash", "crash=cuInit", "no GPU: the program that asks the driver failed: signal: killed\n"},
		{"fault of a kernel", "fail=cuLaunchKernel:719;memory=65536",
			"  cannot be used: kernel copy_words4 with 4 blocks of 256 threads: cuLaunchKernel: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := withDriver(t, test.settings, "gpu").Output()
			if err != nil || !strings.Contains(string(out), test.want) {
				t.Errorf("it says %q, want %q: %v", out, test.want, err)
			}
		})
	}
}
