package spot

import (
	"math"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
)

// A rest is what a strategy's tree has after a point of a hand, in the chips of a spot.
type rest struct {
	first   int // street
	streets [numStreets]street
	payoffs [numStreets][]payoffs
	from    [numStreets][]int32 // by node: that of the strategy's tree
	plays   [numStreets][]*weights
	size    int // nodes
}

// newRest returns the rest of a hand from a point of a strategy's tree on, where both players have
// put in so much since the root of a spot.
func (s *Spot) newRest(at Point, put int) *rest {
	r := &rest{first: river}
	b := &builder{Spot: s}
	var roots [numStreets][]int32
	if at.Segment < 0 {
		b.streets[river].nodes, roots[river] = []node{{kind: showdown, put: int32(put)}}, []int32{0}
	} else {
		r.first = s.Leaves.Continuation.index.Tree.Segments[at.Segment].Round - 1
		scale := (float64(s.Pot)/2 + float64(put)) / float64(at.Stake)
		chips := func(stake int32) int32 {
			more := float64(int(stake)-at.Stake) * scale
			return int32(math.Round(min(float64(put)+more, float64(s.Stack))))
		}
		segments := []int{at.Segment}
		for k := r.first; k < numStreets; k++ {
			var next []int
			for _, segment := range segments {
				roots[k] = append(roots[k], int32(len(b.streets[k].nodes)))
				next = r.add(next, &b.streets[k], k, segment, s.Leaves, chips)
			}
			segments = next
		}
	}
	b.batch(r.first, roots, 0, len(roots[r.first]))
	r.streets = b.streets
	for k := range r.streets {
		nodes := r.streets[k].nodes
		r.payoffs[k], r.plays[k] = make([]payoffs, len(nodes)), make([]*weights, len(nodes))
		r.size += len(nodes)
		for i := range nodes {
			if n := &nodes[i]; n.kind == fold || n.kind == showdown {
				r.payoffs[k][i] = s.payoffs(n, importance)
			}
		}
	}
	return r
}

// importance is the weight of values on a sampled turn and river: the inverse of the probability
// that two hands leave them.
var importance = float64(card.DeckSize-3) * (card.DeckSize - 4) / ((card.DeckSize - 7) * (card.DeckSize - 8))

// add adds the nodes of a segment of the strategy's tree to a street, and the segments to which its
// deals lead to the next ones. chips are those of the spot for a stake there.
func (r *rest) add(next []int, st *street, k, segment int, l *Leaves, chips func(stake int32) int32) []int {
	tree := l.Continuation.index.Tree
	in := &tree.Segments[segment]
	offset := int32(len(st.nodes)) - in.First
	for i := in.First; i < in.Last; i++ {
		x, n := &tree.Nodes[i], node{}
		switch x.Kind {
		case betting.Decision:
			n.actor, n.actions, n.first = l.player(int(x.Actor)), x.NumActions, x.First+offset
		case betting.Deal:
			n.kind, n.first = deal, int32(len(next))
			next = append(next, int(x.First))
		case betting.Terminal:
			pot := &tree.Terminals[x.First]
			n.kind, n.put = showdown, chips(min(pot.Spent[0], pot.Spent[1]))
			for position := range 2 {
				if pot.Folded[position] {
					n.kind, n.actor = fold, l.player(position)
				}
			}
		}
		st.nodes, r.from[k] = append(st.nodes, n), append(r.from[k], i)
	}
	return next
}

// read reads how both players go on, unless a pass ends before. It reports whether it did not.
func (r *rest) read(p *pass, l *Leaves) (bool, error) {
	for k := range r.streets {
		for i := range r.streets[k].nodes {
			n := &r.streets[k].nodes[i]
			if n.kind != decision || r.plays[k][i] != nil {
				continue
			}
			if p.ended() {
				return false, nil
			}
			who := other
			if int(n.actor) == l.Player {
				who = given
			}
			var err error
			if r.plays[k][i], err = l.Continuation.at(who, r.from[k][i]); err != nil {
				return false, err
			}
		}
	}
	return !p.ended(), nil
}
