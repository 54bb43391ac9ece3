package poker

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// known is a Strategy as others know it: what it does with each hand.
type known struct {
	*Strategy
	tree  *belief.Strategy // without solving
	holes []card.Set
}

// NewKnown returns what a [NewSolver] does with each hand.
func NewKnown(p *policy.Policy, style Style, o Solving) (belief.Player, error) {
	player, err := NewSolver(p, style, 0, o)
	if err != nil {
		return nil, err
	}
	return player.Known(), nil
}

// ForEstimates returns the strategy of a [NewSolver] for estimates of what it has won. The policy
// must stay open if rounds are solved.
func ForEstimates(p *policy.Policy, style Style, o Solving) (*aivat.Strategy, error) {
	if o.Iterations > 0 {
		o.Threads = 1 // many hands are estimated at a time
		return aivat.PlayedBy(p.Index, func() (belief.Player, error) { return NewKnown(p, style, o) }), nil
	}
	if p.Tree.Game.NumPlayers > 2 { // estimates need few of the probabilities
		return aivat.OpenStrategy(p, style.Apply)
	}
	return aivat.ReadStrategy(p, style.Apply)
}

// Known returns what the player does with each hand, see [belief.Player]. The player must not
// play meanwhile. It is for games of two players.
func (p *Strategy) Known() belief.Player {
	if p.resolver != nil {
		return p.resolver
	}
	return &known{p, belief.NewStrategy(p.policy.Index, belief.Played(p.policy, p.style.Apply)), belief.Holes(p.policy.Tree.Game)}
}

// Choices implements belief.Player.
func (k *known) Choices(s *acpc.State) (belief.Choices, error) {
	c, err := k.tree.Choices(s)
	if err != nil || !k.solves(s.Round()) {
		return c, err
	}
	node := k.policy.Tree.Find(s)
	if node < 0 {
		return c, nil
	}
	x, err := k.solvedRound(s, node)
	if err != nil {
		return c, err
	}
	board := x.deal.Board[0] | x.deal.Board[1] | x.deal.Board[2] | x.deal.Board[3]
	var choices []policy.Choice
	for i, hole := range k.holes {
		if hole&board != 0 {
			continue
		}
		var possible bool
		if choices, possible = x.choices(choices[:0], k.policy.Tree, node, hole); !possible {
			continue
		}
		k.style.Apply(choices)
		for a, p := range policy.AppendProbabilities[float64](nil, choices) {
			c.Probability[a][i] = p
		}
	}
	return c, nil
}
