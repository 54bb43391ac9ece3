package policy

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
)

// Hands are hole cards on a board, and how a policy plays them. They are used by one goroutine
// at a time.
type Hands struct {
	Policy *Policy
	Board  [acpc.MaxRounds]card.Set // the cards of each round, as far as they are known
	Holes  []card.Set               // 0 is padding
	// Play, if not nil, changes a player's choices to those that it plays, which need not
	// sum to one.
	Play func(player int, choices []Choice)

	buckets [acpc.MaxRounds][]int // nil until they are asked for
}

// Buckets returns the policy's buckets of a round by hand; -1 is padding. They belong to the
// Hands.
func (h *Hands) Buckets(round int) []int {
	if h.buckets[round] == nil {
		h.buckets[round] = h.Policy.OnBoard(round, h.Board, h.Holes)
	}
	return h.buckets[round]
}

// Probabilities returns by hand the probabilities of the actions of a decision, nil for
// padding. Hands in one bucket share them.
func (h *Hands) Probabilities(node int32) ([][]float64, error) {
	n := &h.Policy.Tree.Nodes[node]
	all := make([][]float64, len(h.Holes))
	err := EachHand(h.Buckets(int(n.Round)), func(bucket int) ([]float64, error) {
		choices, err := h.Policy.ChoicesAt(nil, node, bucket)
		if err == nil && h.Play != nil {
			h.Play(int(n.Actor), choices)
		}
		return AppendProbabilities[float64](nil, choices), err
	}, func(hand int, row []float64) { all[hand] = row })
	return all, err
}

// EachHand calls f with what each hand plays, given the buckets of the hands, of which -1 is
// padding, and what a bucket plays. It asks for each bucket once, and ends with the first error.
func EachHand(buckets []int, play func(bucket int) ([]float64, error), f func(hand int, row []float64)) error {
	rows := map[int][]float64{}
	for hand, bucket := range buckets {
		if bucket < 0 {
			continue
		}
		row, known := rows[bucket]
		if !known {
			var err error
			if row, err = play(bucket); err != nil {
				return err
			}
			rows[bucket] = row
		}
		f(hand, row)
	}
	return nil
}

// Reach returns, by player and hand, the probability with which a player's own actions lead
// to a node; 0 for padding.
func (h *Hands) Reach(node int32) ([][]float64, error) {
	tree := h.Policy.Tree
	reach := make([][]float64, tree.Game.NumPlayers)
	for p := range reach {
		reach[p] = FullRange(h.Holes)
	}
	var path []int32 // nodes up to the root
	for ; node >= 0; node = tree.Parent(node) {
		path = append(path, node)
	}
	for i := len(path) - 1; i > 0; i-- {
		n := &tree.Nodes[path[i]]
		if n.Kind != betting.Decision {
			continue
		}
		play, err := h.Probabilities(path[i])
		if err != nil {
			return nil, err
		}
		for hand, own := 0, reach[n.Actor]; hand < len(own); hand++ {
			if h.Holes[hand] != 0 {
				own[hand] *= play[hand][path[i-1]-n.First]
			}
		}
	}
	return reach, nil
}

// FullRange returns the range of all hole cards; those of padding are none.
func FullRange(holes []card.Set) []float64 {
	reach := make([]float64, len(holes))
	for i, hole := range holes {
		if hole != 0 {
			reach[i] = 1
		}
	}
	return reach
}

// Played returns the probabilities with which a strategy is played, in the order of its
// weights, which is that of [Policy.Weights]. play, if not nil, changes the choices of
// every information set, which need not sum to one before or after. Where all are zero,
// all actions are equally likely.
func Played[F float32 | float64](x *Index, weights []float32, play func([]Choice)) []F {
	probability := make([]F, len(weights))
	var choices []Choice
	var row []F
	for i := range x.Tree.Nodes {
		n := &x.Tree.Nodes[i]
		if n.Kind != betting.Decision {
			continue
		}
		first, stride := x.Entry(int32(i)), x.Buckets.NumBuckets(int(n.Round))
		for b := range stride {
			choices = choices[:0]
			for a := range int(n.NumActions) {
				choices = append(choices,
					Choice{Action: x.Tree.Nodes[int(n.First)+a].Action(), Probability: weights[first+a*stride+b]})
			}
			if play != nil {
				play(choices)
			}
			row = AppendProbabilities(row[:0], choices)
			for a, p := range row {
				probability[first+a*stride+b] = p
			}
		}
	}
	return probability
}

// AppendProbabilities appends to dst the probabilities of choices that need not sum to one.
// Where all are zero, all actions are equally likely.
func AppendProbabilities[F float32 | float64](dst []F, choices []Choice) []F {
	total := 0.0
	for _, c := range choices {
		total += float64(c.Probability)
	}
	for _, c := range choices {
		p := 1 / float64(len(choices))
		if total > 0 {
			p = float64(c.Probability) / total
		}
		dst = append(dst, F(p))
	}
	return dst
}

// Proportions returns the factor and the constant that turn the weights of one information set,
// one every stride, into probabilities.
func Proportions(weights []float32, actions, stride int) (scale, base float64) {
	total := 0.0
	for a := range actions {
		total += float64(weights[a*stride])
	}
	if total > 0 {
		return 1 / total, 0
	}
	return 0, 1 / float64(actions)
}
