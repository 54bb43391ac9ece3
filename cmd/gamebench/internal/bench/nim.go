package bench

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/hexproto/nim"
	"gamebots/solvers/nimsolver"
)

// nimRows returns the board with rows of 1, 3, 5 and so on sticks.
func nimRows(rows int) nimsolver.Position { return nimsolver.Position{Heaps: nim.Rows(rows)} }

const nimAllHeaps = 0xffff_ffff // eight heaps of 15

// nimWork is the work of bench nim.
type nimWork struct {
	rows    int        // rows of the largest board that is searched
	deepest int        // plies of the deepest search
	boards  []nimBoard // boards that are solved whole
}

type nimBoard struct {
	name  string
	board nimsolver.Position
}

var fullNim = nimWork{
	rows:    8,
	deepest: 9,
	boards: []nimBoard{
		{"8 rows, 10,321,920 positions", nimRows(8)},
		{"8 heaps of 15, 2^32 positions", nimsolver.Position{Heaps: nimAllHeaps}},
	},
}

// nimRow returns the row of a version at a depth: a point of a curve over the number
// of rows, but for depths that only one board is searched to.
func nimRow(version, depth, rows int) Row {
	if depth == nimsolver.DefaultDepth {
		return Row{Case: fmt.Sprintf("first move, depth %d, rows", depth), X: float64(rows),
			Variant: fmt.Sprint("v", version)}
	}
	return Row{Case: fmt.Sprintf("first move, depth %d, %d rows", depth, rows), Variant: fmt.Sprint("v", version)}
}

// emitNimTime emits how many milliseconds work takes.
func emitNimTime(emit func(Row), r Row, work func() error) error {
	t, err := medianTime(work)
	if err == nil {
		r.Repeated = t.Repeated
		emitAll(emit, r, figure{"time", float64(t.Nanoseconds()) / 1e6, "ms"})
	}
	return err
}

// onCPU measures the search of first moves, as Fiorella did, and the solution of whole
// boards, after the published figures.
func (w nimWork) onCPU(ctx context.Context, emit func(Row)) error {
	emitFiorella(emit)
	for rows := 2; rows <= w.rows; rows++ {
		for _, depth := range w.depths(rows) {
			at := nimRow(0, depth, rows)
			at.Threads = 1
			if err := emitNimTime(emit, at, func() error {
				_, err := nimsolver.Search(ctx, nimRows(rows), depth, 0)
				return err
			}); err != nil {
				return err
			}
		}
	}
	for _, threads := range allThreads() { // version 5, also deeper than Fiorella's
		for _, depth := range []int{5, nimsolver.DefaultDepth, w.deepest} {
			at := nimRow(int(nimsolver.SolveVersion), depth, w.rows)
			at.Threads = threads
			if err := emitNimTime(emit, at, func() error {
				_, err := nimsolver.Solve(ctx, nimRows(w.rows), depth, threads)
				return err
			}); err != nil {
				return err
			}
		}
		for _, b := range w.boards {
			if err := emitNimTime(emit, Row{Case: b.name, Variant: "solved", Threads: threads}, func() error {
				_, err := nimsolver.NewTable(ctx, b.board, threads, nil)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// depths returns the published depths of a board: the largest one has a second.
func (w nimWork) depths(rows int) []int {
	if rows == w.rows {
		return []int{5, nimsolver.DefaultDepth}
	}
	return []int{nimsolver.DefaultDepth}
}

// emitFiorella emits the published times, as curves over the number of rows, and the savings of memory
// accesses.
func emitFiorella(emit func(Row)) {
	const gpu = "Jetson Nano (Fiorella)"
	emit = from("Fiorella", emit)
	for _, p := range fiorellaTimes() {
		r := nimRow(p.Version, p.Depth, p.Rows)
		if r.Device = gpu; p.Version == 0 {
			r.Device, r.Threads = "CPU (Fiorella)", 1
		}
		if p.Milliseconds > 0 {
			emitAll(emit, r, figure{"time", p.Milliseconds, "ms"})
		}
	}
	for _, s := range fiorellaSavings() {
		emitNimSaving(emit, s.Memory, gpu, s.Percent)
	}
}

// emitNimSaving emits the percentage of memory accesses of version 1 that version 2
// saves.
func emitNimSaving(emit func(Row), memory, device string, percent float64) {
	emitAll(emit, Row{Case: memory + " memory, 5 rows, less than v1", Variant: "v2", Device: device},
		figure{"fewer", percent, "%"})
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
