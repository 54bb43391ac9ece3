package aivat

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// saved returns a policy of a game by chance, in a file.
func saved(t *testing.T, name string, actions betting.Actions) *policy.Policy {
	t.Helper()
	g, err := configs.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	x := policy.NewIndex(betting.NewTree(g, actions.ShapeOf(g, 1<<20)), abstraction.New(g, abstraction.Lossless))
	random, file := rand.New(rand.NewPCG(1, 1)), filepath.Join(t.TempDir(), name+".strategy")
	err = x.Save(file, strategy.Meta{}, func(_ int32, _, _ int, weights []float32) {
		for a := range weights {
			weights[a] = random.Float32()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(file, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// Estimates with a strategy that is read as it is needed, or asked what it does, are those with
// the whole strategy in memory, played in the same style, and with one that forgets betting those
// with all of it.
func TestReadAsNeeded(t *testing.T) {
	purify := func(choices []policy.Choice) {
		most := 0
		for i, c := range choices {
			if c.Probability > choices[most].Probability {
				most = i
			}
		}
		for i := range choices {
			choices[i].Probability = 0
		}
		choices[most].Probability = 1
	}
	some, err := betting.ParseActions("fcpa")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, game string
		actions    betting.Actions
		play       func([]policy.Choice)
	}{
		{"some raises", "leduc-nolimit", some, nil},
		{"some raises, the likeliest actions", "leduc-nolimit", some, purify},
		{"forgotten betting", "leduc", betting.Actions{}.Forgetful(), nil},
	} {
		p := saved(t, test.game, test.actions)
		whole, err := ReadStrategy(p, test.play)
		if err != nil {
			t.Fatal(err)
		}
		read := &Strategy{Index: p.Index, played: belief.Played(p, test.play)}
		asked := PlayedBy(p.Tree.Game, read.player)
		var estimators [3]*Estimator
		for i, s := range []*Strategy{whole, read, asked} {
			if estimators[i], err = New(s, s, false); err != nil {
				t.Fatal(err)
			}
			estimators[i].showdowns = newShowdowns(s, s, false) // exact values are others
		}
		shuffler, random, known := acpc.NewShuffler(1), rand.New(rand.NewPCG(2, 2)), 0
		for hand := range 200 {
			s := p.Tree.Game.NewState(uint32(hand))
			shuffler.Deal(&s)
			for !s.Finished() {
				legal := slices.Collect(p.Tree.Shape.Betting.Legal(&s))
				s.Apply(legal[random.IntN(len(legal))])
			}
			want, wantErr := estimators[0].Estimate(&s, hand%2)
			got, err := estimators[1].Estimate(&s, hand%2)
			if got != want || (err == nil) != (wantErr == nil) {
				t.Errorf("%s: estimate %g, %v; of the whole strategy %g, %v", test.name, got, err, want, wantErr)
			}
			if got, err := estimators[2].Estimate(&s, hand%2); got != want || (err == nil) != (wantErr == nil) {
				t.Errorf("%s: estimate %g, %v, of a player that is asked; of the whole strategy %g, %v", test.name,
					got, err, want, wantErr)
			}
			if err != nil {
				continue
			}
			known++
			unseen, err := estimators[1].EstimateUnseen(&s, hand%2)
			s.Holes[hand%2] = s.Holes[1-hand%2] // cards that it cannot have
			if again, againErr := estimators[1].EstimateUnseen(&s, hand%2); err != nil ||
				againErr != nil || again != unseen {
				t.Errorf("%s: estimate %g without the player's cards, %v, and %g with others, %v", test.name, unseen,
					err, again, againErr)
			}
		}
		if known < 20 {
			t.Errorf("%s: only %d hands are estimated", test.name, known)
		}
	}
}
