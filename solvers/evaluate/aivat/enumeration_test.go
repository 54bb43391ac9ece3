package aivat

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// open lays a shipped game out with all its cards.
func open(t *testing.T, name string) *publictree.Layout {
	t.Helper()
	file, text, err := configs.GameText(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := acpc.ParseGame(file, text)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := publictree.Prepare(g, betting.Actions{}, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return layout
}

// trained returns a strategy after some iterations, or one by chance for none.
func trained(layout *publictree.Layout, iterations int, seed uint64) *Strategy {
	if iterations == 0 {
		return chance(layout.Index, seed)
	}
	trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
	for range iterations {
		trainer.Step()
	}
	return newStrategy(layout.Index, trainer.Weights(), nil)
}

// chance returns a strategy by chance, which never plays some actions.
func chance(x *policy.Index, seed uint64) *Strategy {
	rng, weights := rand.New(rand.NewPCG(seed, 0)), make([]float32, x.Entries)
	for i := range weights {
		weights[i] = max(0, rng.Float32()-0.2)
	}
	return newStrategy(x, weights, nil)
}

// everything calls f with every hand that two strategies can play, and its
// probability. players are by position.
func everything(e *Estimator, players [2]*Strategy, f func(s *acpc.State, p float64)) {
	g := e.tree.Game
	var deal func(s acpc.State, used card.Set, position int, p float64)
	var board func(s acpc.State, used card.Set, round, at int, p float64)
	var play func(s acpc.State, node int32, p float64)
	deal = func(s acpc.State, used card.Set, position int, p float64) {
		if position == 2 {
			board(s, used, 0, 0, p)
			return
		}
		ways := e.hands.without(nil, used)
		for _, x := range ways {
			hole := e.hands.holes[x]
			for i, c := range cardsOf(hole) {
				s.Holes[position][i] = c
			}
			deal(s, used|hole, position+1, p/float64(len(ways)))
		}
	}
	board = func(s acpc.State, used card.Set, round, at int, p float64) {
		if round == g.NumRounds {
			play(s, 0, p)
			return
		}
		var ways []card.Set
		card.Subsets(e.hands.rest(used), int(g.NumBoardCards[round]), func(c card.Set) { ways = append(ways, c) })
		for _, way := range ways {
			for i, c := range cardsOf(way) {
				s.Board[at+i] = c
			}
			board(s, used|way, round+1, at+int(g.NumBoardCards[round]), p/float64(len(ways)))
		}
	}
	play = func(s acpc.State, node int32, p float64) {
		if s.Finished() {
			f(&s, p)
			return
		}
		for e.tree.Nodes[node].Kind == betting.Deal {
			node = e.tree.Segments[e.tree.Nodes[node].First].First
		}
		n := &e.tree.Nodes[node]
		o := observed{Estimator: e, state: &s}
		hole := card.SetOf(s.Holes[n.Actor][:g.NumHoleCards]...)
		bucket := players[n.Actor].bucket(s.Round(), policy.BoardOf(o.state, s.Round()), hole)
		for a := range int(n.NumActions) {
			if q := players[n.Actor].of(node, a)[bucket]; q > 0 {
				next := s
				next.Apply(e.tree.Nodes[int(n.First)+a].Action())
				play(next, n.First+int32(a), p*q)
			}
		}
	}
	deal(g.NewState(0), 0, 0, 1)
}

func cardsOf(s card.Set) (cards []card.Card) {
	for c := range card.Card(card.DeckSize) {
		if s.Has(c) {
			cards = append(cards, c)
		}
	}
	return cards
}

// The mean of the estimates over all that can happen, each with its probability, is
// the mean of the winnings, and each of their corrections is zero in the mean: with any
// value function, whichever player is known, and whatever the other one plays.
func TestUnbiased(t *testing.T) {
	for _, game := range []string{"kuhn", "leduc"} {
		layout := open(t, game)
		good, bad, weird := trained(layout, 300, 0), trained(layout, 3, 0), trained(layout, 0, 1)
		for _, test := range []struct {
			name                 string
			known, model, actual *Strategy
			otherKnown, noise    bool
		}{
			{"an equilibrium against itself", good, good, good, false, false},
			{"an equilibrium against a beginner taken for its equal", good, good, bad, false, false},
			{"a beginner against chance taken for an equilibrium", bad, good, weird, false, false},
			{"chance against a beginner", weird, weird, bad, false, false},
			{"both known", bad, weird, weird, true, false},
			{"values by chance", bad, weird, good, false, true},
			{"values by chance, both known", weird, good, good, true, true},
		} {
			t.Run(game+", "+test.name, func(t *testing.T) {
				e, err := New(test.known, test.model, test.otherKnown)
				if err != nil {
					t.Fatal(err)
				}
				if test.noise { // values of other strategies
					other, err := New(weird, trained(layout, 0, 2), false)
					if err != nil {
						t.Fatal(err)
					}
					e.values = other.values
				}
				for seat := range 2 {
					players := [2]*Strategy{test.actual, test.actual}
					players[seat] = test.known
					m := newExpectation(t, e, seat)
					everything(e, players, m.add)
					luck, left := m.check(1e-9)
					if !test.noise && left > luck {
						t.Errorf("seat %d: the estimate's variance %g is over %g", seat+1, left, luck)
					}
				}
			})
		}
	}
}

// expectation sums up what is won and estimated over all that can happen.
type expectation struct {
	t                           *testing.T
	e                           *Estimator
	seat                        int
	total, won, estimate        float64
	wonSquared, estimateSquared float64
	means                       Corrections
	hands                       int
}

func newExpectation(t *testing.T, e *Estimator, seat int) *expectation {
	return &expectation{t: t, e: e, seat: seat}
}

// add adds a finished hand of a probability.
func (m *expectation) add(s *acpc.State, p float64) {
	c, err := m.e.Corrections(s, m.seat)
	if err != nil {
		m.t.Fatal(err)
	}
	for i, x := range c {
		m.means[i] += p * x
	}
	won, estimate := s.Value(m.seat), s.Value(m.seat)+c.Sum()
	if m.hands++; m.hands%8 == 0 {
		if unseen, err := m.e.EstimateUnseen(s, m.seat); err != nil || math.Abs(unseen-estimate) > 1e-9 {
			m.t.Fatalf("estimate %g without the player's cards, %g with them, %v", unseen, estimate, err)
		}
	}
	m.total += p
	m.won += p * won
	m.estimate += p * estimate
	m.wonSquared += p * won * won
	m.estimateSquared += p * estimate * estimate
}

// check holds the estimate's mean to that of the winnings, and each correction's to zero. It
// returns the variances of the winnings and of the estimate.
func (m *expectation) check(within float64) (luck, left float64) {
	luck, left = m.wonSquared-m.won*m.won, m.estimateSquared-m.estimate*m.estimate
	m.t.Logf("seat %d: %.6f, variance %.4f, of the estimate %.4f: %.1f times", m.seat+1, m.won, luck, left, luck/left)
	if math.Abs(m.total-1) > 1e-9 || math.Abs(m.won-m.estimate) > within {
		m.t.Errorf("seat %d: hands of probability %g win %.12f, estimated %.12f", m.seat+1, m.total, m.won, m.estimate)
	}
	for i, x := range m.means {
		if math.Abs(x) > within {
			m.t.Errorf("seat %d: term %d is %g in the mean", m.seat+1, i, x)
		}
	}
	return luck, left
}

// A hand is refused where its cards are not known, where it is not over, or where the
// strategy does not do what was done.
func TestEstimateRefuses(t *testing.T) {
	layout := open(t, "kuhn")
	weights := make([]float32, layout.Entries)
	e, err := New(newStrategy(layout.Index, weights, func(c []policy.Choice) {
		for i := range c {
			c[i].Probability = 0
		}
		c[len(c)-1].Probability = 1 // raises, and calls where that is not allowed
	}), trained(layout, 0, 1), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ state, want string }{
		{"STATE:0:rc:As|Ks", ""},
		{"STATE:0:cc:As|Ks", "not what the strategy plays"},
		{"STATE:0:rc:As|", "position 2 are not known"},
		{"STATE:0:rc:As|As", "dealt twice"},
		{"STATE:0:r:As|Ks", "not finished"},
	} {
		s, _, err := e.tree.Game.ParseState(test.state)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Estimate(&s, 0)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.state, err, test.want)
		}
	}
}
