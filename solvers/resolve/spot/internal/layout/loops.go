package layout

import (
	"unsafe"
)

// The portable versions of the loops over the rows of tiles. On amd64 the same is done with
// AVX2 where the processor has it, to the same bits.

// ascendGo adds the reach of the other player's hands to the sums, from the worst group of hands to the
// best. It sets the values of each group to its payoff against weaker hands and against hands that
// are not stronger.
func (t *Tiles) ascendGo(groups []Group, own *Hands, other []Hole, worse, notBetter *tileRow) {
	var none tileRow
	i, j := 0, 0
	for _, g := range groups {
		for x := i; x < int(g.Own); x++ {
			t.sums.without(&t.values[x], own.Holes[x], &none, worse, false)
		}
		t.addGo(other[:g.Other], j)
		for ; i < int(g.Own); i++ {
			t.sums.without(&t.values[i], own.Holes[i], &t.reach[own.Same[i]], notBetter, true)
		}
		j = int(g.Other)
	}
}

// without sets or adds pays times the sum over the hands that share no card with a hand. The
// reach of the same hand, if it is in the sum, was in those of both its cards.
func (s *sums) without(value *tileRow, h Hole, same, pays *tileRow, add bool) {
	a, b := &s.by[h[0]], &s.by[h[1]]
	for l := range value {
		x := float32((s.all[l] - a[l] - b[l] + same[l]) * pays[l])
		if add {
			x += value[l]
		}
		value[l] = x
	}
}

// addGo adds the reach of the hands from one on to the sums.
func (t *Tiles) addGo(holes []Hole, from int) {
	for j, h := range holes[from:] {
		a, b := &t.sums.by[h[0]], &t.sums.by[h[1]]
		for l, x := range &t.reach[from+j] {
			t.sums.all[l] += x
			a[l] += x
			b[l] += x
		}
	}
}

// totalGo sets or adds pays times the reach of the hands that share no card with a hand.
func (t *Tiles) totalGo(own *Hands, pays *tileRow, add bool) {
	for i, h := range own.Holes {
		t.sums.without(&t.values[i], h, &t.reach[own.Same[i]], pays, add)
	}
}

// transposeInGo sets rows to vectors of a width, one a lane.
func transposeInGo(rows []tileRow, from *[Lanes]*float32, width, lanes int) {
	for l := range lanes {
		for i, x := range unsafe.Slice(from[l], width) {
			rows[i][l] = x
		}
	}
}

// transposeOutGo sets vectors of a width to the rows, one a lane.
func transposeOutGo(rows []tileRow, to *[Lanes]*float32, width, lanes int) {
	for l := range lanes {
		vector := unsafe.Slice(to[l], width)
		for i := range vector {
			vector[i] = rows[i][l]
		}
	}
}
