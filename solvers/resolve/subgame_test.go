package resolve

import (
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// small is hold'em with 12 cards and one raise a round.
func small(t testing.TB) *acpc.Game {
	t.Helper()
	g, err := configs.Game("holdem-limit-12")
	if err != nil {
		t.Fatal(err)
	}
	for r := range g.NumRounds {
		g.MaxRaises[r] = 1
	}
	return g
}

// river returns the last of a game's last rounds, with the largest pot.
func river(g *acpc.Game) *betting.Tree {
	tree := betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20))
	return tree.From(len(tree.Segments) - 1)
}

func set(t testing.TB, text string) card.Set {
	t.Helper()
	s, err := card.ParseSet(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// all returns ranges of all hands.
func all(cards *abstraction.Cards) (r [2][]float64) {
	for p := range r {
		for _, size := range cards.Rounds[0].Size {
			r[p] = append(r[p], min(size, 1))
		}
	}
	return r
}

// gap returns what best responses of both players win from a strategy together, in chips a
// deal of two hands.
func gap(s *publictree.Layout, weights []float32) float64 {
	sum, deals := 0.0, 0.0
	e := publictree.NewEvaluator(s, 1)
	for p := range s.Ranges {
		_, best := e.Values(weights, p)
		for h, v := range best {
			sum += s.Ranges[p][h] * v
		}
	}
	holes := s.Cards.Rounds[0].Hole
	for i, a := range holes {
		for j, b := range holes {
			if a&b == 0 {
				deals += s.Ranges[0][i] * s.Ranges[1][j]
			}
		}
	}
	return sum / deals
}

// Best responses to the solution win next to nothing from ranges of any hands.
func TestSolve(t *testing.T) {
	last := river(small(t))
	cards := abstraction.NewOnBoard(last.Game, set(t, "QsQhKsKdAc"))
	ranges := all(cards)
	for h := range ranges[0] {
		ranges[0][h] *= float64(h%3) / 2
		ranges[1][h] *= float64(h%5) / 4
	}
	s := publictree.NewSubgame(last, cards, ranges)
	if before, after := gap(s, Solve(s, 1)), gap(s, Solve(s, 1000)); after > 0.01 || before < 1 {
		t.Errorf("best responses win %g chips after one iteration and %g after 1000", before, after)
	}
}

// What the opponent wins with each hand from a safe solution is no more than it is offered,
// also with hands that it is not expected to have; a solution for its range loses more there.
func TestSolveSafe(t *testing.T) {
	last := river(small(t))
	cards := abstraction.NewOnBoard(last.Game, set(t, "QsQhKsKdAc"))
	for player := range 2 {
		opponent := 1 - player
		ranges := all(cards)
		for h := range ranges[player] {
			ranges[player][h] *= float64(h%3) / 2
		}
		s := publictree.NewSubgame(last, cards, ranges)
		e := publictree.NewEvaluator(s, 1)
		_, offers := e.Values(Solve(s, 2000), opponent)
		for h := range ranges[opponent] {
			if h > 3 {
				ranges[opponent][h] = 0
			}
		}
		excess := func(weights []float32) (most float64) {
			_, best := e.Values(weights, opponent)
			for h, v := range best {
				most = max(most, v-offers[h])
			}
			return most
		}
		const tolerance = 0.2 // chips, summed over the player's hands
		o := Offer{Values: offers}
		if safe, unsafe := excess(SolveSafe(s, player, o, 2000)), excess(Solve(s, 2000)); safe > tolerance ||
			unsafe < 10*tolerance {
			t.Errorf("player %d: the opponent wins up to %g chips more than it is offered, and "+
				"%g where it is offered nothing", player, safe, unsafe)
		}
	}
}

// turnOf returns the subgame of a turn, with ranges of any hands.
func turnOf(t *testing.T) *publictree.Layout {
	t.Helper()
	g := small(t)
	tree := betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20))
	last := len(tree.Segments) - 1
	for tree.Segments[last].Round > 2 {
		last--
	}
	rest := tree.From(last)
	cards := abstraction.NewOnBoard(rest.Game, set(t, "QsQhKsKd"))
	ranges := all(cards)
	for h := range ranges[0] {
		ranges[0][h] *= float64(h%3) / 2
		ranges[1][h] *= float64(h%5) / 4
	}
	return publictree.NewSubgame(rest, cards, ranges)
}

// The values of all pairs of hands are those of the strategy.
func TestLimitedEnds(t *testing.T) {
	s := turnOf(t)
	played := Solve(s, 3)
	for player := range 2 {
		l := newLimited(s, player, played)
		hands := policy.FullRange(s.Cards.Rounds[0].Hole)
		values := l.ends(0, hands, [][]float64{hands})[0]
		want, _ := publictree.NewEvaluator(s, 1).Values(played, player)
		for i := range hands {
			got := 0.0
			for j, x := range s.Ranges[1-player] {
				got += values[i*len(hands)+j] * x
			}
			if hands[i] > 0 && math.Abs(got-want[i]) > 1e-6 {
				t.Fatalf("player %d wins %g with hand %d, want %g", player, got, i, want[i])
			}
		}
	}
}

// BenchmarkRiver solves a river of hold'em.
func BenchmarkRiver(b *testing.B) {
	g, err := configs.Game("holdem-limit-2p")
	if err != nil {
		b.Fatal(err)
	}
	last := river(g)
	board := set(b, "2c3d7hTsTc")
	for b.Loop() {
		cards := abstraction.NewOnBoard(last.Game, board)
		Solve(publictree.NewSubgame(last, cards, all(cards)), 200)
	}
}
