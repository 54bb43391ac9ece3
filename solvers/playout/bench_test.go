package playout

import (
	"fmt"
	"testing"

	"gamebots/hexproto/havannah"
)

func BenchmarkPlay(b *testing.B) {
	for _, side := range []int{4, 6, 8, 10} {
		b.Run(fmt.Sprint("side ", side), func(b *testing.B) {
			board, err := havannah.New(side)
			if err != nil {
				b.Fatal(err)
			}
			s, err := NewStart(board, 0)
			if err != nil {
				b.Fatal(err)
			}
			var p Player
			var t Tally
			n := uint64(0)
			for b.Loop() {
				more := p.Play(s, 1, n, 100)
				t.Add(&more)
				n += 100
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "playouts/s")
			b.ReportMetric(b.Elapsed().Seconds()/float64(t.Plies)*1e9, "ns/ply")
			b.ReportMetric(t.Score(), "score")
		})
	}
}
