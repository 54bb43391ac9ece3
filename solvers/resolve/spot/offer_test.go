package spot

import (
	"errors"
	"math"
	"testing"

	"gamebots/acpc/card"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A best response wins with no hand more from a safe solution than the hand is offered, also
// if it is not expected; from a solution for the range alone such hands win more.
func TestOffer(t *testing.T) {
	const text = "22+,A2s+,K9s+,QTs+,AJo+"
	for player := range 2 {
		opponent := 1 - player
		s := testSpot(t, "QsJh2h8d3c", text, text, 100, 300, "100", "a")
		offers := responses(testSolver(t, s, "dcfr", 500, 1), opponent)
		s.Ranges[opponent] = testSpot(t, "QsJh2h8d3c", "KK,JJ", "KK,JJ", 100, 300, "100", "a").Ranges[0]
		excess := func(known float64) (most float64) {
			s.Offer = &Offer{Player: opponent, Values: offers, Known: known}
			won := responses(testSolver(t, s, "dcfr", 500, 1), opponent)
			if len(won) != len(offers) {
				t.Fatalf("%d hands instead of %d", len(won), len(offers))
			}
			for hole, x := range won {
				most = max(most, x-offers[hole])
			}
			return most
		}
		const tolerance = 1.5 // chips of a pot of 100
		if safe, unsafe := excess(0), excess(1); safe > tolerance || unsafe < 5*tolerance {
			t.Errorf("player %d: a hand wins up to %g chips more than its offer, and %g where it is offered nothing",
				player, safe, unsafe)
		}
	}
}

// Exploitability is that of the game that is solved, with the choice, and so it vanishes. What best responses win
// from the solution with the ranges alone does not: the other player is solved for hands that come by choice.
func TestExploitabilityWithOffer(t *testing.T) {
	const text = "22+,A2s+,K9s+,QTs+,AJo+"
	s := testSpot(t, "QsJh2h8d3c", text, text, 100, 300, "100", "a")
	offers := responses(testSolver(t, s, "dcfr", 500, 1), 1)
	const small = .1 // chips; the pot has 100
	s.Ranges[1] = testSpot(t, "QsJh2h8d3c", "KK,JJ", "KK,JJ", 100, 300, "100", "a").Ranges[0]
	for _, known := range []float64{0, .5, 1} {
		s.Offer = &Offer{Player: 1, Values: offers, Known: known}
		early := testSolver(t, s, "dcfr", 20, 1).Solution().Exploitability()
		solution := testSolver(t, s, "dcfr", 1000, 1).Solution()
		ranges := solution.Evaluate()
		if x := solution.Exploitability(); !(x > -1e-3 && x < small && x < early) {
			t.Errorf("known %g: %g chips, %g after 20 iterations", known, x, early)
		}
		x, alone := solution.Exploitability(), ranges.Exploitability()
		if same := math.Abs(x-alone) < 1e-3; same != (known == 1) {
			t.Errorf("known %g: %g chips, %g for the ranges alone", known, x, alone)
		}
	}
}

// responses returns what the hands of a player win with best responses: their part of the pot.
func responses(s *Solver, player int) map[card.Set]float64 {
	won := map[card.Set]float64{}
	root := s.Boards[s.First][0]
	opposing := opposing(root, player, s.reach[1-player])
	for i, x := range s.traverse(
		&pass{Pass: layout.Pass{Purpose: layout.Respond, Player: player}})[:len(root.Hands[player].Holes)] {
		won[root.Hands[player].Holes[i].Set()] = float64(x/opposing[i]) + float64(s.spot.Pot)/2
	}
	return won
}

func TestOfferRefused(t *testing.T) {
	for _, o := range []Offer{{Player: 2}, {Player: -1}, {Known: 1.5}, {Known: -1}, {Known: math.NaN()}} {
		s := testSpot(t, "QsJh2h8d3c", "AA", "KK", 100, 300, "100", "a")
		s.Offer = &o
		if err := s.Check(); !errors.As(err, new(*FieldError)) {
			t.Errorf("%+v: error %v", o, err)
		}
	}
}
