package nimsolver_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"gamebots/hexproto/nim"
	"gamebots/solvers/minimax"
	"gamebots/solvers/nimsolver"
)

// nodes are known numbers of nodes of alpha-beta at depth 7, and those with a
// transposition table.
var nodes = []struct {
	rows         int
	naive, table uint64
}{{2, 25, 19}, {3, 3335, 341}, {4, 20072, 2352}, {5, 127856, 12607}, {6, 694389, 53262}, {7, 2790886, 0}, {8, 9069866,
	0}}

func TestNodes(t *testing.T) {
	for _, c := range nodes {
		p := nimsolver.Position{Heaps: nim.Rows(c.rows)}
		naive, err := nimsolver.Search(t.Context(), p, 7, 0)
		if err != nil || naive.Nodes != c.naive {
			t.Errorf("%d rows: %d nodes, want %d: %v", c.rows, naive.Nodes, c.naive, err)
		}
		if c.rows > 6 {
			continue // some few entries lose their slots to others
		}
		table, err := nimsolver.Search(t.Context(), p, 7, 22)
		if err != nil || table.Nodes != c.table || table.Value != naive.Value || table.Move != naive.Move {
			t.Errorf("%d rows: with a table %+v, without %+v: %v", c.rows, table, naive, err)
		}
	}
}

// somePosition returns a position whose whole tree can be searched.
func somePosition(rng *rand.Rand, heaps, size int) nimsolver.Position {
	p := nimsolver.Position{Rules: nim.Rules{Misere: rng.IntN(2) == 0}}
	if rng.IntN(3) == 0 {
		p.Rules.MaxTake = 1 + rng.IntN(nim.MaxSize)
	}
	for i := range 1 + rng.IntN(heaps) {
		p.Heaps |= nim.Heaps(rng.IntN(size+1)) << (4 * i)
	}
	return p
}

// All searches agree with package minimax in value, move and nodes.
func TestSearchAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	seen := map[nimsolver.Value]int{}
	for range 400 {
		p, depth := somePosition(rng, 5, 6), 1+rng.IntN(7)
		name := fmt.Sprintf("%+v at depth %d", p, depth)
		want, err := minimax.Search(t.Context(), func() *minimax.Nim { return minimax.NewNim(p.Rules, p.Heaps) },
			minimax.Options{Depth: depth, Unbounded: true})
		if err != nil {
			t.Fatal(err)
		}
		got, err := nimsolver.Search(t.Context(), p, depth, 0)
		if err != nil || got.Nodes != want.Nodes || got.Move != want.Best ||
			minimax.Score(got.Value)*minimax.Win != want.Score {
			t.Errorf("%s: %+v, want %+v: %v", name, got, want, err)
		}
		seen[got.Value]++
		for threads := 1; threads <= 3; threads++ {
			if solved, err := nimsolver.Solve(t.Context(), p, depth, threads); err != nil || solved.Move != got.Move ||
				solved.Value != got.Value {
				t.Errorf("%s: Solve on %d threads %+v, alpha-beta %+v: %v", name, threads, solved, got, err)
			}
		}
		for _, bits := range []int{1, 14} {
			if table, err := nimsolver.Search(t.Context(), p, depth, bits); err != nil || table.Move != got.Move ||
				table.Value != got.Value {
				t.Errorf("%s: with a table %+v, without %+v: %v", name, table, got, err)
			}
		}
	}
	for v := nimsolver.Loss; v <= nimsolver.Win; v++ {
		if seen[v] < 25 {
			t.Errorf("only %d positions were a %v", seen[v], v)
		}
	}
}

// All searches end soon after their context, which they check rarely.
func TestStops(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	large := nimsolver.Position{Heaps: 0xffffffff}
	if _, err := nimsolver.Search(ctx, large, 40, 0); !errors.Is(err, why) {
		t.Errorf("search: %v", err)
	}
	if _, err := nimsolver.Solve(ctx, large, 40, 2); !errors.Is(err, why) {
		t.Errorf("solve: %v", err)
	}
	if _, err := nimsolver.NewTable(ctx, nimsolver.Position{Heaps: 0xfffff}, 2, nil); !errors.Is(err, why) {
		t.Errorf("table: %v", err)
	}
	// Some work is begun by then.
	late, stop := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, why)
	defer stop()
	if _, err := nimsolver.Solve(late, large, 40, 2); !errors.Is(err, why) {
		t.Errorf("solve, late: %v", err)
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, bits := range []int{0, 20} {
		b.Run(fmt.Sprint("table ", bits), func(b *testing.B) {
			for b.Loop() {
				if _, err := nimsolver.Search(b.Context(), nimsolver.Position{Heaps: nim.Rows(8)}, 7,
					bits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, depth := range []int{7, 8, 9} {
		b.Run(fmt.Sprint("depth ", depth), func(b *testing.B) {
			for b.Loop() {
				r, err := nimsolver.Solve(b.Context(), nimsolver.Position{Heaps: nim.Rows(8)}, depth, 2)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Nodes), "nodes")
			}
		})
	}
}
