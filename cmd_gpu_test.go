//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/havannahgpu"
	"gamebots/cudalib/kernels"
	"gamebots/cudalib/probe"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/mcts"
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

// A bench that has a loop for GPUs has figures of the CPU too, unless told
// otherwise; one that has none is not run on a GPU.
func TestBenchOnGPU(t *testing.T) {
	device := func(memory string) *cudalib.Device {
		d, err := cudatest.Load(t, kernels.Sources, "memory="+memory).Device(0)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	small, large, huge := device("65536"), device("8000000"), device("300000000") // of which copy measures all
	defer small.Close()
	defer large.Close()
	defer huge.Close()
	defer func(sizes []int) { benchSums = sizes }(benchSums)
	benchSums = []int{1, 5000}
	defer func(c []vectorCase, t []target) { vectorCases, vectorTargets = c, t }(vectorCases, vectorTargets)
	vectorCases = []vectorCase{{"kuhn", 0, 0, abstraction.Lossless, 1, 1, 2}}
	vectorTargets = []target{{"kuhn", 0.5}}
	defer func(w havannahWork) { onGPUs = w }(onGPUs)
	onGPUs = havannahWork{sides: []int{2}, side: 2, perMove: []int{1}, runners: 2, blocks: []int{1}, threads: []int{2}, many: 1,
		opening: 16, grid: havannahgpu.Grid{Blocks: 1, Threads: 2}}
	defer func(v []reisVariant, b []int, t time.Duration, n uint64) {
		reisVariants, reisBatches, reisTime, reisDeals = v, b, t, n
	}(reisVariants, reisBatches, reisTime, reisDeals)
	reisVariants, reisBatches, reisTime, reisDeals = []reisVariant{{"reis-a", 1, nil}}, []int{1}, 0, 1
	work := boardsWork
	defer func() { boardsWork = work }()
	boardsWork.game, boardsWork.cards, boardsWork.gpu, boardsWork.time = "kuhn", "lossless", []int{1}, 0
	match := boardsMatch
	defer func() { boardsMatch = match }()
	boardsMatch.gpu, boardsMatch.cpu = []mccfr.Method{{Sampling: mccfr.Public, Batch: 1}}, []mccfr.Method{{Batch: 1}}
	boardsMatch.times, boardsMatch.boards, boardsMatch.response = []time.Duration{0}, 2, 1
	defer func(large, best int, b []nimBoard) { nimLarge, nimBest, nimBoards = large, best, b }(nimLarge, nimBest, nimBoards)
	nimLarge, nimBest, nimBoards = 2, 3, []nimBoard{{"2 rows", nimRows(2)}}
	defer func(n, p int) { subsetsOf, allPlaces = n, p }(subsetsOf, allPlaces)
	subsetsOf, allPlaces = 4, 8
	snakes, games := snakeOnGPU, nashOnGPU
	defer func() { snakeOnGPU, nashOnGPU = snakes, games }()
	snakeOnGPU.dimensions, snakeOnGPU.levels, snakeOnGPU.beams, snakeOnGPU.rounds = []int{8}, []int{1}, slices.Clone(snakes.beams[:1]), 20
	snakeOnGPU.beams[0].width = 20
	nashOnGPU.every, nashOnGPU.support, nashOnGPU.labels, nashOnGPU.twin, nashOnGPU.twice = []int{3}, []int{3}, []int{3}, []int{3}, []int{3}
	nashOnGPU.blocks, nashOnGPU.blocksOf, nashOnGPU.games, nashOnGPU.of = []int{32}, 3, 3, 3
	defer func(s []int, o []mcts.Options, t time.Duration) { searchSides, searchesOnGPU, searchTime = s, o, t }(searchSides, searchesOnGPU, searchTime)
	searchSides, searchesOnGPU, searchTime = []int{4}, []mcts.Options{{Batch: 1, Playouts: 1}}, 0
	for name, bench := range gpuBenches {
		twin := false
		for _, b := range benches {
			twin = twin || b.name == name
		}
		if !twin {
			t.Errorf("bench %s has no twin on the CPU", name)
		}
		rows, d := 0, small
		switch name {
		case "cfr", "reis", "boards", "nim", "snake", "player":
			d = large
		case "nash":
			d = huge
		}
		if err := bench(t.Context(), d, func(r row) error {
			rows++
			if r.Value <= 0 && !slices.Contains([]string{"chips/hand", "mb a hand", "decisions", "candidates"}, r.Unit) && name != "snake" { // whose latencies are differences
				t.Errorf("bench %s: %+v", name, r)
			}
			return nil
		}); err != nil || rows == 0 {
			t.Errorf("bench %s: %d rows: %v", name, rows, err)
		}
	}

	var stdout, stderr strings.Builder
	cmd := withDriver(t, "memory=1000", "bench", "sum", "--device", "auto")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	if cmd.ProcessState.ExitCode() != exitFailed || strings.Count(stdout.String(), cpuModel()) != 2 || !strings.Contains(stderr.String(), "out of memory") {
		t.Errorf("on a GPU with little memory: %s%s", &stdout, &stderr)
	}
	var text bytes.Buffer
	if code := run(t.Context(), []string{"bench", "hand", "--device", "cuda"}, &text, &text); code != exitUsage || !strings.Contains(text.String(), "bench hand is for the CPU") {
		t.Errorf("exit status %d: %s", code, &text)
	}
}
