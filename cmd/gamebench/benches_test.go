//go:build linux

package main

import (
	"errors"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/havannahgpu"
	"gamebots/solvers/resolve"
)

// Every bench with a part for GPUs has one for the CPU and emits figures.
func TestBenchOnGPU(t *testing.T) {
	t.Chdir("../..") // where the strategies are
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
	havannah := havannahWork{side: 2, gpu: 1, perMove: 1,
		grids: []havannahgpu.Grid{{Blocks: 1, Threads: 2}, {Blocks: 1, Threads: 1}}}
	player := playerWork{side: 4, threads: 1}
	heaps := nimWork{gpu: 2, name: "2 rows", board: nimRows(2)}
	equilibria := nashWork(3)
	reis := reisWork{game: "reis-a", batch: 1, deals: 1}
	vector := vectorWork{
		cases:  []vectorCase{{game: "kuhn", cpu: 1, gpu: 1, copies: 2}},
		target: vectorTarget{game: "kuhn", chips: 0.5},
	}
	responded := solvingLBRWork{"holdem-nolimit-2p", 1, 2, []int{0, resolve.Turn}}
	// The full work of these takes a fake device too long.
	short := map[string]gpuBench{"cfr-vector": vector.onGPU, "havannah": havannah.onGPU, "nash": equilibria.onGPU,
		"nim": heaps.onGPU, "player": player.onGPU, "reis": reis.onGPU, "solving-lbr": responded.of(Deals{})}
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
		case "reis", "nim", "player":
			d = large
		case "nash":
			d = huge
		}
		err := try(func() {
			gpu(t.Context(), d, func(r Row) {
				if r.Value <= 0 && r.Unit != "mb a hand" {
					t.Errorf("bench %s: %+v", b.Name, r)
				}
				records.emit(r)
			})
		})
		if err != nil || rows == 0 || records.err() != nil {
			t.Errorf("bench %s: %d rows: %v", b.Name, rows, errors.Join(err, records.err()))
		}
	}
}
