package cfr

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

func actions(t testing.TB, text string) betting.Actions {
	t.Helper()
	a, err := betting.ParseActions(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// after plays a betting such as "r300 c" of a shipped game.
func after(t testing.TB, game string, betting ...acpc.Action) acpc.State {
	t.Helper()
	s := pokertest.Game(t, game).NewState(0)
	for _, a := range betting {
		if err := s.Check(a); err != nil {
			t.Fatal(err)
		}
		s.Apply(a)
	}
	return s
}

func raiseTo(size int32) acpc.Action { return acpc.Action{Type: acpc.Raise, Size: size} }

var callAction, foldAction = acpc.Action{Type: acpc.Call}, acpc.Action{Type: acpc.Fold}

// TestNoLimitConverges trains abstractions of no-limit Leduc; with the raises of
// another, a best response can only win more.
func TestNoLimitConverges(t *testing.T) {
	for _, text := range []string{"fca", "fcpa", "fchpa", "f,c,0.5,1,2,a"} {
		l, err := publictree.Prepare(pokertest.Game(t, "leduc-nolimit"), actions(t, text), abstraction.Lossless, budget)
		if err != nil {
			t.Fatal(err)
		}
		trainer := NewTrainer(l, algorithm(t, "cfr+"), 2)
		for range 1000 {
			trainer.Step()
		}
		e := publictree.NewEvaluator(l, 1).Evaluate(trainer.Weights())
		if x := e.Exploitability(); x > 0.2 { // 2 mb
			t.Errorf("%s: exploitability %v after 1000 iterations", text, x)
		}
		if sum := e.Value[0] + e.Value[1]; math.Abs(sum) > 1e-9 {
			t.Errorf("%s: values sum to %v", text, sum)
		}
	}
}

// noLimitPolicy trains no-limit Leduc a little, with fcpa.
func noLimitPolicy(t testing.TB) *policy.Policy {
	t.Helper()
	l, err := publictree.Prepare(pokertest.Game(t, "leduc-nolimit"), betting.FCPA, abstraction.Lossless, budget)
	if err != nil {
		t.Fatal(err)
	}
	trainer := NewTrainer(l, Algorithms[0], 1)
	for range 50 {
		trainer.Step()
	}
	path := filepath.Join(t.TempDir(), "strategy")
	if err := trainer.Save(path, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(path, budget, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	if p.Meta().Actions != "fcpa" || p.Tree.Shape.Nodes != l.Tree.Shape.Nodes {
		t.Errorf("read back with actions %q", p.Meta().Actions)
	}
	return p
}

// TestTranslateKnown checks that nothing changes inside of the tree, and which
// raises are taken for which.
func TestTranslateKnown(t *testing.T) {
	p := noLimitPolicy(t)
	for _, test := range []struct {
		betting []acpc.Action
		draw    float64
		raises  int
		want    []acpc.Action
	}{
		{nil, 0, 0, []acpc.Action{callAction, raiseTo(300), raiseTo(1200)}},
		{[]acpc.Action{raiseTo(300)}, 0, 0, []acpc.Action{foldAction, callAction, raiseTo(900), raiseTo(1200)}},
		// A raise to 200 is half the pot: less than the least that is known.
		// The answer is the pot of the real hand: 200 + 400.
		{[]acpc.Action{raiseTo(200)}, .9, 1, []acpc.Action{foldAction, callAction, raiseTo(600), raiseTo(1200)}},
		// 600 is 2.5 pots, between 1 and 5.5: for the lower one with 3/4.5·2/3.5.
		{[]acpc.Action{raiseTo(600)}, .38, 1, []acpc.Action{foldAction, callAction, raiseTo(1200), raiseTo(1200)}},
		{[]acpc.Action{raiseTo(600)}, .39, 1, []acpc.Action{foldAction, callAction}},
		// All-in is all-in, from anywhere.
		{[]acpc.Action{raiseTo(200), raiseTo(1200)}, 0, 0, []acpc.Action{foldAction, callAction}},
	} {
		s := after(t, "leduc-nolimit", test.betting...)
		s.Holes[0][0], s.Holes[1][0] = s.Game().Deck()[0], s.Game().Deck()[1]
		choices, at, err := p.Translate(nil, &s, func(int) float64 { return test.draw })
		if err != nil {
			t.Fatalf("%v: %v", test.betting, err)
		}
		var got []acpc.Action
		total := float32(0)
		for _, c := range choices {
			got = append(got, c.Action)
			total += c.Probability
		}
		if !slices.Equal(got, test.want) || at.Mapped != test.raises || math.Abs(float64(total)-1) > 1e-5 {
			t.Errorf("%v: %v with %d raises of others, want %v with %d", test.betting, choices, at.Mapped,
				test.want, test.raises)
		}
	}
	// The tree's player is all-in when the hand goes on.
	s := after(t, "leduc-nolimit", raiseTo(600), callAction)
	s.Holes[0][0], s.Holes[1][0], s.Board[0] = s.Game().Deck()[0], s.Game().Deck()[1], s.Game().Deck()[2]
	s.Apply(callAction)
	if _, _, err := p.Translate(nil, &s, func(int) float64 { return .9 }); !errors.Is(err, betting.ErrNoDecision) {
		t.Errorf("error %v, want %v", err, betting.ErrNoDecision)
	}
}

// TestTranslateAnything plays against every kind of raise: the chosen action is
// legal, the same when asked again, and known to the tree where nothing was
// translated.
func TestTranslateAnything(t *testing.T) {
	p := noLimitPolicy(t)
	g := p.Tree.Game
	rng := rand.New(rand.NewPCG(1, 1))
	translated, lost := 0, 0
	for hand := range uint32(3000) {
		s := g.NewState(hand)
		acpc.NewShuffler(hand).Deal(&s)
		var draws [2 * acpc.MaxActions]float64
		for i := range draws {
			draws[i] = rng.Float64()
		}
		draw := func(i int) float64 { return draws[i] }
		for !s.Finished() {
			if s.Actor() == int(hand)%2 {
				s.Apply(anything(rng, &s))
				continue
			}
			choices, at, err := p.Translate(nil, &s, draw)
			if errors.Is(err, betting.ErrNoDecision) {
				lost++
				s.Apply(callAction)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if again, _, _ := p.Translate(nil, &s, draw); !slices.Equal(again, choices) {
				t.Fatalf("%v: %v, then %v", &s, choices, again)
			}
			if at.Mapped > 0 {
				translated++
			} else if p.Tree.Find(&s) < 0 {
				t.Fatalf("%v: not in the tree, and nothing was translated", &s)
			}
			for _, c := range choices {
				if err := s.Check(c.Action); err != nil {
					t.Fatalf("%v: %v", &s, err)
				}
			}
			s.Apply(choices[rng.IntN(len(choices))].Action)
		}
	}
	if translated == 0 || lost == 0 {
		t.Errorf("%d translated, %d lost: the test does not test that", translated, lost)
	}
}

// anything returns some legal action.
func anything(rng *rand.Rand, s *acpc.State) acpc.Action {
	if low, high, ok := s.RaiseBounds(); ok && rng.IntN(2) == 0 {
		return raiseTo(low + int32(rng.IntN(int(high-low)+1)))
	}
	return callAction
}
