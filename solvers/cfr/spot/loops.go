package spot

import "unsafe"

// The portable versions of the loops over the rows of tiles. On amd64 the same is done with
// AVX2 where the processor has it, to the same bits.

// ascendGo adds, from the worst group of hands to the best, pays times the reach of the
// hands that are worse. It sets the values, and descendGo adds to them.
func (t *tiles) ascendGo(groups []group, own, other []hole, pays *tileRow) {
	i, j := 0, 0
	for _, g := range groups {
		for ; i < int(g.own); i++ {
			t.sums.below(&t.values[i], own[i], pays, false)
		}
		t.addGo(other[:g.other], j)
		j = int(g.other)
	}
}

// descendGo is ascendGo from the best group to the worst.
func (t *tiles) descendGo(groups []group, own, other []hole, pays *tileRow) {
	for k := len(groups) - 1; k >= 0; k-- {
		var from group
		if k > 0 {
			from = groups[k-1]
		}
		for i := int(from.own); i < int(groups[k].own); i++ {
			t.sums.below(&t.values[i], own[i], pays, true)
		}
		t.addGo(other[:groups[k].other], int(from.other))
	}
}

// below sets or adds pays times the sum over the hands that share no card with a hand.
func (s *sums) below(value *tileRow, h hole, pays *tileRow, add bool) {
	a, b := &s.by[h[0]], &s.by[h[1]]
	for l := range value {
		x := float32((s.all[l] - a[l] - b[l]) * pays[l])
		if add {
			x += value[l]
		}
		value[l] = x
	}
}

// addGo adds the reach of the hands from one on to the sums.
func (t *tiles) addGo(holes []hole, from int) {
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
// The hand itself is in the sums of both its cards.
func (t *tiles) totalGo(own *hands, pays *tileRow, add bool) {
	for i, h := range own.holes {
		a, b, same, value := &t.sums.by[h[0]], &t.sums.by[h[1]], &t.reach[own.same[i]], &t.values[i]
		for l := range value {
			x := float32((t.sums.all[l] - a[l] - b[l] + same[l]) * pays[l])
			if add {
				x += value[l]
			}
			value[l] = x
		}
	}
}

// transposeInGo sets rows to vectors of a width, one a lane.
func transposeInGo(rows []tileRow, from *[lanes]*float32, width, lanes int) {
	for l := range lanes {
		for i, x := range unsafe.Slice(from[l], width) {
			rows[i][l] = x
		}
	}
}

// transposeOutGo sets vectors of a width to the rows, one a lane.
func transposeOutGo(rows []tileRow, to *[lanes]*float32, width, lanes int) {
	for l := range lanes {
		vector := unsafe.Slice(to[l], width)
		for i := range vector {
			vector[i] = rows[i][l]
		}
	}
}
