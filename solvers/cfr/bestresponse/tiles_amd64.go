package bestresponse

import "golang.org/x/sys/cpu"

// useAVX2 is a variable so that tests can compare both versions.
var useAVX2 = cpu.X86.HasAVX2

// portably runs f with the portable loops.
func portably(f func()) {
	before := useAVX2
	useAVX2 = false
	defer func() { useAVX2 = before }()
	f()
}

//go:noescape
func followAVX2(x *tile, order *uint64, hands int, reach, table *float32, width, columns int, path *uint32, length int)

//go:noescape
func addAVX2(all, by *tile, order *uint64, hands int, x *tile, twoCards bool)

//go:noescape
func valueAVX2(to *tile, order *uint64, hands int, all, by, own, pays *tile, mode opMode, twoCards bool)

//go:noescape
func joinAVX2(to, values *tile, hands int, mode opMode)

// follow sets x to the reach of the hands of an order after the actions of a path. Reach and
// the table start at the tile's lane.
func follow(x []tile, order []uint64, reach, table []float32, width, columns int, path []uint32) {
	if !useAVX2 {
		followGo(x, order, reach, table, width, columns, path)
		return
	}
	var first *uint32
	if len(path) > 0 {
		first = &path[0]
	}
	followAVX2(&x[0], &order[0], len(order), &reach[0], &table[0], width, columns, first, len(path))
}

// add adds the reach x of hands.
func (s *sums) add(order []uint64, x []tile) {
	if !useAVX2 {
		s.addGo(order, x)
		return
	}
	addAVX2(&s.all, &s.by[0], &order[0], len(order), &x[0], s.twoCards)
}

// value joins the pays times the sum over the hands that share no card with a hand with
// what is there. If own is nil, the sum leaves the reach of the same hand out; otherwise
// this is in own, and was subtracted once too often.
func (s *sums) value(to []tile, order []uint64, own []tile, pays *tile, mode opMode) {
	if !useAVX2 {
		s.valueGo(to, order, own, pays, mode)
		return
	}
	var first *tile
	if own != nil && s.twoCards {
		first = &own[0]
	}
	valueAVX2(&to[0], &order[0], len(order), &s.all, &s.by[0], first, pays, mode, s.twoCards)
}

// join joins values with what is there.
func join(to, values []tile, mode opMode) {
	if !useAVX2 {
		joinGo(to, values, mode)
		return
	}
	joinAVX2(&to[0], &values[0], len(to), mode)
}
