package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime"
	"time"

	"gamebots/hexproto/nim"
	"gamebots/solvers/minimax"
	"gamebots/solvers/minimax/boards"
	"gamebots/solvers/nimsolver"
)

// nimRows is the board with rows of 1, 3, 5 and so on sticks.
func nimRows(rows int) nimsolver.Position { return nimsolver.Position{Heaps: nim.Rows(rows)} }

const nimAllHeaps = 0xffff_ffff // eight heaps of 15

// Less is enough for tests.
var (
	nimLarge = 8 // rows of the largest board of the seed
	nimBest  = 9 // plies that a GPU is worth at
)

// nimVariant names a version.
func nimVariant(version int) string { return fmt.Sprintf("v%d", version) }

// nimAt is what was measured of a version at a depth: points of a curve over the
// number of rows, but for depths of which there is one board only.
func nimAt(version, depth, rows int) Row {
	if depth == nimsolver.DefaultDepth {
		return Row{Case: fmt.Sprintf("first move, depth %d, rows", depth), X: float64(rows), Variant: nimVariant(version)}
	}
	return Row{Case: fmt.Sprintf("first move, depth %d, %d rows", depth, rows), Variant: nimVariant(version)}
}

func emitNimTime(emit func(Row) error, r Row, t time.Duration) error {
	r.Metric, r.Value, r.Unit = "time", float64(t.Nanoseconds())/1e6, "ms"
	return emit(r)
}

// benchNim measures the search of first moves, as the seed did, and the solution
// of whole boards. The seed's figures come first; those of GPUs are benchNimGPU's.
func benchNim(ctx context.Context, emit func(Row) error) error {
	for _, step := range []func(context.Context, func(Row) error) error{
		seedNim, benchNimNodes, benchNimSearch, benchNimForce, benchNimSolve,
	} {
		if err := step(ctx, emit); err != nil {
			return err
		}
	}
	return nil
}

// benchNimNodes counts the nodes of alpha-beta, and with a table.
func benchNimNodes(ctx context.Context, emit func(Row) error) error {
	for _, bits := range []int{0, nimsolver.TableBits(nimsolver.DefaultDepth)} {
		for rows := 2; rows <= nimLarge; rows++ {
			r, err := nimsolver.Search(ctx, nimRows(rows), nimsolver.DefaultDepth, bits)
			if err != nil {
				return err
			}
			at := Row{Case: fmt.Sprintf("nodes of a first move, depth %d, rows", nimsolver.DefaultDepth), X: float64(rows), Variant: tabled(bits), Threads: 1}
			at.Metric, at.Value, at.Unit = "nodes", float64(r.Nodes), "nodes"
			if err := emit(at); err != nil {
				return err
			}
		}
	}
	return nil
}

// tabled names version 0 without or with a table.
func tabled(bits int) string {
	if bits > 0 {
		return nimVariant(0) + " with a table"
	}
	return nimVariant(0)
}

// benchNimSearch times version 0, alpha-beta on one core.
func benchNimSearch(ctx context.Context, emit func(Row) error) error {
	for _, bits := range []int{0, nimsolver.TableBits(nimsolver.DefaultDepth)} {
		for rows := 2; rows <= nimLarge; rows++ {
			for _, depth := range nimDepths(rows) {
				t, err := timeNim(ctx, rows, depth, bits)
				if err != nil {
					return err
				}
				at := nimAt(0, depth, rows)
				at.Variant, at.Threads = tabled(bits), 1
				if err := emitNimTime(emit, at, t); err != nil {
					return err
				}
			}
		}
	}
	t, err := medianTime(func() error {
		_, err := minimax.Search(ctx, func() *boards.Nim { return boards.NewNim(nim.Rules{}, nimRows(nimLarge).Heaps) },
			minimax.Options{Depth: nimsolver.DefaultDepth, Unbounded: true})
		return err
	})
	if err != nil {
		return err
	}
	at := nimAt(0, nimsolver.DefaultDepth, nimLarge)
	at.Variant, at.Threads = "any game's alpha-beta", 1
	return emitNimTime(emit, at, t)
}

