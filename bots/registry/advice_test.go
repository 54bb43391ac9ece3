package registry

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/cfrtest"
)

// trained returns an advisor with a strategy that was trained for some iterations.
func trained(t testing.TB, name string, iterations int) *Advisor {
	t.Helper()
	a, err := newAdvisor(cfrtest.Trained(t, name, "all", cfr.Algorithms[0], iterations))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// hand returns a hand with cards from the deck and some actions.
func hand(g *acpc.Game, cards []int, actions string) acpc.State {
	s := g.NewState(0)
	deck := g.Deck()
	for p := range g.NumPlayers {
		s.Holes[p][0] = deck[cards[p]]
	}
	for i, c := range cards[g.NumPlayers:] {
		s.Board[i] = deck[c]
	}
	for _, c := range actions {
		a, _, _ := g.ParseAction(string(c))
		s.Apply(a)
	}
	return s
}

// The values of Kuhn poker are those that can be computed by hand: with a king a call wins
// 2 from whatever has bet, with a jack it loses 2, and folding loses the ante.
func TestValuesOfKuhn(t *testing.T) {
	a := trained(t, "kuhn", 2000)
	g := a.strategy.Game()
	for card, want := range map[int]float64{0: -2, 2: 2} { // a jack, a king
		other := 2 - card
		s := hand(g, []int{other, card}, "r")
		advice, err := a.Advise(&s)
		if err != nil || len(advice) != 2 {
			t.Fatal(advice, err)
		}
		for _, action := range advice {
			won := map[string]float64{"f": -1, "c": want}[action.Move]
			if value := *action.Value; math.Abs(value-won) > 1e-12 {
				t.Errorf("with card %d %s wins %g", card, action.Move, value)
			}
		}
	}
}

// Values add up: at the first decision of a hand their mean over all cards, each action as
// often as the strategy takes it, is the value of the game, and Leduc's is −0.0856.
func TestValuesAddUp(t *testing.T) {
	for name, want := range map[string]float64{"kuhn": -1. / 18, "leduc": -0.0856} {
		a := trained(t, name, 1000)
		g := a.strategy.Game()
		sum, n := 0.0, 0
		for own := range g.Deck() {
			cards := []int{own, (own + 1) % len(g.Deck())}
			s := hand(g, cards, "")
			advice, err := a.Advise(&s)
			if err != nil {
				t.Fatal(err)
			}
			for _, action := range advice {
				sum += action.Share * *action.Value
			}
			n++
		}
		if got := sum / float64(n); math.Abs(got-want) > 2e-3 {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
}

// What is said of a hand depends on no card that its player does not see, also not by the
// result without luck, nor by whether there is one: not even for a hand that was folded, or if
// the opponent did what the strategy never does with its cards.
func TestNothingOfHiddenCards(t *testing.T) {
	text := func(chips *float64) string {
		if chips == nil {
			return "unknown"
		}
		return strconv.FormatFloat(*chips, 'x', -1, 64)
	}
	a := trained(t, "leduc", 300)
	g := a.strategy.Game()
	n := len(g.Deck())
	compared := 0
	for _, actions := range []string{"rf", "crf", "rrc" + "crf", "cc" + "rf", "cc" + "crrf", "rc" + "cc"} {
		for own := range n {
			for board := range n {
				var fair []string // to the bit
				for other := range n {
					if own == board || own == other || other == board {
						continue
					}
					s := hand(g, []int{own, other, board}, actions)
					a.fair.Purge() // its keys have no cards of the opponent's, either
					chips, _ := a.Fair(&s, 0)
					fair = append(fair, text(chips))
				}
				compared += len(fair) - 1
				for _, chips := range fair {
					if chips != fair[0] {
						t.Fatalf("%s with card %d on %d: %v", actions, own, board, fair)
					}
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d pairs are compared", compared)
	}
	before := hand(g, []int{0, 1, 2}, "r")
	after := hand(g, []int{3, 1, 5}, "r")
	first, err := a.rate(&before)
	if err != nil {
		t.Fatal(err)
	}
	second, err := a.rate(&after)
	if err != nil || *first[1].Value != *second[1].Value || first[1].Share != second[1].Share {
		t.Errorf("%+v, %+v, %v", first, second, err)
	}
}

// Without luck a player who follows the strategy against itself wins its value, with a
// spread that is a small part of that of the chips.
func TestFairHasLessSpread(t *testing.T) {
	a := trained(t, "leduc", 1000)
	g := a.strategy.Game()
	shuffler, rng := acpc.NewShuffler(1), rand.New(rand.NewPCG(1, 1))
	var won, fair [2]float64 // sums of values and of squares
	const hands = 2000
	for range hands {
		s := g.NewState(0)
		shuffler.Deal(&s)
		for !s.Finished() {
			j, err := a.strategy.Judge(&s)
			if err != nil {
				t.Fatal(err)
			}
			at, chosen := rng.Float64(), len(j.Actions)-1
			for i, p := range j.Probabilities {
				if at < p {
					chosen = i
					break
				}
				at -= p
			}
			s.Apply(j.Actions[chosen].Action)
		}
		known, _ := a.Fair(&s, 0)
		if known == nil {
			t.Fatal("not known")
		}
		chips := *known
		fair[0], fair[1] = fair[0]+chips, fair[1]+chips*chips
		won[0], won[1] = won[0]+s.Value(0), won[1]+s.Value(0)*s.Value(0)
	}
	if fair[1] > won[1]/4 || math.Abs(fair[0]/hands+0.0856) > 0.1 {
		t.Errorf("won %v, without luck %v", won, fair)
	}
}

// While values are computed in the background the strategy is in use. They are known after that, or after an error
// never.
func TestPreparing(t *testing.T) {
	a := trained(t, "kuhn", 10)
	want := a.estimator.Swap(nil)
	l := Library{"kuhn": {"cfr": a}}
	s := hand(a.strategy.Game(), []int{0, 1}, "cc")
	a.prepare.Do(func() { a.preparing.Store(true) })
	if _, later := a.Fair(&s, 0); !later || !l.Preparing() {
		t.Errorf("known later %t, preparing %t", later, l.Preparing())
	}
	a.preparing.Store(false)
	if chips, later := a.Fair(&s, 0); chips != nil || later || l.Preparing() {
		t.Errorf("after an error: %v, known later %t, preparing %t", chips, later, l.Preparing())
	}
	a.estimator.Store(want)
	if chips, later := a.Fair(&s, 0); chips == nil || later {
		t.Errorf("with values: %v, known later %t", chips, later)
	}
}
