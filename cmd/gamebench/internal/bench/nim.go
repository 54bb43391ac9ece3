package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

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

// fullNim is the work that is measured.
var fullNim = nimWork{
	rows:    8,
	deepest: 9,
	boards: []nimBoard{
		{"8 rows, 10,321,920 positions", nimRows(8)},
		{"8 heaps of 15, 2^32 positions", nimsolver.Position{Heaps: nimAllHeaps}},
	},
}

// nimVariant names a version.
func nimVariant(version int) string { return fmt.Sprintf("v%d", version) }

// nimRow returns the row of a version at a depth: a point of a curve over the number
// of rows, but for depths that only one board is searched to.
func nimRow(version, depth, rows int) Row {
	if depth == nimsolver.DefaultDepth {
		return Row{Case: fmt.Sprintf("first move, depth %d, rows", depth), X: float64(rows),
			Variant: nimVariant(version)}
	}
	return Row{Case: fmt.Sprintf("first move, depth %d, %d rows", depth, rows), Variant: nimVariant(version)}
}

func emitNimTime(emit func(Row), r Row, t timing) {
	r.Metric, r.Value, r.Unit, r.Repeated = "time", float64(t.Nanoseconds())/1e6, "ms", t.Repeated
	emit(r)
}

// onCPU measures the search of first moves, as Fiorella did, and the solution of whole
// boards, after the published figures.
func (w nimWork) onCPU(ctx context.Context, emit func(Row)) error {
	emitFiorella(emit)
	for _, measure := range []func(context.Context, func(Row)) error{w.searches, w.solves, w.tables} {
		if err := measure(ctx, emit); err != nil {
			return err
		}
	}
	return nil
}

// searches times version 0, alpha-beta on one core.
func (w nimWork) searches(ctx context.Context, emit func(Row)) error {
	for rows := 2; rows <= w.rows; rows++ {
		for _, depth := range w.depths(rows) {
			t, err := timeNim(ctx, rows, depth)
			if err != nil {
				return err
			}
			at := nimRow(0, depth, rows)
			at.Threads = 1
			emitNimTime(emit, at, t)
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

func timeNim(ctx context.Context, rows, depth int) (timing, error) {
	return medianTime(func() error {
		_, err := nimsolver.Search(ctx, nimRows(rows), depth, 0)
		return err
	})
}

// solves times version 5 on CPUs, also deeper than Fiorella's.
func (w nimWork) solves(ctx context.Context, emit func(Row)) error {
	for _, threads := range allThreads() {
		for _, depth := range []int{5, nimsolver.DefaultDepth, w.deepest} {
			t, err := medianTime(func() error {
				_, err := nimsolver.Solve(ctx, nimRows(w.rows), depth, threads)
				return err
			})
			if err != nil {
				return err
			}
			at := nimRow(int(nimsolver.SolveVersion), depth, w.rows)
			at.Threads = threads
			emitNimTime(emit, at, t)
		}
	}
	return nil
}

// tables times the solution of boards. All but the first are timed once, as they take
// seconds.
func (w nimWork) tables(ctx context.Context, emit func(Row)) error {
	for i, b := range w.boards {
		for _, threads := range allThreads() {
			solve := func() error {
				_, err := nimsolver.NewTable(ctx, b.board, threads, nil)
				return err
			}
			var t timing
			var err error
			if i == 0 {
				t, err = medianTime(solve)
			} else {
				start := time.Now()
				err = solve()
				t.Duration = time.Since(start)
			}
			if err != nil {
				return err
			}
			emitNimTime(emit, Row{Case: b.name, Variant: "solved", Threads: threads}, t)
		}
	}
	return nil
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
