package havannah

import (
	"fmt"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

// quick has results at once, which have nothing to do with the leaf: it leaves all
// the time to the tree.
type quick struct{ results [64]*mcts.Leaf }

func newQuick(g *Game) *quick {
	q := new(quick)
	e := NewEvaluator(g, 1, 1)
	for i := range q.results {
		l := &mcts.Leaf{Number: uint64(i)}
		for side := range l.Taken {
			l.Taken[side] = make([]uint32, g.NumMoves())
		}
		e.own.play(e, l, 64)
		q.results[i] = l
	}
	return q
}

func (*quick) Start([]*mcts.Leaf, int) {}
func (*quick) Wait() error             { return nil }

func (q *quick) Read(l *mcts.Leaf) {
	hash := uint32(2166136261) // FNV-1a of the path
	for _, m := range l.Path {
		hash = (hash ^ uint32(m)) * 16777619
	}
	from := q.results[hash>>10%64]
	l.Score = from.Score
	for side, t := range from.Taken {
		copy(l.Taken[side], t)
	}
}

// BenchmarkTree grows trees as a GPU's player does, without a GPU.
func BenchmarkTree(b *testing.B) {
	for _, c := range []struct{ side, batch, threads int }{{5, 64, 1}, {8, 64, 1}, {8, 256, 1}, {8, 256, 2}, {8, 256, 4}} {
		b.Run(fmt.Sprintf("side=%d/batch=%d/threads=%d", c.side, c.batch, c.threads), func(b *testing.B) {
			board, err := havannah.New(c.side)
			if err != nil {
				b.Fatal(err)
			}
			g := NewGame(board, DefaultStyle)
			s := mcts.New(g, newQuick(g), mcts.Options{Batch: c.batch, Playouts: 64, Threads: c.threads, Memory: 256 << 20})
			b.ResetTimer()
			if err := s.Run(b.Context(), b.N); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "leaves/s")
		})
	}
}
