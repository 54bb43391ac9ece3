package subgame

import (
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/internal/gate"
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

// SolveSafe is Solve for one player only. At the root the opponent may choose, with each of
// its hands, between the subgame and what it is offered, by bucket. If that is what a best
// response wins from another strategy, a response hardly wins more from the player's than
// from that one. In a part of the deals, known from 0 to 1, the opponent has no choice and
// comes with its range. Otherwise nothing would be won from hands that take the offer.
func (s *Subgame) SolveSafe(player int, offer []float64, known float64, iterations int) []float32 {
	t := cfr.NewTrainer(s.Layout, algorithm, 1)
	opponent := 1 - player
	expected := s.Ranges[opponent]
	defer func() { s.Ranges[opponent] = expected }()
	g := gate.New(offer, expected, known)
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
