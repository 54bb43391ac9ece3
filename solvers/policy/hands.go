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

// choices returns by hand the choices of a decision as they are played, nil for padding.
// Hands in one bucket share them.
func (h *Hands) choices(node int32) ([][]Choice, error) {
	n := &h.Policy.Tree.Nodes[node]
	known := make(map[int][]Choice)
	all := make([][]Choice, len(h.Holes))
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
		all[i] = AppendProbabilities[float64](nil, c)
	}
	return all, err
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
