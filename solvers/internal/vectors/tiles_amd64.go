package vectors

//go:noescape
func followAVX2(x *Tile, order *uint64, hands int, reach *float32, reachWidth int, table *float32, width, columns int,
	path *uint32, length int)

//go:noescape
func addAVX2(all, by *Tile, order *uint64, hands int, x *Tile, twoCards bool)

//go:noescape
func valueAVX2(to *Tile, order *uint64, hands int, all, by, own, pays *Tile, mode Mode, twoCards bool)

//go:noescape
func sweepAVX2(to *Tile, order *uint64, hands int, all, by, x, pays *Tile, twoCards bool)

//go:noescape
func joinAVX2(to, values *Tile, hands int, mode Mode)

//go:noescape
func decideAVX2(mean, values *Tile, actions *[]uint32, n int, sigma, gains, each *Tile)

// Follow sets x to the reach of the hands of an order after the actions of a path. Reach and
// the table start at the tile's lane, and have widths of their own. An empty path needs no table.
func Follow(x []Tile, order []uint64, reach []float32, reachWidth int, table []float32, width, columns int,
	path []uint32) {
	if !UseAVX2 {
		followGo(x, order, reach, reachWidth, table, width, columns, path)
		return
	}
	var first *uint32
	var start *float32
	if len(path) > 0 {
		first, start = &path[0], &table[0]
	}
	followAVX2(&x[0], &order[0], len(order), &reach[0], reachWidth, start, width, columns, first, len(path))
}

// Add adds the reach x of hands.
func (s *Sums) Add(order []uint64, x []Tile) {
	if !UseAVX2 {
		s.addGo(order, x)
		return
	}
	addAVX2(&s.All, &s.By[0], &order[0], len(order), &x[0], s.TwoCards)
}

// Value joins the pays times the sum over the hands that share no card with a hand with
// what is there. If own is nil, the sum leaves the reach of the same hand out; otherwise
// this is in own, and was subtracted once too often.
func (s *Sums) Value(to []Tile, order []uint64, own []Tile, pays *Tile, mode Mode) {
	if !UseAVX2 {
		s.valueGo(to, order, own, pays, mode)
		return
	}
	var first *Tile
	if own != nil && s.TwoCards {
		first = &own[0]
	}
	valueAVX2(&to[0], &order[0], len(order), &s.All, &s.By[0], first, pays, mode, s.TwoCards)
}

func (s *Sums) sweep(to []Tile, order []uint64, x []Tile, pays *Tile) {
	if !UseAVX2 {
		s.sweepGo(to, order, x, pays)
		return
	}
	sweepAVX2(&to[0], &order[0], len(order), &s.All, &s.By[0], &x[0], pays, s.TwoCards)
}

// Join joins values with those in to, in the way of mode.
func Join(to, values []Tile, mode Mode) {
	if !UseAVX2 {
		joinGo(to, values, mode)
		return
	}
	joinAVX2(&to[0], &values[0], len(to), mode)
}

// Decide sets mean to the value of a decision at which actions are played with probabilities
// sigma, and adds to gains by how much each is better. The value of an action is the sum of some
// values.
func Decide(mean *Tile, values []Tile, actions [][]uint32, sigma, gains []Tile) {
	if !UseAVX2 {
		decideGo(mean, values, actions, sigma, gains)
		return
	}
	var each [MaxActions]Tile
	decideAVX2(mean, &values[0], &actions[0], len(actions), &sigma[0], &gains[0], &each[0])
}
