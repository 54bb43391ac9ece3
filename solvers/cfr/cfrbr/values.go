package cfrbr

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/internal/tiles"
)

// values are those of a round's segments for a player, on one board after another, a tile of
// lanes at a time.
type values struct {
	part    *pcsgpu.Part
	program *pcsgpu.Program
	lane    int // the first of the tile

	ends   *pcs.Ends
	values [][]tiles.Tile // at ends, by number and place in the order

	of         []tiles.Tile // of a hand, by number
	alternates []tiles.Tile // of the actions of a decision
}

// decider says what a player does.
type decider interface {
	// begin is called for the hand at each place in the order.
	begin(place int)
	// decide returns the value of a decision for the hand, from the values of its actions.
	decide(decision int, d *pcsgpu.Decision, actions []tiles.Tile) tiles.Tile
}

func newValues(g *pcsgpu.Game, r, player, hands int) *values {
	part := &g.Parts[r]
	v := &values{part: part, program: &part.Programs[player], ends: pcs.NewEnds(g, r, player, hands)}
	for range v.program.Values {
		v.values = append(v.values, make([]tiles.Tile, hands))
	}
	v.of = make([]tiles.Tile, v.program.Values+part.Deals+len(v.program.Decisions))
	v.alternates = make([]tiles.Tile, pcsgpu.MaxActions)
	return v
}

// play values the ends of a board, as the opponent plays.
func (v *values) play(p *pcs.Play) {
	for i := range v.program.Ends {
		v.ends.Value(&v.program.Ends[i], p, v.lane, func(number uint32) []tiles.Tile { return v.values[number] })
	}
}

// add adds the values of all hands of the order that was played last to a sum by hand and
// lane, from the tile's first lane on. After has their values in the next round, by hand and
// lane of that round.
func (v *values) add(sum []float32, order []uint64, after []float32, d decider) {
	next := 0
	if v.part.Deals > 0 {
		next = len(after) / len(order)
	}
	for place, entry := range order {
		hand := int(entry & tiles.HandMask)
		d.begin(place)
		value := v.hand(place, after[hand*next:], d)
		for l, x := range value {
			sum[hand*v.part.Width+l] += x
		}
	}
}

// hand returns the value of the hand at a place in the order.
func (v *values) hand(place int, after []float32, d decider) tiles.Tile {
	for i := range v.values {
		v.of[i] = v.values[i][place]
	}
	for deal := range v.part.Deals {
		to := &v.of[v.program.Values+deal]
		for l, next := range v.part.Next[deal*v.part.Width+v.lane:][:tiles.Lanes] {
			if to[l] = 0; next != pcsgpu.None {
				to[l] = after[next]
			}
		}
	}
	for i := range v.program.Decisions {
		decision := &v.program.Decisions[i]
		actions := v.alternates[:decision.Actions]
		for a := range actions {
			actions[a] = tiles.SumOf(v.of, &v.program.Columns[int(decision.Column)+a])
		}
		v.of[v.program.Values+v.part.Deals+i] = d.decide(i, decision, actions)
	}
	return tiles.SumOf(v.of, &v.program.Root)
}
