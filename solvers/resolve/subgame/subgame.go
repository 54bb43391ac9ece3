package subgame

import (
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/gate"
)

// Ranges are the probabilities with which the players' own actions lead to the root of a
// subgame, by player and hole cards.
type Ranges [2][]float64

// Subgame is a game that begins with a betting round. It is used by one goroutine at a time.
type Subgame struct{ *cfr.Layout }

// New returns the subgame of a tree, see [betting.Tree.From], on a board, see
// [abstraction.NewOnBoard]. Ranges are by bucket of the first round.
func New(tree *betting.Tree, cards *abstraction.Cards, ranges Ranges) *Subgame {
	s := &Subgame{cfr.NewLayout(tree, cards)}
	s.Ranges = ranges[:]
	return s
}

// algorithm needs the fewest iterations of those of package cfr on rivers of hold'em.
var algorithm, _ = cfr.AlgorithmByName("dcfr+")

// Solve returns the average strategy of both players after some iterations, as weights of
// all entries. Each player's is the best against the other's range.
func (s *Subgame) Solve(iterations int) []float32 {
	t := cfr.NewTrainer(s.Layout, algorithm, 1)
	for range iterations {
		t.Step()
	}
	return t.Weights()
}

// An Offer is what the opponent may choose at the root instead of the subgame.
type Offer struct {
	// Values are what its hands are offered: counterfactual values by bucket.
	Values []float64
	// Known is the part of the deals, from 0 to 1, in which the opponent has no choice and comes
	// with its range. Otherwise nothing would be won from hands that take the offer.
	Known float64
	// Margin is set for the largest margin: the opponent chooses the hand with which it plays
	// on, and wins what this hand wins beyond its offer.
	Margin bool
}

// Opposing returns by hand the sum of the other player's range over the hands that share no card
// with it.
func Opposing(holes []card.Set, other []float64) []float64 {
	total, by, reach := 0.0, map[card.Set]float64{}, map[card.Set]float64{} // by card, by hand
	for i, hole := range holes {
		total += other[i]
		reach[hole] = other[i]
		for c := range hole.All() {
			by[c.Bit()] += other[i]
		}
	}
	opposing := make([]float64, len(holes))
	for i, hole := range holes {
		if hole == 0 {
			continue
		}
		opposing[i] = total
		if hole.Len() == 2 {
			opposing[i] += reach[hole] // the hand itself is in the sums of both its cards
		}
		for c := range hole.All() {
			opposing[i] -= by[c.Bit()]
		}
		if opposing[i] <= 1e-9*total { // rounding
			opposing[i] = 0
		}
	}
	return opposing
}

// SolveSafe is Solve for one player only. At the root the opponent may choose, with each of
// its hands, between the subgame and what it is offered. If that is what a best response wins
// from another strategy, a response hardly wins more from the player's than from that one.
func (s *Subgame) SolveSafe(player int, o Offer, iterations int) []float32 {
	t := cfr.NewTrainer(s.Layout, algorithm, 1)
	opponent := 1 - player
	expected := s.Ranges[opponent]
	defer func() { s.Ranges[opponent] = expected }()
	g := gate.New(gate.Offers{Values: o.Values, Opposing: Opposing(s.Cards.Rounds[0].Hole, s.Ranges[player]), Expected: expected, Known: o.Known, Margin: o.Margin})
	s.Ranges[opponent] = g.Reach
	for range iterations {
		for p := range 2 {
			if values := t.Update(p); p == opponent {
				g.Choose(values)
			}
		}
	}
	return t.Weights()
}
