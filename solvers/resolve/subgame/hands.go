package subgame

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// Hands are hole cards on a board, and how a policy plays them. They are used by one goroutine
// at a time.
type Hands struct {
	Policy *policy.Policy
	Board  [acpc.MaxRounds]card.Set // the cards of each round, as far as they are known
	Holes  []card.Set               // 0 is padding
	// Play, if not nil, changes a player's choices to those that it plays, which need not
	// sum to one.
	Play func(player int, choices []policy.Choice)

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

// choices returns by hand the choices of a decision as they are played, nil for padding.
// Hands in one bucket share them.
func (h *Hands) choices(node int32) ([][]policy.Choice, error) {
	n := &h.Policy.Tree.Nodes[node]
	known := make(map[int][]policy.Choice)
	all := make([][]policy.Choice, len(h.Holes))
	for i, b := range h.Buckets(int(n.Round)) {
		if b < 0 {
			continue
		}
		if known[b] == nil {
			choices, err := h.Policy.ChoicesAt(nil, node, b)
			if err != nil {
				return nil, err
			}
			if h.Play != nil {
				h.Play(int(n.Actor), choices)
			}
			known[b] = choices
		}
		all[i] = known[b]
	}
	return all, nil
}

// Probabilities returns by hand the probabilities of the actions of a decision, nil for
// padding.
func (h *Hands) Probabilities(node int32) ([][]float64, error) {
	choices, err := h.choices(node)
	all := make([][]float64, len(choices))
	for i, c := range choices {
		all[i] = policy.AppendProbabilities[float64](nil, c)
	}
	return all, err
}

// Reach returns, by player and hand, the probability with which a player's own actions lead
// to a node; 0 for padding.
func (h *Hands) Reach(node int32) ([][]float64, error) {
	tree := h.Policy.Tree
	reach := make([][]float64, tree.Game.NumPlayers)
	for p := range reach {
		reach[p] = everything(h.Holes)
	}
	var path []int32 // from the end
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

// everything returns the range of all hole cards; those of padding are none.
func everything(holes []card.Set) []float64 {
	reach := make([]float64, len(holes))
	for i, hole := range holes {
		if hole != 0 {
			reach[i] = 1
		}
	}
	return reach
}

// Before is a policy at the start of a betting round, on a board.
type Before struct {
	Policy  *policy.Policy
	Segment int                                       // of the policy's tree
	Board   [acpc.MaxRounds]card.Set                  // the cards of each round up to this one
	Play    func(player int, choices []policy.Choice) // see Hands
}

// Subgame returns the subgame of the rest of the hand, with the ranges with which the policy comes
// there, and what the policy plays in it, as weights of all entries. The range of a player whom
// no hand leads there is all hands.
func (b *Before) Subgame() (s *Subgame, played []float32, err error) {
	board := card.Set(0)
	for _, cards := range b.Board {
		board |= cards
	}
	tree := b.Policy.Tree
	rest := tree.From(b.Segment)
	cards := abstraction.NewOnBoard(rest.Game, board)
	hands := &Hands{Policy: b.Policy, Board: b.Board, Holes: cards.Rounds[0].Hole, Play: b.Play}
	reach, err := hands.Reach(tree.Segments[b.Segment].First)
	if err != nil {
		return nil, nil, err
	}
	ranges := Ranges(reach)
	for p := range ranges {
		if slices.Max(ranges[p]) == 0 {
			ranges[p] = everything(hands.Holes)
		}
	}
	s = New(rest, cards, ranges)
	played = make([]float32, s.Entries)
	var choices []policy.Choice
	err = s.Fill(played, b.Policy.Index, b.Segment, b.Board, func(dst []float64, node int32, bucket int) (_ []float64, err error) {
		if choices, err = b.Policy.ChoicesAt(choices[:0], node, bucket); err != nil {
			return dst, err
		}
		if b.Play != nil {
			b.Play(int(tree.Nodes[node].Actor), choices)
		}
		for _, c := range choices {
			dst = append(dst, float64(c.Probability))
		}
		return dst, nil
	})
	return s, played, err
}
