package contest

import (
	"testing"

	"gamebots/configs"
)

// BenchmarkShard plays shards of 1000 deals of Leduc between two strategies.
func BenchmarkShard(b *testing.B) {
	h := house()
	defer h.Close()
	a := configs.DefaultArena()
	a.Run = configs.Run{Name: "bench", Game: "leduc", Format: configs.OneMatch}
	a.Players = []configs.Entry{{Name: "a", Kind: kindTrained, Iterations: 100}, {Name: "b", Kind: kindTrained, Iterations: 50}}
	plan, err := h.Plan(&a)
	if err != nil {
		b.Fatal(err)
	}
	l, err := h.newHall(b.Context(), plan, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer l.close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.play(b.Context(), plan.At(0)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*2000)/b.Elapsed().Seconds(), "hands/s")
}
