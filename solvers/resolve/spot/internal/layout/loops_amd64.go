package layout

import (
	"gamebots/solvers/internal/vectors"
)

//go:noescape
func ascendAVX2(
	values, reach *tileRow, sums *sums, own *Hole, same *uint16, other *Hole,
	groups *Group, n int, worse, notBetter *tileRow,
)

//go:noescape
func ascendAVX512(
	values, reach *tileRow, sums *sums, own *Hole, same *uint16, other *Hole,
	groups *Group, n int, worse, notBetter *tileRow,
)

//go:noescape
func addAVX2(reach *tileRow, sums *sums, holes *Hole, n int)

//go:noescape
func addAVX512(reach *tileRow, sums *sums, holes *Hole, n int)

//go:noescape
func totalAVX2(values, reach *tileRow, sums *sums, own *Hole, same *uint16, n int, pays *tileRow, add bool)

//go:noescape
func totalAVX512(values, reach *tileRow, sums *sums, own *Hole, same *uint16, n int, pays *tileRow, add bool)

//go:noescape
func transposeInAVX2(rows *float32, from **float32, width int)

//go:noescape
func transposeOutAVX2(rows *float32, to **float32, width int)

//go:noescape
func transposeInAVX512(rows *tileRow, from **float32, width int)

//go:noescape
func transposeOutAVX512(rows *tileRow, to **float32, width int)

//go:noescape
func unpackAVX2(to *float32, from *int16, scales *float32, actions, width int)

//go:noescape
func packAVX2(to *int16, scales, from *float32, actions, width int, threshold uint32)

// ascend adds the reach of all hands to the sums, and sets the values to the payoff against weaker
// hands and against hands that are not stronger.
func (t *Tiles) ascend(groups []Group, own *Hands, other []Hole, worse, notBetter *tileRow) {
	switch {
	case len(own.Holes) == 0 || len(other) == 0 || !vectors.UseAVX2:
		t.ascendGo(groups, own, other, worse, notBetter)
	case vectors.UseAVX512:
		ascendAVX512(&t.values[0], &t.reach[0], &t.sums, &own.Holes[0], &own.Same[0], &other[0],
			&groups[0], len(groups), worse, notBetter)
	default:
		ascendAVX2(&t.values[0], &t.reach[0], &t.sums, &own.Holes[0], &own.Same[0], &other[0],
			&groups[0], len(groups), worse, notBetter)
	}
}

// add adds the reach of hands to the sums.
func (t *Tiles) add(holes []Hole) {
	switch {
	case len(holes) == 0 || !vectors.UseAVX2:
		t.addGo(holes, 0)
	case vectors.UseAVX512:
		addAVX512(&t.reach[0], &t.sums, &holes[0], len(holes))
	default:
		addAVX2(&t.reach[0], &t.sums, &holes[0], len(holes))
	}
}

// total sets or adds pays times the reach of the hands that share no card with a hand.
func (t *Tiles) total(own *Hands, pays *tileRow, add bool) {
	switch n := len(own.Holes); {
	case n == 0 || !vectors.UseAVX2:
		t.totalGo(own, pays, add)
	case vectors.UseAVX512:
		totalAVX512(&t.values[0], &t.reach[0], &t.sums, &own.Holes[0], &own.Same[0], n, pays, add)
	default:
		totalAVX2(&t.values[0], &t.reach[0], &t.sums, &own.Holes[0], &own.Same[0], n, pays, add)
	}
}

// transposeIn sets the rows to vectors of a width, one a lane.
func transposeIn(rows []tileRow, from *[Lanes]*float32, width, used int) {
	switch {
	case !vectors.UseAVX2:
		transposeInGo(rows, from, width, used)
	case used <= Lanes/2:
		transposeInAVX2(&rows[0][0], &from[0], width)
	case vectors.UseAVX512:
		transposeInAVX512(&rows[0], &from[0], width)
	default:
		transposeInAVX2(&rows[0][0], &from[0], width)
		transposeInAVX2(&rows[0][Lanes/2], &from[Lanes/2], width)
	}
}

// transposeOut sets vectors of a width to the rows, one a lane.
func transposeOut(rows []tileRow, to *[Lanes]*float32, width, used int) {
	switch {
	case !vectors.UseAVX2:
		transposeOutGo(rows, to, width, used)
	case used <= Lanes/2:
		transposeOutAVX2(&rows[0][0], &to[0], width)
	case vectors.UseAVX512:
		transposeOutAVX512(&rows[0], &to[0], width)
	default:
		transposeOutAVX2(&rows[0][0], &to[0], width)
		transposeOutAVX2(&rows[0][Lanes/2], &to[Lanes/2], width)
	}
}

// unpack sets floats to integers times the scales of their blocks.
func unpack(to []float32, from []int16, scales []float32, actions, width int) {
	if !vectors.UseAVX2 {
		unpackGo(to, from, scales, actions, width)
		return
	}
	unpackAVX2(&to[0], &from[0], &scales[0], actions, width)
}

// pack sets integers, and the scales of their blocks, to floats. The threshold is that of the first.
func pack(to []int16, scales, from []float32, actions, width int, threshold uint32) {
	if !vectors.UseAVX2 {
		packGo(to, scales, from, actions, width, threshold)
		return
	}
	packAVX2(&to[0], &scales[0], &from[0], actions, width, threshold)
}
