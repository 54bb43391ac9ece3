package cfrbr

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/internal/tiles"
)

// values are those of a round's segments for a player, on one board after another, a tile of
// lanes at a time.
type values struct {
	game    *pcsgpu.Game
	round   *pcsgpu.Round
	program *pcsgpu.Program
	player  int
	lane    int // the first of the tile

	x      []tiles.Tile   // the opponent's reach at an end, by place in the order
	sums   tiles.Sums     // of it, over all hands
	ranked tiles.Sums     // over the worse hands, less that over the better ones
	ends   [][]tiles.Tile // by number and place in the order

	of         []tiles.Tile // of a hand, by number
	alternates []tiles.Tile // of the actions of a decision
}

// play is how the opponent plays a round: the reach of its hands at the start, by hand and
// lane, and the probabilities of its actions, by bucket of an order, column and lane. Both
// start at a tile's first lane.
type play struct {
	order        []uint64
	reach, table []float32
	width        int // of the lanes
}

// decider says what a player does.
type decider interface {
	// begin is called for the hand at each place in the order.
	begin(place int)
	// decide returns the value of a decision for the hand, from the values of its actions.
	decide(decision int, d *pcsgpu.Decision, actions []tiles.Tile) tiles.Tile
}

func newValues(g *pcsgpu.Game, r, player, hands int) *values {
	round := &g.Rounds[r]
	v := &values{game: g, round: round, program: &round.Programs[player], player: player, x: make([]tiles.Tile, hands)}
	v.sums, v.ranked = tiles.NewSums(g.Deck+1, g.TwoCards), tiles.NewSums(g.Deck+1, g.TwoCards)
	for range v.program.Values {
		v.ends = append(v.ends, make([]tiles.Tile, hands))
	}
	v.of = make([]tiles.Tile, v.program.Values+round.Deals+len(v.program.Decisions))
	v.alternates = make([]tiles.Tile, pcsgpu.MaxActions)
	return v
}

// play values the ends of a board, as the opponent plays.
func (v *values) play(p *play) {
	for i := range v.program.Ends {
		e := &v.program.Ends[i]
		x := v.x[:len(p.order)]
		tiles.Follow(x, p.order, p.reach, p.table, p.width, v.round.Columns[1-v.player], e.Path[:e.Length])
		v.sums.Clear()
		v.sums.Add(p.order, x)
		if e.Fold != pcsgpu.None {
			v.sums.Value(v.ends[e.Fold], p.order, x, v.pays(e.Fold), tiles.Set)
		}
		if e.Showdown != pcsgpu.None {
			v.showdown(v.ends[e.Showdown], p.order, x, v.pays(e.Showdown))
		}
	}
}

func (v *values) pays(number uint32) *tiles.Tile {
	return (*tiles.Tile)(v.program.Pays[int(number)*v.round.Width+v.lane:])
}

// showdown values a showdown. The reach of the hands of a rank is added twice, once before
// their values are computed, so that worse and better hands have the signs of their showdowns,
// and hands of the same rank have none.
func (v *values) showdown(to []tiles.Tile, order []uint64, x []tiles.Tile, pays *tiles.Tile) {
	v.ranked.Negate(&v.sums)
	for len(order) > 0 {
		ties := tiles.Ties(order[0])
		v.ranked.Add(order[:ties], x[:ties])
		v.ranked.Value(to[:ties], order[:ties], nil, pays, tiles.Set)
		v.ranked.Add(order[:ties], x[:ties])
		to, order, x = to[ties:], order[ties:], x[ties:]
	}
}

// add adds the values of all hands of the order that was played last to a sum by hand and
// lane, from the tile's first lane on. After has their values in the next round, by hand and
// lane of that round.
func (v *values) add(sum []float32, order []uint64, after []float32, d decider) {
	next := 0
	if v.round.Deals > 0 {
		next = len(after) / len(order)
	}
	for place, entry := range order {
		hand := int(entry & tiles.HandMask)
		d.begin(place)
		value := v.hand(place, after[hand*next:], d)
		for l, x := range value {
			sum[hand*v.round.Width+l] += x
		}
	}
}

// hand returns the value of the hand at a place in the order.
func (v *values) hand(place int, after []float32, d decider) tiles.Tile {
	for i := range v.ends {
		v.of[i] = v.ends[i][place]
	}
	for deal := range v.round.Deals {
		to := &v.of[v.program.Values+deal]
		for l, next := range v.round.Next[deal*v.round.Width+v.lane:][:tiles.Lanes] {
			if to[l] = 0; next != pcsgpu.None {
				to[l] = after[next]
			}
		}
	}
	for i := range v.program.Decisions {
		decision := &v.program.Decisions[i]
		actions := v.alternates[:decision.Actions]
		for a := range actions {
			actions[a] = v.sum(&v.program.Columns[int(decision.Column)+a])
		}
		v.of[v.program.Values+v.round.Deals+i] = d.decide(i, decision, actions)
	}
	return v.sum(&v.program.Root)
}

func (v *values) sum(s *pcsgpu.Sources) tiles.Tile {
	sum := v.of[s.From[0]]
	for _, i := range s.From[1:s.N] {
		for l, x := range v.of[i] {
			sum[l] += x
		}
	}
	return sum
}
