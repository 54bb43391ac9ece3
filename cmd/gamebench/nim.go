package main

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/cudalib"
	"gamebots/hexproto/nim"
	"gamebots/solvers/nimsolver"
)

// nimRows returns the board with rows of 1, 3, 5 and so on sticks.
func nimRows(rows int) nimsolver.Position { return nimsolver.Position{Heaps: nim.Rows(rows)} }

// nimWork is the work of bench nim.
type nimWork struct {
	cpu, gpu int                // rows of the boards whose first moves are searched
	board    nimsolver.Position // board that is solved whole on a GPU
	name     string             // name of the board
}

var fullNim = nimWork{7, 8, nimsolver.Position{Heaps: 0xffff_ffff}, "8 heaps of 15, 2^32 positions"}

// first emits how many milliseconds a version takes to find the first move.
func (w nimWork) first(emit func(Row), version nimsolver.Version, rows, threads int, work func()) {
	emitTime(emit, Row{Case: fmt.Sprintf("first move, depth %d, rows", nimsolver.DefaultDepth),
		X: float64(rows), Variant: fmt.Sprint("v", int(version)), Threads: threads}, 1000, "ms", work)
}

// onCPU measures the search of Fiorella for the CPU, version 0.
func (w nimWork) onCPU(ctx context.Context, emit func(Row)) {
	w.first(emit, 0, w.cpu, 1, func() {
		must(nimsolver.Search(ctx, nimRows(w.cpu), nimsolver.DefaultDepth, 0))
	})
}

// onGPU measures his fastest version and ours, transfers included, and a board that is solved without them.
func (w nimWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) {
	d := must(nimsolver.NewDevice(gpu))
	defer d.Close()
	for _, v := range []nimsolver.Version{nimsolver.SolveVersion - 1, nimsolver.SolveVersion} {
		w.first(emit, v, w.gpu, 0, func() {
			must(d.Search(v, nimRows(w.gpu), nimsolver.DefaultDepth))
			check(context.Cause(ctx))
		})
	}
	s := must(d.PrepareTable(w.board))
	defer func() { _ = s.Close() }() // an error would not change the figures
	emitTime(emit, Row{Case: w.name, Variant: "solved"}, 1000, "ms", func() { must(s.Build()) })
}

// signNim searches and solves boards by every method of the CPU.
func signNim(ctx context.Context, method methods) {
	for rows := 1; rows <= 6; rows++ {
		for _, rules := range []nim.Rules{{}, {Misere: true}, {MaxTake: 3}} {
			p := nimRows(rows)
			p.Rules = rules
			for _, bits := range []int{0, 12} {
				sign(method("search"), must(nimsolver.Search(ctx, p, 5, bits)))
			}
			r := must(nimsolver.Solve(ctx, p, 5, runtime.NumCPU()))
			t := must(nimsolver.NewTable(ctx, p, runtime.NumCPU(), nil))
			_, lost := t.Positions()
			// The nodes of Solve may differ from run to run.
			fmt.Fprintln(method("solve"), r.Move, r.Value)
			fmt.Fprintln(method("table"), lost, t.Best(p.Heaps))
		}
	}
}
