package resolve

import (
	"context"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// lastRound is the resolver of games other than no-limit hold'em: it solves their last round in the
// betting of the blueprint, so that the opponent wins no more than from that.
type lastRound struct {
	plain
	options Options
	policy  *policy.Policy
	// The last solution: of whose hand on which board, from a segment of the blueprint's tree on.
	hand            uint32
	player, segment int
	board           [acpc.MaxRounds]card.Set
	layout          *publictree.Layout // nil before the first
	weights         []float32
}

func newLastRound(p *policy.Policy, o Options) *lastRound {
	return &lastRound{plain: newPlain(p.Index, belief.Played(p, o.Play)), options: o, policy: p}
}

// Choices implements belief.Player. Hands that would not have played to a solved decision play the
// blueprint.
func (p *lastRound) Choices(ctx context.Context, s *acpc.State) (belief.Choices, error) {
	a, err := p.Answer(ctx, s)
	if err != nil || !a.Solved {
		return a.Choices, err
	}
	c, err := p.before.Choices(ctx, s)
	if err != nil {
		return c, err
	}
	for hand := range p.holes {
		row := a.Of(hand)
		if slices.Max(row) == 0 {
			continue
		}
		for k, x := range row {
			c.Row(a.Actions[k], len(p.holes))[hand] = x
		}
	}
	return c, nil
}

// Answer implements Resolver. Nothing is solved where the hand is not in the blueprint's tree.
func (p *lastRound) Answer(ctx context.Context, s *acpc.State) (Answer, error) {
	tree := p.policy.Tree
	node := tree.Find(s)
	if s.Round() < p.options.First(tree.Game) || node < 0 {
		return p.unsolved(ctx, s)
	}
	if err := p.solve(s, tree.SegmentOf(node)); err != nil {
		return Answer{}, err
	}
	n, own := &tree.Nodes[node], &p.layout.Cards.Rounds[0]
	weights := p.weights[p.layout.Entry(node-tree.Segments[p.segment].First):]
	a := Answer{Solved: true, Iterations: p.options.Iterations}
	var rows [][]float64
	choices := make([]policy.Choice, n.NumActions)
	for k := range choices {
		choices[k].Action = tree.Nodes[int(n.First)+k].Action()
		rows = append(rows, a.Row(choices[k].Action, len(p.holes)))
	}
	for i, hole := range own.Hole {
		total := float32(0)
		for k := range choices {
			choices[k].Probability = weights[k*own.Stride+i]
			total += choices[k].Probability
		}
		if hole == 0 || total == 0 {
			continue
		}
		if p.options.Play != nil {
			for k := range choices { // sums of strategies so far
				choices[k].Probability /= total
			}
			p.options.Play(choices)
		}
		for k, x := range policy.AppendProbabilities[float64](nil, choices) {
			rows[k][p.number[hole]] = x
		}
	}
	return a, nil
}

// solve solves the last round of a hand, unless that was done last.
func (p *lastRound) solve(s *acpc.State, segment int) error {
	board := policy.DealOf(s).Board
	if p.layout != nil && p.hand == s.HandID && p.player == s.Actor() && p.segment == segment && p.board == board {
		return nil
	}
	p.hand, p.player, p.segment, p.board, p.layout = s.HandID, s.Actor(), segment, board, nil
	root := publictree.SubgameRoot{Policy: p.policy, Segment: segment, Board: board}
	if p.options.Play != nil {
		root.Play = func(player int, choices []policy.Choice) {
			if player == p.player {
				p.options.Play(choices)
			}
		}
	}
	layout, played, err := root.Subgame()
	if err != nil {
		return err
	}
	_, offers := publictree.NewEvaluator(layout, 1).Values(played, 1-p.player)
	p.weights = SolveSafe(layout, p.player, Offer{Values: offers, Known: blueprintFraction}, int(p.options.Iterations))
	p.layout = layout
	return nil
}
