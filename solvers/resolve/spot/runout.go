package spot

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/rng"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// runouts are the turns and rivers that may follow a flop.
type runouts struct {
	seed  uint64
	cards []card.Card // cards that the flop leaves
	order []uint16    // numbers of turns and rivers in the order in which they come
	cycle uint64      // how often they had all come before
}

func newRunouts(board card.Set, seed uint64) *runouts {
	r := &runouts{seed: seed}
	for c := range card.Card(card.DeckSize) {
		if !board.Has(c) {
			r.cards = append(r.cards, c)
		}
	}
	return r
}

// all returns how many there are.
func (r *runouts) all() int { return len(r.cards) * (len(r.cards) - 1) }

// at returns the turn and the river of an iteration. All come once, in a random order, and then
// again in another one.
func (r *runouts) at(iteration uint64) (turn, river card.Card) {
	n, all := len(r.cards), uint64(r.all())
	if cycle := iteration / all; r.order == nil || cycle != r.cycle {
		r.cycle, r.order = cycle, make([]uint16, all)
		stream := rng.Stream(rng.At(r.seed, cycle))
		for i := range r.order {
			j := stream.IntN(i + 1)
			r.order[i], r.order[j] = r.order[j], uint16(i)
		}
	}
	x := int(r.order[iteration%all])
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
