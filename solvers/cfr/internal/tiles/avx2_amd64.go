package tiles

import "golang.org/x/sys/cpu"

// useAVX2 is a variable so that tests can compare both versions.
var useAVX2 = cpu.X86.HasAVX2

//go:noescape
func followAVX2(x *Tile, order *uint64, hands int, reach, table *float32, width, columns int, path *uint32, length int)

//go:noescape
func addAVX2(all, by *Tile, order *uint64, hands int, x *Tile, twoCards bool)

//go:noescape
func valueAVX2(to *Tile, order *uint64, hands int, all, by, own, pays *Tile, mode Mode, twoCards bool)

//go:noescape
func joinAVX2(to, values *Tile, hands int, mode Mode)

// Follow sets x to the reach of the hands of an order after the actions of a path. Reach and
// the table start at the tile's lane.
func Follow(x []Tile, order []uint64, reach, table []float32, width, columns int, path []uint32) {
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

// Add adds the reach x of hands.
func (s *Sums) Add(order []uint64, x []Tile) {
	if !useAVX2 {
		s.addGo(order, x)
		return
	}
	addAVX2(&s.All, &s.By[0], &order[0], len(order), &x[0], s.TwoCards)
}

// Value joins the pays times the sum over the hands that share no card with a hand with
// what is there. If own is nil, the sum leaves the reach of the same hand out; otherwise
// this is in own, and was subtracted once too often.
func (s *Sums) Value(to []Tile, order []uint64, own []Tile, pays *Tile, mode Mode) {
	if !useAVX2 {
		s.valueGo(to, order, own, pays, mode)
		return
	}
	var first *Tile
	if own != nil && s.TwoCards {
		first = &own[0]
	}
	valueAVX2(&to[0], &order[0], len(order), &s.All, &s.By[0], first, pays, mode, s.TwoCards)
}

// Join joins values with what is there.
func Join(to, values []Tile, mode Mode) {
	if !useAVX2 {
		joinGo(to, values, mode)
		return
	}
	joinAVX2(&to[0], &values[0], len(to), mode)
}
