package beam

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/solvers/nmcs/snake/cube"
)

// TestRank ranks paths that reach more vertices higher, in all dimensions.
func TestRank(t *testing.T) {
	for d := cube.MinDimension; d <= cube.MaxDimension; d++ {
		s := &search{Problem: &Problem{Dimension: d}}
		for reached := 1; reached < (cube.Rules{Dimension: d}).Vertices(); reached *= 2 {
			if s.rank(reached-1, ^uint64(0)) >= s.rank(reached, 0) {
				t.Errorf("dimension %d: %d vertices rank below %d", d, reached, reached-1)
			}
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
