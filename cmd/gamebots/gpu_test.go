//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/bench"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/kernels"
	"gamebots/cudalib/probe"
)

// withDriver returns a command of the program on a machine with a fake driver.
func withDriver(t *testing.T, settings string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("gamebots", args...)
	folder := filepath.Dir(cudatest.Library(t, kernels.Sources))
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder, "FAKE_CUDA="+settings)
	return cmd
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
	if want := (probe.DeviceReport{Device: "cuda:1", Name: "Fake GPU", Capability: "9.0", Multiprocessors: 2, MemoryBytes: 1 << 16, FreeBytes: 1 << 16}); d != want {
		t.Errorf("device %+v, want %+v", d, want)
	}
}

// A driver that cannot be used is an answer, whatever it does.
func TestGPUProblems(t *testing.T) {
	for _, test := range []struct{ name, settings, want string }{
		{"old driver", "version=10020", "no GPU: libcuda.so.1: the driver is for CUDA 10.2, and at least 11.4 is needed\nhint: install a newer driver"},
		{"old device", "capability=61", "  cannot be used: device 0 (Fake GPU) has compute capability 6.1, and at least 7.0 is needed\nno GPU: none of the devices is usable\n"},
		{"crash", "crash=cuInit", "no GPU: the program that asks the driver failed: signal: killed\n"},
		{"fault of a kernel", "fail=cuLaunchKernel:719;memory=65536", "  cannot be used: kernel copy_words4 with 4 blocks of 256 threads: cuLaunchKernel: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := withDriver(t, test.settings, "gpu").Output()
			if err != nil || !strings.Contains(string(out), test.want) {
				t.Errorf("it says %q, want %q: %v", out, test.want, err)
			}
		})
	}
}

// Without a driver the CPU does the work, which is said once, unless a GPU was
// asked for.
func TestFallback(t *testing.T) {
	const said = `"message":"runs on the CPU: `
	for _, test := range []struct {
		device string
		status int
		says   int
	}{{"auto", exitDone, 1}, {"cpu", exitDone, 0}, {"cuda", exitFailed, 0}} {
		var stderr strings.Builder
		cmd := withDriver(t, "devices=0", "bench", "sum", "--json", "--device", test.device)
		cmd.Stderr = &stderr
		out, _ := cmd.Output()
		if got := cmd.ProcessState.ExitCode(); got != test.status || strings.Count(stderr.String(), said) != test.says {
			t.Errorf("--device %s: exit status %d, log %s", test.device, got, &stderr)
		}
		if printed := len(out) > 0; printed != (test.status == exitDone) {
			t.Errorf("--device %s printed %q", test.device, out)
		}
	}
}

// A bench on a GPU measures the CPU first, and only its GPU part fails.
func TestBenchDevice(t *testing.T) {
	var stdout, stderr strings.Builder
	cmd := withDriver(t, "memory=1000", "bench", "sum", "--device", "auto")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	if cmd.ProcessState.ExitCode() != exitFailed || strings.Count(stdout.String(), bench.CPUModel()) != 2 || !strings.Contains(stderr.String(), "out of memory") {
		t.Errorf("on a GPU with little memory: %s%s", &stdout, &stderr)
	}
	var text bytes.Buffer
	if code := run(t.Context(), []string{"bench", "hand", "--device", "cuda"}, &text, &text); code != exitUsage || !strings.Contains(text.String(), "bench hand is for the CPU") {
		t.Errorf("exit status %d: %s", code, &text)
	}
}
