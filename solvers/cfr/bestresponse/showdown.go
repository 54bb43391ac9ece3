package bestresponse

// tile is a value of tileLanes lanes.
type tile [tileLanes]float32

// showdowns values the last round on one board after another, a tile of lanes at a time.
// Sums are in 32 bits, in the order of the hands' ranks. The GPU's kernel, boards.cu of
// kernels/br, does the same operations in the same order.
type showdowns struct {
	*round
	twoCards bool
	x        []tile // reach by position in the order
	total    sums   // of all hands
	ranked   sums   // of the worse hands, less those of the better ones
	slots    [][]tile
}

// sums are sums of reach.
type sums struct {
	all tile
	by  []tile // over the hands with a card
}

func newShowdowns(r *round, d *deck) *showdowns {
	s := &showdowns{round: r, twoCards: d.game.NumHoleCards == 2, x: make([]tile, len(d.holes))}
	s.total.by, s.ranked.by = make([]tile, len(d.cards)), make([]tile, len(d.cards))
	for range r.slots {
		s.slots = append(s.slots, make([]tile, len(d.holes)))
	}
	return s
}

// value returns the values of a tile of lanes from lane on, by position in a board's order.
// Reach is by hand and lane.
func (s *showdowns) value(order []uint64, reach []float32, lane int) []tile {
	for i := range s.ops {
		o := &s.ops[i]
		if o.kind == opJoin {
			for k := range order {
				join(&s.slots[o.slot][k], &s.slots[o.arg][k], o.mode)
			}
			continue
		}
		clear(s.total.by)
		s.total.all = tile{}
		for k, entry := range order {
			s.reached(entry, reach, lane, o, &s.x[k])
			s.add(&s.total, entry, &s.x[k])
		}
		if o.kind == opFold {
			for k, entry := range order {
				value := s.folded(entry, lane, o.arg, &s.x[k])
				join(&s.slots[o.slot][k], &value, o.mode)
			}
			continue
		}
		s.rank(order, lane, o)
	}
	return s.slots[0]
}

// reached sets x to the reach of a hand after an operation's path.
func (s *showdowns) reached(entry uint64, reach []float32, lane int, o *op, x *tile) {
	copy(x[:], reach[int(entry&handMask)*s.width+lane:])
	for _, column := range o.path {
		p := (*tile)(s.table[(int(entry>>bucketBit)*s.columns+int(column))*s.width+lane:])
		for l := range x {
			x[l] *= p[l]
		}
	}
}

// add adds the reach of a hand to sums.
func (s *showdowns) add(to *sums, entry uint64, x *tile) {
	first, second := &to.by[entry>>handBits&cardMask], &to.by[entry>>secondBit&cardMask]
	for l, reach := range x {
		to.all[l] += reach
		first[l] += reach
	}
	if s.twoCards {
		for l, reach := range x {
			second[l] += reach
		}
	}
}

// without returns the sum over the hands that share no card with a hand, less that hand's
// own reach if it is in the sums.
func (s *showdowns) without(from *sums, entry uint64) (sum tile) {
	first, second := &from.by[entry>>handBits&cardMask], &from.by[entry>>secondBit&cardMask]
	if !s.twoCards {
		for l := range sum {
			sum[l] = from.all[l] - first[l]
		}
		return sum
	}
	for l := range sum {
		sum[l] = from.all[l] - first[l] - second[l]
	}
	return sum
}

// folded returns the value of a fold for a hand with a reach x.
func (s *showdowns) folded(entry uint64, lane int, pay uint32, x *tile) tile {
	value := s.without(&s.total, entry)
	if s.twoCards { // its own reach was subtracted twice
		for l := range value {
			value[l] += x[l]
		}
	}
	s.scale(&value, lane, pay)
	return value
}

func (s *showdowns) scale(value *tile, lane int, pay uint32) {
	for l := range value {
		value[l] *= s.pays[pay][lane+l]
	}
}

// rank stores the values of a showdown, or of the better one of folding and a showdown. The
// reach of the hands of a rank is added twice, once before their values are computed, so
// that worse and better hands have the signs of their showdowns, and hands of the same rank
// have none.
func (s *showdowns) rank(order []uint64, lane int, o *op) {
	negate(&s.ranked.all, &s.total.all)
	for c := range s.total.by {
		negate(&s.ranked.by[c], &s.total.by[c])
	}
	for from := 0; from < len(order); {
		to := from + int(order[from]>>tiesBit&tiesMask)
		for k := from; k < to; k++ {
			s.add(&s.ranked, order[k], &s.x[k])
		}
		for k := from; k < to; k++ {
			value := s.without(&s.ranked, order[k])
			s.scale(&value, lane, o.arg)
			if o.kind == opCall {
				folded := s.folded(order[k], lane, o.fold, &s.x[k])
				join(&value, &folded, modeMax)
			}
			join(&s.slots[o.slot][k], &value, o.mode)
		}
		for ; from < to; from++ {
			s.add(&s.ranked, order[from], &s.x[from])
		}
	}
}

func negate(to, x *tile) {
	for l, v := range x {
		to[l] = -v
	}
}

// join stores a value, adds it, or keeps the larger one.
func join(to, value *tile, mode opMode) {
	switch mode {
	case modeSet:
		*to = *value
	case modeMax:
		for l, v := range value {
			if v > to[l] {
				to[l] = v
			}
		}
	case modeSum:
		for l, v := range value {
			to[l] += v
		}
	}
}
