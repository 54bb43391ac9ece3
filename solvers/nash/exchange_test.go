package nash

import (
	"math/bits"
	"slices"
	"sync/atomic"
	"testing"
)

// Every support is on the way of a cover, or differs in one column from one that is.
func TestCover(t *testing.T) {
	for n := 2; n <= 11; n++ {
		for k := 1; k < n; k++ {
			var way []uint32
			for _, part := range newCover(n, k) {
				places := [2][]uint8{}
				for c := range n {
					in := part.start >> c & 1
					places[in] = append(places[in], uint8(c))
				}
				at := part.start
				way = append(way, at)
				for _, e := range part.steps {
					out, in := places[1][e.out], places[0][e.in]
					places[1][e.out], places[0][e.in] = in, out
					at ^= 1<<out | 1<<in
					way = append(way, at)
				}
			}
			for _, set := range subsets(n, k) {
				near := func(on uint32) bool { return bits.OnesCount32(on&^uint32(set)) <= 1 }
				if !slices.ContainsFunc(way, near) {
					t.Errorf("%d of %d columns: %b is not covered", k, n, set)
				}
			}
			if got, each := len(way), k*(n-k)+1; got < int(binomial(n, k))/each {
				t.Errorf("%d of %d columns: %d supports cover %d, each %d", k, n, got, binomial(n, k), each)
			}
		}
	}
}

// What tableaux tell is what solving for each pair does.
func TestExchangeWalk(t *testing.T) {
	g := random(t, 9, 10, 3)
	p := newProver(g)
	var part atomic.Uint64
	for k := 1; k <= 9; k++ {
		var found [][2]uint64
		leaf := func(rows, cols uint64) { found = append(found, [2]uint64{rows, cols}) }
		s := &supportSearch{rows: 9, cols: 10, a: p.a.floats(), bt: p.bt.floats(), leaf: leaf, progress: &part}
		w := newExchangeWalk(s, k, newCover(10, k))
		for _, rows := range subsets(9, k) {
			found = nil
			w.below(rows)
			read, anew := found, w.doubts
			found, w.seen = nil, nil
			for i := range w.cover {
				w.again(&w.cover[i])
			}
			byColumns := func(a, b [2]uint64) int { return int(a[1]) - int(b[1]) }
			slices.SortFunc(read, byColumns)
			slices.SortFunc(found, byColumns)
			if !slices.Equal(read, found) {
				t.Errorf("k = %d, rows %b: %b, want %b", k, rows, read, found)
			}
			if all := w.doubts - anew; anew > all/2 {
				t.Errorf("k = %d, rows %b: %d pairs were solved anew, all %d", k, rows, anew, all)
			}
			w.doubts = 0
		}
	}
}
