package bench

import (
	"context"
	"errors"
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
func (w nimWork) first(emit func(Row), version nimsolver.Version, rows, threads int, work func() error) error {
	return emitNim(emit, Row{Case: fmt.Sprintf("first move, depth %d, rows", nimsolver.DefaultDepth),
		X: float64(rows), Variant: fmt.Sprint("v", int(version)), Threads: threads}, work)
}

// emitNim emits how many milliseconds work takes.
func emitNim(emit func(Row), r Row, work func() error) error {
	t, err := medianTime(work)
	if err == nil {
		r.Repeated = t.Repeated
		emitAll(emit, r, figure{"time", float64(t.Nanoseconds()) / 1e6, "ms"})
	}
	return err
}

// onCPU measures the search of Fiorella for the CPU, version 0.
func (w nimWork) onCPU(ctx context.Context, emit func(Row)) error {
	return w.first(emit, 0, w.cpu, 1, func() error {
		_, err := nimsolver.Search(ctx, nimRows(w.cpu), nimsolver.DefaultDepth, 0)
		return err
	})
}

// onGPU measures his fastest version and ours, transfers included, and a board that is solved without them.
func (w nimWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	d, err := nimsolver.NewDevice(gpu)
	if err != nil {
		return err
	}
	defer d.Close()
	for _, v := range []nimsolver.Version{nimsolver.SolveVersion - 1, nimsolver.SolveVersion} {
		if err := w.first(emit, v, w.gpu, 0, func() error {
			_, _, err := d.Search(v, nimRows(w.gpu), nimsolver.DefaultDepth)
			return errors.Join(err, context.Cause(ctx))
		}); err != nil {
			return err
		}
	}
	s, err := d.PrepareTable(w.board)
	if err != nil {
		return err
	}
	err = emitNim(emit, Row{Case: w.name, Variant: "solved"}, func() error { _, err := s.Build(); return err })
	return errors.Join(err, s.Close())
}

// signNim searches and solves boards by every method of the CPU.
func signNim(ctx context.Context, method methods) error {
	for rows := 1; rows <= 6; rows++ {
		for _, rules := range []nim.Rules{{}, {Misere: true}, {MaxTake: 3}} {
			p := nimRows(rows)
			p.Rules = rules
			for _, bits := range []int{0, 12} {
				r, err := nimsolver.Search(ctx, p, 5, bits)
				if err != nil {
					return err
				}
				sign(method("search"), r)
			}
			r, err := nimsolver.Solve(ctx, p, 5, runtime.NumCPU())
			if err != nil {
				return err
			}
			t, err := nimsolver.NewTable(ctx, p, runtime.NumCPU(), nil)
			if err != nil {
				return err
			}
			_, lost := t.Positions()
			// The nodes of Solve may differ from run to run.
			fmt.Fprintln(method("solve"), r.Move, r.Value)
			fmt.Fprintln(method("table"), lost, t.Best(p.Heaps))
		}
	}
	return nil
}
