package snake

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Floods reach what a walk from vertex to vertex does.
func TestFlood(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for d := MinDimension; d <= 11; d++ {
		r := Rules{Dimension: d}
		for range 50 {
			free := make([]uint64, r.words())
			for v := range r.Vertices() {
				if rng.Float64() < 2/float64(d) {
					free[v>>6] |= 1 << (v & 63)
				}
			}
			from := rng.Uint32N(uint32(r.Vertices()))
			want, n := make([]uint64, r.words()), 0
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
			got := make([]uint64, r.words())
			if k := flood(got, free, from); k != n || !slices.Equal(got, want) {
				t.Fatalf("dimension %d: %d vertices %x, want %d %x", d, k, got, n, want)
			}
		}
	}
}

// The longest snakes of small cubes, which are known from exhaustive search.
func TestBeam(t *testing.T) {
	for _, c := range []struct{ dimension, width, length int }{
		{3, 10, 4}, {4, 10, 7}, {5, 100, 13}, {6, 5000, 26},
	} {
		s := Settings{Rules: Rules{Dimension: c.dimension}, Algorithm: BeamSearch, Width: c.width, Seed: 1}
		var want Sequence
		for _, threads := range []int{1, 3} {
			lengths := 0
			got, work, err := Beam(t.Context(), s, threads, func(p BeamProgress) { lengths = p.Length })
			if err != nil || Check(s.Rules, got) != nil || len(got) != c.length || lengths != c.length || work.Steps == 0 {
				t.Errorf("dimension %d: %d edges %v: %v", c.dimension, len(got), got, err)
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("dimension %d: %v on %d threads, %v on one", c.dimension, got, threads, want)
			}
		}
		// Primed with the beginning of what it found, it finds as much.
		s.Prime = want[:len(want)/2]
		if got, _, err := Beam(t.Context(), s, 2, nil); err != nil || len(got) != c.length || !slices.Equal(got[:len(s.Prime)], s.Prime) {
			t.Errorf("dimension %d, primed with %v: %v %v", c.dimension, s.Prime, got, err)
		}
	}
}

func TestHighest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		children := make([]child, 1+rng.IntN(300))
		for i := range children {
			children[i].rank = rng.Uint64()>>rng.IntN(40)<<8 | uint64(i%256) + uint64(i/256)<<62
		}
		n := 1 + rng.IntN(len(children))
		ranks := func(c []child) []uint64 {
			var r []uint64
			for _, x := range c {
				r = append(r, x.rank)
			}
			slices.Sort(r)
			return r
		}
		all := ranks(children)
		if got := ranks(highest(children, n)); !slices.Equal(got, all[len(all)-n:]) {
			t.Fatalf("%d highest of %v: %v", n, all, got)
		}
	}
}

func BenchmarkBeam(b *testing.B) {
	for _, c := range []struct{ dimension, width int }{{7, 20000}, {8, 20000}, {9, 5000}} {
		b.Run(fmt.Sprint(c.dimension, c.width), func(b *testing.B) {
			s := Settings{Rules: Rules{Dimension: c.dimension}, Algorithm: BeamSearch, Width: c.width, Seed: 1}
			var got Sequence
			for b.Loop() {
				got, _, _ = Beam(b.Context(), s, 1, nil)
			}
			b.ReportMetric(float64(len(got)), "edges")
		})
	}
}
