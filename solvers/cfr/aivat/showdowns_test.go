package aivat

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/configs"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/belief"
	"gamebots/solvers/cfr/betting"
)

// sparse returns a strategy of no-limit Leduc with some raises.
func sparse(t *testing.T, actions string, iterations int) *Strategy {
	t.Helper()
	g, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := betting.ParseActions(actions)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := cfr.Prepare(g, parsed, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return trained(layout, iterations, 1)
}

// playout calls f with every way to play a hand that is dealt, and its probability.
func playout(t *testing.T, s *acpc.State, players [2]belief.Player, hands [2]int, p float64, f func(s *acpc.State, p float64)) {
	t.Helper()
	if s.Finished() {
		f(s, p)
		return
	}
	c, err := players[s.Actor()].Choices(s)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range c.Of(hands[s.Actor()]) {
		if q > 0 {
			playout(t, belief.After(s, c.Actions[i]), players, hands, p*q, f)
		}
	}
}

// With raises that a strategy does not know, and takes for others by a draw that no log has, the
// mean of the estimates over all that can happen is that of the winnings, and each correction
// is zero in the mean: whichever player is known, and whether both are.
func TestUnbiasedWithoutAllRaises(t *testing.T) {
	pot, halves, weird := sparse(t, "fcpa", 20), sparse(t, "f,c,0.5,2,a", 5), sparse(t, "f,c,0.7,a", 0)
	for _, test := range []struct {
		name          string
		known, actual *Strategy
		otherKnown    bool
	}{
		{"other raises", pot, halves, false},
		{"by chance, both known", weird, pot, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, err := New(test.known, test.actual, test.otherKnown, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			g := test.known.Tree.Game
			for seat := range 2 {
				known, actual := belief.NewStrategy(test.known.Index, test.known.played), belief.NewStrategy(test.actual.Index, test.actual.played)
				players := [2]belief.Player{actual, actual}
				players[seat] = known
				m := newExpectation(t, e, seat)
				for i, a := range e.hands.holes {
					for j, b := range e.hands.holes {
						card.Subsets(e.hands.rest(a|b), 1, func(board card.Set) {
							if a == b {
								return
							}
							s := g.NewState(0)
							s.Holes[0][0], s.Holes[1][0], s.Board[0] = cardsOf(a)[0], cardsOf(b)[0], cardsOf(board)[0]
							playout(t, &s, players, [2]int{i, j}, 1./(6*5*4), m.add)
						})
					}
				}
				luck, left := m.check(1e-7)
				if left > luck/2 {
					t.Errorf("seat %d: the estimate's variance %g is over half of %g", seat+1, left, luck)
				}
			}
		})
	}
}

// An action that the strategy never takes is an error, also after raises that it does not know.
func TestNotPlayedWithoutAllRaises(t *testing.T) {
	known := sparse(t, "fcpa", 20)
	e, err := New(known, known, false, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := known.Tree.Game.NewState(3)
	s.Holes[0][0], s.Holes[1][0] = card.New(12, 3), card.New(11, 3)
	s.Apply(acpc.Action{Type: acpc.Raise, Size: 230}) // of the other player
	s.Apply(acpc.Action{Type: acpc.Raise, Size: 470}) // not the pot, nor all-in
	s.Apply(acpc.Action{Type: acpc.Fold})
	if _, err := e.Estimate(&s, 1); !errors.Is(err, ErrNotPlayed) {
		t.Errorf("error %v, want %v", err, ErrNotPlayed)
	}
}

// Games with all raises that are too large for exact values are estimated by showdowns, too: the
// mean is that of the winnings, within its error, with less variance.
func TestShowdownsOfLargeGames(t *testing.T) {
	g, err := configs.Game("rhode-island")
	if err != nil {
		t.Fatal(err)
	}
	index := cfr.NewIndex(betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20)), abstraction.NewBoardless(g))
	known, other := chance(index, 1), chance(index, 2)
	e, err := New(known, other, false, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.showdowns == nil {
		t.Fatal("the values are exact")
	}
	random := rand.New(rand.NewPCG(3, 0))
	shuffler := acpc.NewShuffler(3)
	var won, luck, left stats.Sample
	for hand := range 800 {
		seat := hand % 2
		s := g.NewState(uint32(hand))
		shuffler.Deal(&s)
		for !s.Finished() {
			players := [2]*Strategy{other, other}
			players[seat] = known
			p := players[s.Actor()]
			node := index.Tree.Find(&s)
			probabilities, err := p.played(nil, node, index.Buckets.Bucket(s.Round(), cfr.DealOf(&s)))
			if err != nil {
				t.Fatal(err)
			}
			a, x := 0, random.Float64()
			for x -= probabilities[0]; x >= 0 && a+1 < len(probabilities); x -= probabilities[a] {
				a++
			}
			s.Apply(index.Tree.Nodes[int(index.Tree.Nodes[node].First)+a].Action())
		}
		x, err := e.Estimate(&s, seat)
		if err != nil {
			t.Fatal(err)
		}
		won.Add(s.Value(seat) - x)
		luck.Add(s.Value(seat))
		left.Add(x)
	}
	if math.Abs(won.Mean()) > 4*won.StandardError() {
		t.Errorf("won %g ± %g more than estimated", won.Mean(), won.StandardError())
	}
	if left.Variance() > luck.Variance()/2 {
		t.Errorf("the estimate's variance %g is over half of %g", left.Variance(), luck.Variance())
	}
}
