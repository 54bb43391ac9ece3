package publictree

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// NewSubgame returns the layout of the rest of a hand: of a tree, see [betting.Tree.From], on a
// board, see [abstraction.NewOnBoard]. Ranges are the probabilities with which the players' own
// actions lead to its root, by player and bucket of the first round.
func NewSubgame(tree *betting.Tree, cards *abstraction.Cards, ranges [2][]float64) *Layout {
	l := NewLayout(tree, cards)
	l.Ranges = ranges[:]
	return l
}

// SubgameRoot is where a policy has the start of a betting round, on a board.
type SubgameRoot struct {
	Policy  *policy.Policy
	Segment int                                       // number in the policy's tree
	Board   [acpc.MaxRounds]card.Set                  // the cards of each round up to this one
	Play    func(player int, choices []policy.Choice) // as policy.Hands has it
}

// Subgame returns the subgame of the rest of the hand, with the ranges with which the policy comes
// there, and what the policy plays in it, as weights of all entries. The range of a player whom
// no hand leads there is all hands.
func (r *SubgameRoot) Subgame() (l *Layout, played []float32, err error) {
	board := card.Set(0)
	for _, cards := range r.Board {
		board |= cards
	}
	tree := r.Policy.Tree
	rest := tree.From(r.Segment)
	cards := abstraction.NewOnBoard(rest.Game, board)
	hands := &policy.Hands{Policy: r.Policy, Board: r.Board, Holes: cards.Rounds[0].Hole, Play: r.Play}
	reach, err := hands.Reach(tree.Segments[r.Segment].First)
	if err != nil {
		return nil, nil, err
	}
	ranges := [2][]float64(reach)
	for p := range ranges {
		if slices.Max(ranges[p]) == 0 {
			ranges[p] = policy.FullRange(hands.Holes)
		}
	}
	l = NewSubgame(rest, cards, ranges)
	played = make([]float32, l.Entries)
	var choices []policy.Choice
	play := func(dst []float64, node int32, bucket int) (_ []float64, err error) {
		if choices, err = r.Policy.ChoicesAt(choices[:0], node, bucket); err != nil {
			return dst, err
		}
		if r.Play != nil {
			r.Play(int(tree.Nodes[node].Actor), choices)
		}
		for _, c := range choices {
			dst = append(dst, float64(c.Probability))
		}
		return dst, nil
	}
	err = l.Fill(played, r.Policy.Index, r.Segment, r.Board, play)
	return l, played, err
}

// Fill copies a strategy into the weights of a subgame, which is that of a segment of the strategy's
// tree. The board has the cards of each round up to the segment's. For every entry, play appends the
// weights of the actions of a decision of that tree for a bucket; if it appends none, the entry's
// weights stay as they are.
func (l *Layout) Fill(
	weights []float32, x *policy.Index, segment int, board [acpc.MaxRounds]card.Set,
	play func(dst []float64, node int32, bucket int) ([]float64, error),
) error {
	start := x.Tree.Segments[segment].Round
	buckets := make([][]int, len(l.Cards.Rounds))
	for r := range buckets {
		buckets[r] = l.buckets(x, start, r, board)
	}
	from := []int32{int32(segment)} // the strategy's segments, by segment of the subgame
	for k := range l.Tree.Segments {
		in := &l.Tree.Segments[k]
		offset := x.Tree.Segments[from[k]].First - in.First
		for node := in.First; node < in.Last; node++ {
			switch l.Tree.Nodes[node].Kind {
			case betting.Deal: // they lead to the segments in their order
				from = append(from, x.Tree.Nodes[node+offset].First)
			case betting.Decision:
				err := l.fillDecision(weights, node, buckets[in.Round], func(bucket int) ([]float64, error) {
					return play(nil, node+offset, bucket)
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// buckets returns the buckets of a strategy, by hand of a round of the subgame, which starts with
// another one of the strategy's game; -1 is padding.
func (l *Layout) buckets(x *policy.Index, start, round int, board [acpc.MaxRounds]card.Set) (buckets []int) {
	in := &l.Cards.Rounds[round]
	for i := range in.Boards {
		b := &in.Boards[i]
		copy(board[start+1:], b.Cards[1:round+1])
		buckets = append(buckets, x.OnBoard(start+round, board, in.Hole[b.First:][:b.Width()])...)
	}
	return buckets
}

// fillDecision sets the weights of a decision, given those of its actions for a bucket.
func (l *Layout) fillDecision(
	weights []float32, node int32, buckets []int, play func(bucket int) ([]float64, error),
) error {
	to := weights[l.Entry(node):]
	return policy.EachHand(buckets, play, func(hand int, row []float64) {
		for a, x := range row {
			to[a*len(buckets)+hand] = float32(x)
		}
	})
}
