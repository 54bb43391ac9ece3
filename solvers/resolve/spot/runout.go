package spot

import (
	"math"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// runouts are the turns and rivers that may follow a flop.
type runouts struct {
	cards []card.Card // cards that the flop leaves
	order []uint16    // numbers of turns and rivers in a random order
}

func newRunouts(board card.Set) *runouts {
	r := &runouts{}
	for c := range card.Card(card.DeckSize) {
		if !board.Has(c) {
			r.cards = append(r.cards, c)
		}
	}
	r.order = make([]uint16, len(r.cards)*(len(r.cards)-1))
	stream := rng.Stream(rng.At(0, 0))
	for i := range r.order {
		j := stream.IntN(i + 1)
		r.order[i], r.order[j] = r.order[j], uint16(i)
	}
	return r
}

// at returns the turn and the river at a place of the order.
func (r *runouts) at(place int) (turn, river card.Card) {
	n, x := len(r.cards), int(r.order[place])
	first, second := x/(n-1), x%(n-1)
	if second >= first {
		second++
	}
	return r.cards[first], r.cards[second]
}

// A runout is a flop with its turn and river.
type runout struct {
	*layout.Board
	buckets [2][layout.NumStreets][]uint32 // buckets of a strategy by player, street and hand; padded
}

// newRunout returns a board with its turn and river.
func newRunout(x *policy.Index, before *layout.Board, turned, last card.Card) *runout {
	r := &runout{Board: before.After(turned.Bit()|last.Bit(), before.Symmetries)}
	cards := [acpc.MaxRounds]card.Set{1: before.Cards, 2: turned.Bit(), 3: last.Bit()}
	var holes []card.Set
	for _, h := range layout.Held(r.Cards, func(card.Set) bool { return true }) {
		holes = append(holes, h.Set())
	}
	for k := range layout.NumStreets {
		var bucket [layout.NumHoles]uint32
		for i, b := range x.OnBoard(k+1, cards, holes) {
			bucket[layout.HoleOf(holes[i]).Index()] = uint32(b)
		}
		for p := range r.Hands {
			r.buckets[p][k] = make([]uint32, r.Hands[p].Width)
			for i, h := range r.Hands[p].Holes {
				r.buckets[p][k][i] = bucket[h.Index()]
			}
		}
	}
	return r
}

// A rest is the part of a strategy's tree after the start of a flop, in the chips of a spot.
type rest struct {
	first   int // street
	streets layout.Streets
	payoffs [layout.NumStreets][]layout.Payoffs
	from    [layout.NumStreets][]int32 // nodes of the strategy's tree, by node
	plays   [layout.NumStreets][]weights
}

// newRest returns the rest of a hand by a continuation, and reads how both players go on.
func (s *Spot) newRest(c *Continuation, start Start) (*rest, error) {
	r := &rest{first: layout.River}
	var roots [layout.NumStreets][]int32
	if start.Segment < 0 {
		r.streets[layout.River].Nodes = []layout.Node{{Kind: layout.Showdown}}
		roots[layout.River] = []int32{0}
	} else {
		r.first = c.index.Tree.Segments[start.Segment].Round - 1
		scale := float64(s.Pot) / 2 / float64(start.Stake)
		chips := func(stake int32) int32 {
			return int32(math.Round(min(float64(int(stake)-start.Stake)*scale, float64(s.Stack))))
		}
		segments := []int{start.Segment}
		for k := r.first; k < layout.NumStreets; k++ {
			var next []int
			for _, segment := range segments {
				roots[k] = append(roots[k], int32(len(r.streets[k].Nodes)))
				next = r.add(next, &r.streets[k], k, c.index.Tree, segment, &start, chips)
			}
			segments = next
		}
	}
	r.streets.Divide(r.first, &roots, 0, len(roots[r.first]))
	for k := range r.streets {
		st := &r.streets[k]
		r.payoffs[k] = st.Pay(func(n *layout.Node) layout.Payoffs { return s.payoffs(n, importance) })
		r.plays[k] = make([]weights, len(st.Nodes))
		for i := range st.Nodes {
			n, who := &st.Nodes[i], other
			if n.Kind != layout.Decision {
				continue
			}
			if int(n.Actor) == start.Given {
				who = given
			}
			var err error
			if r.plays[k][i], err = c.at(who, r.from[k][i]); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// importance is the weight of values on a sampled turn and river: the inverse of the probability
// that two hands leave them.
var importance = float64(card.DeckSize-3) * (card.DeckSize - 4) / ((card.DeckSize - 7) * (card.DeckSize - 8))

// add adds the nodes of a segment of the strategy's tree to a street, and the segments to which its
// deals lead to the next ones. chips are those of the spot for a stake there.
func (r *rest) add(
	next []int, st *layout.Street, k int, tree *betting.Tree, segment int, start *Start, chips func(stake int32) int32,
) []int {
	in := &tree.Segments[segment]
	offset := int32(len(st.Nodes)) - in.First
	for i := in.First; i < in.Last; i++ {
		x, n := &tree.Nodes[i], layout.Node{}
		switch x.Kind {
		case betting.Decision:
			n.Actor, n.Actions, n.First = start.player(int(x.Actor)), x.NumActions, x.First+offset
		case betting.Deal:
			n.Kind, n.First = layout.Deal, int32(len(next))
			next = append(next, int(x.First))
		case betting.Terminal:
			pot := &tree.Terminals[x.First]
			n.Kind, n.Put = layout.Showdown, chips(min(pot.Spent[0], pot.Spent[1]))
			for position := range 2 {
				if pot.Folded[position] {
					n.Kind, n.Actor = layout.Fold, start.player(position)
				}
			}
		}
		st.Nodes, r.from[k] = append(st.Nodes, n), append(r.from[k], i)
	}
	return next
}