// nimDepths are those that the seed has of a board: of the largest also a smaller
// one.
func nimDepths(rows int) []int {
	if rows == nimLarge {
		return []int{5, nimsolver.DefaultDepth}
	}
	return []int{nimsolver.DefaultDepth}
}

func timeNim(ctx context.Context, rows, depth, bits int) (time.Duration, error) {
	return medianTime(func() error {
		_, err := nimsolver.Search(ctx, nimRows(rows), depth, bits)
		return err
	})
}

// benchNimForce times version 5 on CPUs, and looks further ahead than the seed.
func benchNimForce(ctx context.Context, emit func(Row) error) error {
	for _, threads := range allThreads() {
		for _, depth := range []int{5, nimsolver.DefaultDepth, nimBest} {
			var r nimsolver.Result
			t, err := medianTime(func() (err error) {
				r, err = nimsolver.Solve(ctx, nimRows(nimLarge), depth, threads)
				return err
			})
			if err != nil {
				return err
			}
			if err := emitNimForce(emit, depth, threads, t, r.Nodes); err != nil {
				return err
			}
		}
	}
	return nil
}

func emitNimForce(emit func(Row) error, depth, threads int, t time.Duration, nodes uint64) error {
	at := nimAt(int(nimsolver.SolveVersion), depth, nimLarge)
	at.Threads = threads
	if err := emitNimTime(emit, at, t); err != nil {
		return err
	}
	at.Case = fmt.Sprintf("nodes of a first move, depth %d, %d rows", depth, nimLarge)
	at.X, at.Metric, at.Value, at.Unit = 0, "nodes", float64(nodes), "nodes"
	return emit(at)
}

type nimBoard struct {
	name  string
	board nimsolver.Position
}

// nimBoards are the boards that are solved backwards.
var nimBoards = []nimBoard{
	{"8 rows, 10,321,920 positions", nimRows(nimLarge)},
	{"8 heaps of 15, 2^32 positions", nimsolver.Position{Heaps: nimAllHeaps}},
}

// benchNimSolve times the solution of boards; of the large one once, as it takes
// seconds.
func benchNimSolve(ctx context.Context, emit func(Row) error) error {
	for i, b := range nimBoards {
		for _, threads := range allThreads() {
			solve := func() error {
				_, err := nimsolver.NewTable(ctx, b.board, threads, nil)
				return err
			}
			var t time.Duration
			var err error
			if i == 0 {
				t, err = medianTime(solve)
			} else {
				start := time.Now()
				err = solve()
				t = time.Since(start)
			}
			if err != nil {
				return err
			}
			if err := emitNimTime(emit, Row{Case: b.name, Variant: "solved", Threads: threads}, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// signNim searches and solves boards in every way of the CPU.
func signNim(ctx context.Context) (uint64, error) {
	h := fnv.New64a()
	for rows := 1; rows <= 6; rows++ {
		for _, rules := range []nim.Rules{{}, {Misere: true}, {MaxTake: 3}} {
			p := nimRows(rows)
			p.Rules = rules
			for _, bits := range []int{0, 12} {
				r, err := nimsolver.Search(ctx, p, 5, bits)
				if err != nil {
					return 0, err
				}
				if err := binary.Write(h, binary.LittleEndian, r); err != nil {
					return 0, err
				}
			}
			r, err := nimsolver.Solve(ctx, p, 5, runtime.NumCPU())
			if err != nil {
				return 0, err
			}
			t, err := nimsolver.NewTable(ctx, p, runtime.NumCPU(), nil)
			if err != nil {
				return 0, err
			}
			_, lost := t.Positions()
			// The nodes of Force may differ from run to run.
			fmt.Fprintln(h, r.Move, r.Value, lost, t.Best(p.Heaps))
		}
	}
	return h.Sum64(), nil
}
