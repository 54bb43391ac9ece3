package cfrbr

import (
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// values are those of a part's segments for a player, on one board after another, in a tile of
// lanes.
type values struct {
	part    *segment.Part
	program *segment.Program
	lane    int // the first of the tile
	width   int // lanes of the round

	ends   *segment.Ends
	values [][]vectors.Tile // at ends, by number and place in the order
	hand   *segment.Values
}

// actor is a player that values its decisions.
type actor interface {
	// play returns the value of the hand at a place in the order.
	play(place int, v *segment.Values) vectors.Tile
}

// newValues returns the values of a player in a part, from a lane on, on boards that leave at
// most n hands.
func newValues(g *Game, number, player, hands, lane int) *values {
	part := &g.layout.Parts[number]
	v := &values{
		part: part, program: &part.Programs[player], lane: lane, width: g.layout.Widths[part.Round],
		ends: segment.NewEnds(part, player, hands, g.layout.Deck, g.layout.TwoCards),
		hand: segment.NewValues(part, player),
	}
	for range part.Values {
		v.values = append(v.values, make([]vectors.Tile, hands))
	}
	return v
}

// play values the ends of a board, as the opponent plays.
func (v *values) play(p *segment.Play) {
	for i := range v.program.Ends {
		v.ends.Value(&v.program.Ends[i], p, v.lane, func(number uint32) []vectors.Tile { return v.values[number] })
	}
}

// add adds the values of all hands of the order that was played last to a sum by hand and
// lane of the round. After has their values in the next round, by hand and
// lane of that round.
func (v *values) add(sum []float32, order []uint64, after []float32, a actor) {
	next := 0
	if v.part.Deals > 0 {
		next = len(after) / len(order)
	}
	for place, entry := range order {
		hand := int(entry & vectors.HandMask)
		for i, to := 0, v.hand.Ends(); i < len(to); i++ {
			to[i] = v.values[i][place]
		}
		v.hand.Deal(after[hand*next:], v.lane)
		value := a.play(place, v.hand)
		to := sum[hand*v.width+v.part.First+v.lane:]
		for l, x := range value {
			to[l] += x
		}
	}
}
