package poker

import (
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// NewHandStrategy returns the action probabilities of every hand of a [NewResolving].
func NewHandStrategy(p *policy.Policy, style Style, o Resolving) (belief.Player, error) {
	player, err := NewResolving(p, style, 0, o)
	if err != nil {
		return nil, err
	}
	return player.HandStrategy(), nil
}

// ForAIVAT returns the strategy of a [NewResolving] for estimates of what it has won. The policy
// must stay open if rounds are solved.
func ForAIVAT(p *policy.Policy, style Style, o Resolving) (*aivat.Strategy, error) {
	if o.Iterations > 0 {
		o.Threads = 1 // many hands are estimated at a time
		return aivat.PlayedBy(p.Index, func() (belief.Player, error) { return NewHandStrategy(p, style, o) }), nil
	}
	if p.Tree.Game.NumPlayers > 2 { // estimates need few of the probabilities
		return aivat.OpenStrategy(p, style.Apply)
	}
	return aivat.ReadStrategy(p, style.Apply)
}

// HandStrategy returns the action probabilities of every hand, see [belief.Player]. The player must
// not play meanwhile. It is for games of two players.
func (p *Strategy) HandStrategy() belief.Player {
	if p.resolver != nil {
		return p.resolver
	}
	return belief.NewStrategy(p.policy.Index, belief.Played(p.policy, p.style.Apply))
}
