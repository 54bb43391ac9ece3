package cube

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFlood compares with a breadth-first search.
func TestFlood(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for d := MinDimension; d <= 11; d++ {
		r := Rules{Dimension: d}
		for range 50 {
			free := make([]uint64, r.Words())
			for v := range r.Vertices() {
				if rng.Float64() < 2/float64(d) {
					free[v>>6] |= 1 << (v & 63)
				}
			}
			from := rng.Uint32N(uint32(r.Vertices()))
			want, n := make([]uint64, r.Words()), 0
			for queue := []uint32{from}; len(queue) > 0; {
				v := queue[0]
				queue = queue[1:]
				for m := range d {
					if u := v ^ 1<<m; free[u>>6]&^want[u>>6]>>(u&63)&1 != 0 {
						want[u>>6] |= 1 << (u & 63)
						queue = append(queue, u)
						n++
					}
				}
			}
			got := make([]uint64, r.Words())
			if k := Flood(got, free, from); k != n || !slices.Equal(got, want) {
				t.Fatalf("dimension %d: %d vertices %x, want %d %x", d, k, got, n, want)
			}
		}
	}
}
