package hexsearch

import (
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

func BenchmarkSearch(b *testing.B) {
	for _, side := range []int{5, 8, 10} {
		b.Run(string(rune('0'+side/10))+string(rune('0'+side%10)), func(b *testing.B) {
			board, _ := havannah.New(side)
			g := NewGame(board)
			s := mcts.New(g, NewEvaluator(g, 1, 1), mcts.Options{})
			b.ResetTimer()
			if err := s.Run(b.Context(), b.N); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sims/s")
			b.ReportMetric(float64(s.Nodes()), "nodes")
		})
	}
}
