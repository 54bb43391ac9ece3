package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/playout"
)

// havannahWork is the work of bench havannah: random games from the empty board of a side.
type havannahWork struct {
	side     int
	cpu, gpu int // about how many games a run has
	perMove  int // games after each first move where all are rated, on a GPU
	// Launch configurations: ours, and the fastest one of P. Werner, Hochparallele Monte-Carlo-Evaluation auf CUDA,
	// HTWK Leipzig, 2012.
	grids []havannahgpu.Grid
}

var fullHavannah = havannahWork{
	side: 10, cpu: 30_000, gpu: 60_000_000, perMove: 100, grids: []havannahgpu.Grid{{}, {Blocks: 512, Threads: 1}},
}

// allThreads returns one thread, and as many as the machine has processors.
func allThreads() []int { return slices.Compact([]int{1, runtime.NumCPU()}) }

// speed emits the games a second, of about a number of them.
func (w havannahWork) speed(ctx context.Context, emit func(Row), games int, o playout.Options) {
	b := must(havannah.New(w.side))
	cells := b.Grid().NumCells
	o.Playouts = uint64(max(1, games/cells))
	emitSpeed(emit, Row{Case: fmt.Sprintf("side %d, empty board", w.side), Threads: o.Threads},
		float64(o.Playouts)*float64(cells), "playouts/s", func() { must(playout.Rate(ctx, b, o)) })
}

func (w havannahWork) onCPU(ctx context.Context, emit func(Row)) {
	for _, threads := range allThreads() {
		w.speed(ctx, emit, w.cpu, playout.Options{Threads: threads})
	}
}

// onGPU measures the same, and the rating of all first moves with copies, by each launch configuration.
func (w havannahWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) {
	b := must(havannah.New(w.side))
	for i, grid := range w.grids {
		d := must(playout.NewDevice(gpu, w.side, grid))
		r := Row{Case: fmt.Sprintf("side %d, all moves, playouts a move", w.side), X: float64(w.perMove)}
		if i == 0 {
			w.speed(ctx, emit, w.gpu, playout.Options{Device: d})
		} else {
			r.Case = fmt.Sprintf("side %d, all moves, %d playouts, threads", w.side, w.perMove)
			r.X = float64(grid.Blocks * grid.Threads)
		}
		emitTime(emit, r, 1, "s", func() {
			must(playout.Rate(ctx, b, playout.Options{Playouts: uint64(w.perMove), Device: d}))
		})
		check(d.Close())
	}
}

// signHavannah signs ratings of positions of every side.
func signHavannah(ctx context.Context, method methods) {
	h := method("")
	for side := havannah.MinSide; side <= havannah.MaxSide; side++ {
		b := must(havannah.New(side))
		for _, m := range []havannah.Move{havannah.Move(b.Grid().NumCells / 2), havannah.Swap} {
			o := playout.Options{Playouts: 8, Seed: uint64(side), Threads: runtime.NumCPU()}
			sign(h, must(playout.Rate(ctx, b, o)))
			check(b.Play(m))
		}
	}
}
