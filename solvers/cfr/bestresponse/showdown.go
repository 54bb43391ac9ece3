package bestresponse

// tile is a value of tileLanes lanes.
type tile [tileLanes]float32

// showdowns values the last round on one board after another, a tile of lanes at a time.
// Sums are in 32 bits, in the order of the hands' ranks. The GPU's kernel, public.cu of
// kernels/br, does the same operations in the same order.
type showdowns struct {
	*round
	twoCards bool
	by       [][tileLanes]float32 // reach by card
	before   []tile               // by hand of the board, see opCall
	slots    [][]tile
	x        tile
}

func newShowdowns(r *round, d *deck) *showdowns {
	s := &showdowns{round: r, twoCards: d.game.NumHoleCards == 2, by: make([][tileLanes]float32, len(d.cards)), before: make([]tile, len(d.holes))}
	for range r.slots {
		s.slots = append(s.slots, make([]tile, len(d.holes)))
	}
	return s
}

// value returns the values of a tile of lanes from lane on, by position in the board's
// order. Reach is by hand and lane.
func (s *showdowns) value(b *river, reach []float32, lane int) []tile {
	for i := range s.ops {
		o := &s.ops[i]
		switch o.kind {
		case opJoin:
			for k := range b.order {
				join(&s.slots[o.slot][k], &s.slots[o.arg][k], o.mode)
			}
		case opFold:
			all := s.sum(b, reach, lane, o)
			for k := range b.order {
				s.fold(b, reach, lane, o, k, &all)
			}
		default:
			all := s.compare(b, reach, lane, o)
			for k := range b.order {
				s.show(b, reach, lane, o, k, &all)
			}
		}
	}
	return s.slots[0]
}

// reached sets x to the reach of the hand at position k after a path.
func (s *showdowns) reached(b *river, reach []float32, lane int, o *op, k int) *tile {
	x := &s.x
	copy(x[:], reach[int(b.order[k]&handMask)*s.width+lane:])
	for _, column := range o.path {
		p := (*tile)(s.table[(int(b.order[k]>>bucketBit)*s.columns+int(column))*s.width+lane:])
		for l := range x {
			x[l] *= p[l]
		}
	}
	return x
}

// cards returns the sums of reach over the hands with each card of the hand at position k.
func (s *showdowns) cards(b *river, k int) (first, second *[tileLanes]float32) {
	return &s.by[b.order[k]>>handBits&cardMask], &s.by[b.order[k]>>secondBit&cardMask]
}

// add adds the reach of the hand at position k to the sums.
func (s *showdowns) add(b *river, k int, x, all *tile) {
	first, second := s.cards(b, k)
	for l, reach := range x {
		all[l] += reach
		first[l] += reach
	}
	if s.twoCards {
		for l, reach := range x {
			second[l] += reach
		}
	}
}

// without returns the sum over the hands that share no card with the hand at position k,
// less that hand's own reach if it is in the sums.
func (s *showdowns) without(b *river, k int, all *tile) (sum tile) {
	first, second := s.cards(b, k)
	if !s.twoCards {
		for l := range sum {
			sum[l] = all[l] - first[l]
		}
		return sum
	}
	for l := range sum {
		sum[l] = all[l] - first[l] - second[l]
	}
	return sum
}

// sum adds the reach of all hands.
func (s *showdowns) sum(b *river, reach []float32, lane int, o *op) (all tile) {
	clear(s.by)
	for k := range b.order {
		s.add(b, k, s.reached(b, reach, lane, o, k), &all)
	}
	return all
}

// fold stores the value of a fold.
func (s *showdowns) fold(b *river, reach []float32, lane int, o *op, k int, all *tile) {
	value := s.against(b, reach, lane, o, k, s.without(b, k, all))
	for l := range value {
		value[l] *= s.pays[o.arg][lane+l]
	}
	join(&s.slots[o.slot][k], &value, o.mode)
}

// against returns the reach of all hands that a hand can meet, from without.
func (s *showdowns) against(b *river, reach []float32, lane int, o *op, k int, without tile) tile {
	if s.twoCards { // its own reach was subtracted twice
		for l, x := range s.reached(b, reach, lane, o, k) {
			without[l] += x
		}
	}
	return without
}

// compare sets before to the sum of the reach of worse hands and of hands that are not
// better, and returns the sum over all. A hand's own reach is missing in the second.
func (s *showdowns) compare(b *river, reach []float32, lane int, o *op) (all tile) {
	clear(s.by)
	for from := 0; from < len(b.order); {
		to := from
		for ; to < len(b.order) && (to == from || b.order[to]&higher == 0); to++ {
			s.before[to] = s.without(b, to, &all)
		}
		for k := from; k < to; k++ {
			s.add(b, k, s.reached(b, reach, lane, o, k), &all)
		}
		for ; from < to; from++ {
			sum := s.without(b, from, &all)
			for l, x := range sum {
				s.before[from][l] += x
			}
		}
	}
	return all
}

// show stores the value of a showdown, or of the better one of folding and a showdown. The
// hand's own reach, which is missing in both sums, cancels out.
func (s *showdowns) show(b *river, reach []float32, lane int, o *op, k int, all *tile) {
	without := s.without(b, k, all)
	value := s.before[k]
	for l := range value {
		value[l] = (value[l] - without[l]) * s.pays[o.arg][lane+l]
	}
	if o.kind == opCall {
		folded := s.against(b, reach, lane, o, k, without)
		for l := range folded {
			folded[l] *= s.pays[o.fold][lane+l]
		}
		join(&value, &folded, modeMax)
	}
	join(&s.slots[o.slot][k], &value, o.mode)
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
