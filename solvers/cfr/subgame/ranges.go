package subgame

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// Ranges are the probabilities with which the players' own actions lead to the root of a
// subgame, by player and hole cards.
type Ranges [2][]float32

// Before is a policy at the start of a betting round, on a board.
type Before struct {
	Policy  *cfr.Policy
	Segment int                      // of the policy's tree
	Board   [acpc.MaxRounds]card.Set // the cards of each round
	// Play, if not nil, changes a player's choices to those that it plays, which need not
	// sum to one.
	Play func(player int, choices []cfr.Choice)
}

// Ranges returns the ranges of hole cards. The range of a player whom no hand leads there is
// all hands.
func (b *Before) Ranges(holes []card.Set) (r Ranges, err error) {
	for p := range r {
		r[p] = everything(holes)
	}
	tree := b.Policy.Tree
	buckets := make([][]int, tree.Segments[b.Segment].Round)
	for round := range buckets {
		buckets[round] = b.buckets(round, holes)
	}
	for child := tree.Segments[b.Segment].From; child >= 0; {
		node := tree.Parent(child)
		if node >= 0 && tree.Nodes[node].Kind == betting.Decision {
			n := &tree.Nodes[node]
			err := b.each(node, buckets[n.Round], func(i int, choices []cfr.Choice) {
				r[n.Actor][i] *= choices[child-n.First].Probability
			})
			if err != nil {
				return r, err
			}
		}
		child = node
	}
	for p := range r {
		if slices.Max(r[p]) == 0 {
			r[p] = everything(holes)
		}
	}
	return r, nil
}

// everything returns the range of all hole cards; those of padding are none.
func everything(holes []card.Set) []float32 {
	reach := make([]float32, len(holes))
	for i, hole := range holes {
		if hole != 0 {
			reach[i] = 1
		}
	}
	return reach
}

// Strategy returns what the policy plays in a subgame of the last round, as weights of all
// entries.
func (b *Before) Strategy(s *Subgame) ([]float32, error) {
	weights := make([]float32, s.Entries)
	first := b.Policy.Tree.Segments[b.Segment].First
	round := &s.Cards.Rounds[0]
	buckets := b.buckets(b.Policy.Tree.Segments[b.Segment].Round, round.Hole)
	for node := range int32(len(s.Tree.Nodes)) {
		if s.Tree.Nodes[node].Kind != betting.Decision {
			continue
		}
		err := b.each(first+node, buckets, func(i int, choices []cfr.Choice) {
			for a, c := range choices {
				weights[s.Entry(node)+a*round.Stride+i] = c.Probability
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return weights, nil
}

// buckets returns the policy's buckets of hole cards in a round; -1 is padding.
func (b *Before) buckets(round int, holes []card.Set) []int {
	buckets := make([]int, len(holes))
	d := abstraction.Deal{}
	copy(d.Board[:round+1], b.Board[:])
	for i, hole := range holes {
		if d.Hole = hole; hole == 0 {
			buckets[i] = -1
		} else {
			buckets[i] = b.Policy.Buckets.Bucket(round, d)
		}
	}
	return buckets
}

// each calls f with the choices of each bucket at a decision, as they are played; their
// probabilities sum to one. They are valid during the call.
func (b *Before) each(node int32, buckets []int, f func(i int, choices []cfr.Choice)) error {
	var choices []cfr.Choice
	var err error
	for i, bucket := range buckets {
		if bucket < 0 {
			continue
		}
		if choices, err = b.Policy.ChoicesAt(choices[:0], node, bucket); err != nil {
			return err
		}
		if b.Play != nil {
			b.Play(int(b.Policy.Tree.Nodes[node].Actor), choices)
		}
		total := float32(0)
		for _, c := range choices {
			total += c.Probability
		}
		for a := range choices {
			if total > 0 {
				choices[a].Probability /= total
			} else {
				choices[a].Probability = 1 / float32(len(choices))
			}
		}
		f(i, choices)
	}
	return nil
}
