package publictree_test

import (
	"math"
	"path/filepath"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Ranges and strategies are what a policy answers hand by hand.
func TestSubgameRoot(t *testing.T) {
	g := pokertest.Game(t, "leduc")
	layout, err := publictree.Prepare(g, betting.Actions{}, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
	for range 20 {
		trainer.Step()
	}
	file := filepath.Join(t.TempDir(), "leduc.strategy")
	if err := trainer.Save(file, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	trained, err := policy.Open(file, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer trained.Close()
	ace, err := card.ParseSet("As")
	if err != nil {
		t.Fatal(err)
	}
	for segment := 1; segment < len(trained.Tree.Segments); segment++ {
		root := publictree.SubgameRoot{Policy: trained, Segment: segment}
		root.Board[1] = ace
		s, played, err := root.Subgame()
		if err != nil {
			t.Fatal(err)
		}
		ranges, round := s.Ranges, &s.Cards.Rounds[0]
		var path []acpc.Action
		for n := trained.Tree.Segments[segment].From; n > 0; n = trained.Tree.Parent(n) {
			path = append(path, trained.Tree.Nodes[n].Action())
		}
		for h, hole := range round.Hole {
			if hole == 0 {
				continue
			}
			want := [2]float64{1, 1}
			hand := g.NewState(0)
			for c := range hole.All() {
				hand.Holes[0][0], hand.Holes[1][0] = c, c
			}
			for c := range ace.All() {
				hand.Board[0] = c
			}
			for i := len(path) - 1; i >= 0; i-- {
				choices, err := trained.Choices(nil, &hand)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range choices {
					if c.Action == path[i] {
						want[hand.Actor()] *= float64(c.Probability)
					}
				}
				hand.Apply(path[i])
			}
			for p := range want {
				if math.Abs(ranges[p][h]-want[p]) > 1e-6 {
					t.Errorf("segment %d: player %d has %v with %g, want %g", segment, p, hole, ranges[p][h], want[p])
				}
			}
			choices, err := trained.Choices(nil, &hand)
			if err != nil {
				t.Fatal(err)
			}
			for a, c := range choices {
				if got := played[s.Entry(0)+a*round.Stride+h]; math.Abs(float64(got-c.Probability)) > 1e-6 {
					t.Errorf("segment %d: %v plays %v with %g, want %g", segment, hole, c.Action, got, c.Probability)
				}
			}
		}
	}
}
