package supports

import (
	"math/bits"
	"slices"
	"testing"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/verify"
)

// Every support is on a covering walk or one exchange away from it.
func TestCoveringWalk(t *testing.T) {
	for n := 2; n <= 11; n++ {
		for k := 1; k < n; k++ {
			var way []uint32
			for _, part := range newCoveringWalk(n, k) {
				columns := [2][]uint8{}
				for c := range n {
					in := part.start >> c & 1
					columns[in] = append(columns[in], uint8(c))
				}
				at := part.start
				way = append(way, at)
				for _, e := range part.steps {
					out, in := columns[1][e.out], columns[0][e.in]
					columns[1][e.out], columns[0][e.in] = in, out
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

// Reading tableaux finds the same candidates as solving each pair by itself.
func TestExchangeSearch(t *testing.T) {
	g, err := game.Generate(game.Recipe{Family: "RandomGame", Rows: 9, Cols: 10, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	v := verify.New(g)
	for k := 1; k <= 9; k++ {
		var found [][2]uint64
		s := newSearch(v,
			Options{OnCandidate: func(rows, cols uint64) { found = append(found, [2]uint64{rows, cols}) }})
		w := newExchangeSearch(s, k, newCoveringWalk(10, k))
		for _, rows := range subsets(9, k) {
			found = nil
			w.searchColumns(rows)
			read, alone := found, w.undecided
			found, w.seen = nil, nil
			for i := range w.walk {
				w.solveSegment(&w.walk[i])
			}
			byColumns := func(a, b [2]uint64) int { return int(a[1]) - int(b[1]) }
			slices.SortFunc(read, byColumns)
			slices.SortFunc(found, byColumns)
			if !slices.Equal(read, found) {
				t.Errorf("k = %d, rows %b: %b, want %b", k, rows, read, found)
			}
			if all := w.undecided - alone; alone > all/2 {
				t.Errorf("k = %d, rows %b: %d pairs were solved by themselves, all %d", k, rows, alone, all)
			}
			w.undecided = 0
		}
	}
}
