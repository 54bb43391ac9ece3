//go:build linux

package bench

import (
	"errors"
	"slices"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/havannahgpu"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
)

// Every bench with a part for GPUs has one for the CPU and emits figures.
func TestBenchOnGPU(t *testing.T) {
	t.Chdir("../../../..") // where the strategies are
	device := func(memory string) *cudalib.Device {
		d, err := cudatest.Load(t, cudatest.Families(t), "memory="+memory).Device(0)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	// bench copy measures all of a device's memory
	small, large, huge := device("65536"), device("8000000"), device("300000000")
	defer small.Close()
	defer large.Close()
	defer huge.Close()
	havannah := havannahWork{sides: []int{2}, side: 2, perMove: []int{1}, blocks: []int{1},
		grid: havannahgpu.Grid{Blocks: 1, Threads: 2}}
	player := playerWork{sides: []int{4}, threads: []int{1}}
	snakes := snakeWork{dimensions: []int{8}, levels: []int{1}, rounds: 20}
	heaps := nimWork{rows: 2, deepest: 3, boards: []nimBoard{{"2 rows", nimRows(2)}}}
	equilibria := nashWork{everyPair: []int{3}, labels: []int{3}}
	reis := reisWork{games: []reisGame{{name: "reis-a", step: 1}}, batches: []int{1}, deals: 1}
	vector := vectorWork{
		cases:   []vectorCase{{game: "kuhn", cards: abstraction.Lossless, cpu: 1, gpu: 1, copies: 2}},
		targets: []vectorTarget{{game: "kuhn", chips: 0.5}},
	}
	responses := responseWork{{game: "kuhn", bot: policy.PlainCall, gpu: 1}}
	buckets := pcsWork{game: "kuhn", buckets: arbitrary{2}, gpu: []int{1}}
	trunk := cfrbrWork{games: []cfrbrGame{{"leduc-nolimit", "fcpa", arbitrary{3, 9}}}}
	networks := hexnetWork{configs: []hexnet.Config{{Blocks: 1, Channels: 32}}, sides: []int{2}, gpu: []int{1}}
	responded := solvingLBRWork{"holdem-nolimit-2p", 1, 2, []int{0, resolve.Turn}}
	// The full work of these takes a fake device too long.
	short := map[string]gpuBench{"best-response": responses.onGPU,
		"cfr-br": trunk.onGPU, "cfr-vector": vector.onGPU, "pcs": buckets.onGPU, "reis": reis.onGPU,
		"solving-lbr": responded.of(Deals{}),
		"havannah":    havannah.onGPU, "hexnet": networks.onGPU, "nash": equilibria.onGPU, "nim": heaps.onGPU,
		"player": player.onGPU, "snake": snakes.onGPU}
	for _, b := range benches {
		gpu := b.gpu
		if b.deals != nil {
			gpu = b.deals(Deals{})
		}
		if work, ok := short[b.Name]; ok {
			gpu = work
		}
		if gpu == nil {
			continue
		}
		if b.cpu == nil && b.deals == nil {
			t.Errorf("bench %s has no part for the CPU", b.Name)
		}
		rows, d := 0, small
		records := newRecorder(b.Name, func(Row) error { rows++; return nil }, nil)
		switch b.Name {
		case "best-response", "cfr-br", "reis", "nim", "pcs", "snake", "player":
			d = large
		case "hexnet", "nash":
			d = huge
		}
		if err := gpu(t.Context(), d, func(r Row) {
			// The latencies of bench snake are differences.
			if r.Value <= 0 &&
				!slices.Contains([]string{"chips/hand", "mb a hand", "decisions", "candidates", "games/s"}, r.Unit) &&
				b.Name != "snake" {
				t.Errorf("bench %s: %+v", b.Name, r)
			}
			records.emit(r)
		}); err != nil || rows == 0 || records.err() != nil {
			t.Errorf("bench %s: %d rows: %v", b.Name, rows, errors.Join(err, records.err()))
		}
	}
}
