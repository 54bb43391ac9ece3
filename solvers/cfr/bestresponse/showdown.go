package bestresponse

// tile is a value of tileLanes lanes.
type tile [tileLanes]float32

// showdowns values the last round on one board after another, a tile of lanes at a time.
// Sums are in 32 bits, in the order of the hands' ranks. The GPU's kernel, boards.cu of
// kernels/br, does the same operations in the same order.
type showdowns struct {
	*round
	x      []tile // reach by position in the order
	total  sums   // of all hands
	ranked sums   // of the worse hands, less those of the better ones
	slots  [][]tile
}

// sums are sums of reach.
type sums struct {
	twoCards bool
	all      tile
	by       []tile // over the hands with a card
}

func newShowdowns(r *round, d *deck) *showdowns {
	s := &showdowns{round: r, x: make([]tile, len(d.holes))}
	for _, to := range []*sums{&s.total, &s.ranked} {
		to.twoCards, to.by = d.game.NumHoleCards == 2, make([]tile, len(d.cards))
	}
	for range r.slots {
		s.slots = append(s.slots, make([]tile, len(d.holes)))
	}
	return s
}

// value returns the values of a tile of lanes from lane on, by position in a board's order.
// Reach is by hand and lane.
func (s *showdowns) value(order []uint64, reach []float32, lane int) []tile {
	x := s.x[:len(order)]
	for i := range s.ops {
		o := &s.ops[i]
		to := s.slots[o.slot][:len(order)]
		if o.kind == opJoin {
			join(to, s.slots[o.arg], o.mode)
			continue
		}
		follow(x, order, reach[lane:], s.table[lane:], s.width, s.columns, o.path)
		clear(s.total.by)
		s.total.all = tile{}
		s.total.add(order, x)
		if o.kind == opFold {
			s.total.value(to, order, x, (*tile)(s.pays[o.arg][lane:]), o.mode)
			continue
		}
		s.rank(to, order, x, lane, o)
	}
	return s.slots[0]
}

// rank stores the values of a showdown, or of the better one of folding and a showdown. The
// reach of the hands of a rank is added twice, once before their values are computed, so
// that worse and better hands have the signs of their showdowns, and hands of the same rank
// have none.
func (s *showdowns) rank(to []tile, order []uint64, x []tile, lane int, o *op) {
	negate(&s.ranked.all, &s.total.all)
	for c := range s.total.by {
		negate(&s.ranked.by[c], &s.total.by[c])
	}
	for len(order) > 0 {
		ties := int(order[0] >> tiesBit & tiesMask)
		s.ranked.add(order[:ties], x[:ties])
		s.ranked.value(to[:ties], order[:ties], nil, (*tile)(s.pays[o.arg][lane:]), o.mode)
		if o.kind == opCall {
			s.total.value(to[:ties], order[:ties], x[:ties], (*tile)(s.pays[o.fold][lane:]), modeMax)
		}
		s.ranked.add(order[:ties], x[:ties])
		to, order, x = to[ties:], order[ties:], x[ties:]
	}
}

func negate(to, x *tile) {
	for l, v := range x {
		to[l] = -v
	}
}
