package havannah

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Random games, forth and back.
func BenchmarkPlayUndo(b *testing.B) {
	for _, side := range []int{4, 10} {
		b.Run(fmt.Sprint("side ", side), func(b *testing.B) {
			board := newBoard(b, side)
			moves := board.AppendMoves(nil)
			rng := rand.New(rand.NewPCG(1, 2))
			plies := 0
			for b.Loop() {
				rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
				for _, m := range moves {
					if board.Play(m) != nil {
						break
					}
				}
				plies += board.NumMoves()
				for board.Undo() {
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
		})
	}
}
