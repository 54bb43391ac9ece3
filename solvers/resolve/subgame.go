package resolve

import (
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/gate"
)

// exact needs the fewest iterations of the algorithms of package cfr on rivers of hold'em.
var exact, _ = cfr.AlgorithmByName("dcfr+")

// Solve solves a subgame, see [publictree.NewSubgame]. It returns the average strategy of both players
// after some iterations, as weights of all entries. Each player's is the best against the other's
// range.
func Solve(l *publictree.Layout, iterations int) []float32 {
	t := cfr.NewTrainer(l, exact, 1)
	for range iterations {
		t.Step()
	}
	return t.Weights()
}

// SolveSafe is Solve for one player only. At the root the opponent may choose, with each of
// its hands, between the subgame and what it is offered. If that is what a best response wins
// from another strategy, a response hardly wins more from the player's than from that one.
func SolveSafe(l *publictree.Layout, player int, o Offer, iterations int) []float32 {
	t := cfr.NewTrainer(l, exact, 1)
	opponent := 1 - player
	before := l.Ranges[opponent]
	defer func() { l.Ranges[opponent] = before }()
	g := o.gate(l, player)
	l.Ranges[opponent] = g.Reach
	for range iterations {
		for p := range 2 {
			if values := t.Update(p); p == opponent {
				g.Choose(values)
			}
		}
	}
	return t.Weights()
}

// An Offer is what the opponent may choose at the root instead of the subgame.
type Offer struct {
	// Values are what its hands are offered: counterfactual values by bucket.
	Values []float64
	// Known is the weight with which the most frequent hand of the opponent's range comes without a choice; all
	// hands with one have what is left to 1. Otherwise nothing would be won from hands that take the offer.
	Known float64
}

// gate returns the opponent's choice at the root of a subgame that is solved for a player.
func (o *Offer) gate(l *publictree.Layout, player int) *gate.Gate {
	holes := l.Cards.Rounds[0].Hole
	return gate.New(gate.Offers{
		Values: o.Values, Opposing: gate.Opposing(holes, holes, l.Ranges[player]), Expected: l.Ranges[1-player],
		Known: o.Known,
	})
}
