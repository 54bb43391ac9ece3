package hexsearch

import (
	"fmt"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

// fixedResults is an evaluator with prepared results, which a hash of the path selects.
// It takes no time, so that benchmarks measure the tree.
type fixedResults struct{ results [64]*mcts.Leaf }

func newFixedResults(g *Game) *fixedResults {
	q := new(fixedResults)
	e := NewEvaluator(g, 1, 1)
	for i := range q.results {
		l := &mcts.Leaf{FirstPlayout: uint64(i)}
		for side := range l.AMAF {
			l.AMAF[side] = make([]uint32, g.NumMoves())
		}
		e.own.play(e, l, 64)
		q.results[i] = l
	}
	return q
}

func (*fixedResults) Start([]*mcts.Leaf, int) {}
func (*fixedResults) Wait() error             { return nil }

func (q *fixedResults) Read(l *mcts.Leaf) {
	hash := uint32(2166136261) // FNV-1a of the path
	for _, m := range l.Path {
		hash = (hash ^ uint32(m)) * 16777619
	}
	from := q.results[hash>>10%64]
	l.Score = from.Score
	for side, t := range from.AMAF {
		copy(l.AMAF[side], t)
	}
}

// BenchmarkTree grows trees as for a GPU, without one.
func BenchmarkTree(b *testing.B) {
	for _, c := range []struct{ side, batch, threads int }{{5, 64, 1}, {8, 64, 1},
		{8, 256, 1}, {8, 256, 2}, {8, 256, 4}} {
		b.Run(fmt.Sprintf("side=%d/batch=%d/threads=%d", c.side, c.batch, c.threads), func(b *testing.B) {
			board, err := havannah.New(c.side)
			if err != nil {
				b.Fatal(err)
			}
			g := NewGame(board)
			s := mcts.New(g, newFixedResults(g),
				mcts.Options{Batch: c.batch, Playouts: 64, Threads: c.threads, Memory: 256 << 20})
			b.ResetTimer()
			if err := s.Run(b.Context(), b.N); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "leaves/s")
		})
	}
}
