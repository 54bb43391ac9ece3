package tournament

import (
	"context"
	"fmt"

	"gamebots/bots/arena/plan"
	"gamebots/bots/poker"
	"gamebots/solvers/cfr/aivat"
)

// Strategies returns the strategies of a run of poker as they were played, by player,
// for estimates; nil of a player that has none, and of one whose strategy cannot be
// estimated with, which is told of.
func (h *House) Strategies(ctx context.Context, p *plan.Plan, tell func(player string, why error)) ([]*aivat.Strategy, error) {
	l, err := h.newHall(ctx, p, nil)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", p.Name, err)
	}
	defer l.close()
	strategies := make([]*aivat.Strategy, len(p.Players))
	for i, e := range p.Players {
		if l.policies == nil || l.policies[i] == nil {
			continue
		}
		style := poker.Style{Purify: e.Purify, Threshold: e.Threshold}
		if strategies[i], err = aivat.ReadStrategy(l.policies[i], style.Apply); err != nil {
			tell(e.Name, err)
		}
	}
	return strategies, nil
}
