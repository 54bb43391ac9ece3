package pcs

import "gamebots/cudalib/pcsgpu"

// end values ends of hands on a board for a player.
type end struct {
	layout  *pcsgpu.Game
	round   *pcsgpu.Round
	pays    []float32
	order   []uint32
	buckets []uint32
	reach   []float32 // of the opponent, by hand and lane
	table   []float32 // of the opponent
	columns int
	values  []float32 // by value, hand and lane

	x   []tile // reach at the end, by hand
	all tile   // sums of it over all hands
	by  []tile // and over those with a card
}

func newEnd(c *cpu, b *pcsgpu.Batch, r, player, board int) *end {
	g, round := &c.layout, &c.layout.Rounds[r]
	first, slots := board*g.Hands, round.Programs[player].Values+1
	opponent := &c.players[1-player]
	return &end{
		layout: g, round: round, pays: round.Programs[player].Pays,
		order: b.Order[first:][:g.Hands], buckets: b.Buckets[r*g.Boards*g.Hands+first:][:g.Hands],
		reach: c.reach[1-player][r][first*round.Width:], table: opponent.strategy[r], columns: round.Columns[1-player],
		values: c.values[r][first*slots*round.Width:],
		x:      make([]tile, g.Hands), by: make([]tile, g.Deck+1),
	}
}

// value values an end in a tile of lanes.
func (s *end) value(e *pcsgpu.End, lane int) {
	clear(s.by)
	s.all = tile{}
	for hand := range s.order {
		s.reached(e, hand, lane)
	}
	s.add(0, len(s.order))
	if e.Fold != pcsgpu.None {
		for hand := range s.order {
			value := s.without(hand)
			if s.layout.TwoCards { // its own reach was subtracted twice
				for l := range value {
					value[l] += s.x[hand][l]
				}
			}
			s.store(e.Fold, hand, lane, &value)
		}
	}
	if e.Showdown != pcsgpu.None {
		s.showdown(e.Showdown, lane)
	}
}

// reached computes the reach of a hand at an end.
func (s *end) reached(e *pcsgpu.End, hand, lane int) {
	x := &s.x[hand]
	copy(x[:], s.reach[hand*s.round.Width+lane:])
	for _, column := range e.Path[:e.Length] {
		for l, p := range s.table[(int(s.buckets[hand])*s.columns+int(column))*s.round.Width+lane:][:tileLanes] {
			x[l] *= p
		}
	}
}

// add adds the reach of some hands to the sums.
func (s *end) add(from, to int) {
	for hand := from; hand < to; hand++ {
		first, second := s.cards(hand)
		for l, x := range s.x[hand] {
			s.all[l] += x
			first[l] += x
		}
		if s.layout.TwoCards {
			for l, x := range s.x[hand] {
				second[l] += x
			}
		}
	}
}

// cards returns the sums over the hands with each card of a hand.
func (s *end) cards(hand int) (first, second *tile) {
	entry := s.order[hand]
	return &s.by[entry&cardMask], &s.by[entry>>cardBits&cardMask]
}

// without returns the sum over the hands that share no card with a hand, less that hand's own
// reach if it is in the sums.
func (s *end) without(hand int) (sum tile) {
	first, second := s.cards(hand)
	for l := range sum {
		sum[l] = s.all[l] - first[l] - second[l]
	}
	return sum
}

// store stores a value in chips.
func (s *end) store(number uint32, hand, lane int, value *tile) {
	pays := s.pays[int(number)*s.round.Width+lane:][:tileLanes]
	to := s.values[(int(number)*s.layout.Hands+hand)*s.round.Width+lane:][:tileLanes]
	for l, pay := range pays {
		to[l] = value[l] * pay
	}
}

// showdown values a showdown, from the sums over all hands: by those of worse hands less those
// of better ones. The reach of the hands of a rank is added twice, once before their values
// are computed, so that hands of the same rank have none.
func (s *end) showdown(number uint32, lane int) {
	negate(&s.all)
	for c := range s.by {
		negate(&s.by[c])
	}
	for from := 0; from < len(s.order); {
		to := from + int(s.order[from]>>tiesBit)
		s.add(from, to)
		for hand := from; hand < to; hand++ {
			value := s.without(hand)
			s.store(number, hand, lane, &value)
		}
		s.add(from, to)
		from = to
	}
}

func negate(x *tile) {
	for l := range x {
		x[l] = -x[l]
	}
}
