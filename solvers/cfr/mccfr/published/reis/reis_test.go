package reis

import (
	"math"
	"slices"
	"testing"

	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
)

// TestLevelOrder compares the bits of LevelOrder with those of DepthFirst, for several
// numbers of threads.
func TestLevelOrder(t *testing.T) {
	games := slices.Concat(mccfrtest.Small(t, mccfr.NewGame),
		mccfrtest.Games(t, mccfr.NewGame, mccfrtest.Boardless, "reis-a", "reis-d"),
		mccfrtest.Games(t, mccfr.NewGame, mccfrtest.FewBuckets, "holdem-limit-2p", "reis-c"))
	for _, g := range games {
		steps := 300
		if len(g.Nodes) > 1000 {
			steps = 100_000/len(g.Nodes) + 2
		}
		want := NewDepthFirst(g, 7)
		for range steps {
			want.Step()
		}
		if slices.Max(want.StrategySum) == 0 || slices.Max(want.Regret) == 0 {
			t.Fatalf("%s: nothing was learned", g.Rules.Name)
		}
		for _, threads := range []int{1, 2, 3} {
			got := NewLevelOrder(g, 7, threads)
			for range steps {
				got.Step()
			}
			if !slices.Equal(got.AverageUtility(), want.AverageUtility()) {
				t.Errorf("%s, %d threads: utility %v, want %v", g.Rules.Name, threads, got.AverageUtility(),
					want.AverageUtility())
			}
			if !sameEntries(got.Game, got.StrategySum, want.Game, want.StrategySum) {
				t.Errorf("%s, %d threads: different strategy sums", g.Rules.Name, threads)
			}
			if !sameEntries(got.Game, got.Regret, want.Game, want.Regret) {
				t.Errorf("%s, %d threads: different regrets", g.Rules.Name, threads)
			}
		}
	}
}

// sameEntries reports whether entries of a game in two orders have the same bits.
func sameEntries(g *mccfr.Game, of []float32, h *mccfr.Game, other []float32) bool {
	var same func(i, j int32) bool
	same = func(i, j int32) bool {
		if i < 0 || j < 0 {
			return i == j
		}
		n, m := &g.Nodes[i], &h.Nodes[j]
		for b := range g.Buckets.NumBuckets(int(n.Round)) {
			x := of[g.Rows[n.Round][n.Actor].Of(b)+int(n.Offset):][:n.Actions]
			y := other[h.Rows[m.Round][m.Actor].Of(b)+int(m.Offset):][:m.Actions]
			if !slices.Equal(x, y) {
				return false
			}
		}
		for a := range int(n.Actions) {
			if !same(g.Children[g.FirstAction(n)+a], h.Children[h.FirstAction(m)+a]) {
				return false
			}
		}
		return true
	}
	return same(0, 0)
}

// TestConverges compares chance sampling with simultaneous updates with the values
// of games. The exploitability has to fall as the square root of the steps.
func TestConverges(t *testing.T) {
	for _, test := range []struct {
		game           string
		steps          int
		exploitability float64 // upper bound
		position       int
		value, within  float64
	}{
		{"kuhn", 100_000, .006, 0, -1. / 18, .002},
		{"kuhn-3p", 100_000, .006, 1, -1. / 48, .003},
		{"leduc", 50_000, .06, 0, -.0856064, .01},
	} {
		g := mccfrtest.Game(t, mccfr.NewGame, test.game, mccfrtest.Lossless)
		r := NewDepthFirst(g, 1)
		e := mccfrtest.Evaluator(g.Rules, g.Shape.Betting, g.Buckets)
		for range test.steps / 16 {
			r.Step()
		}
		early := e.Evaluate(r.Weights()).Exploitability()
		for int(r.Iterations()) < test.steps {
			r.Step()
		}
		got := e.Evaluate(r.Weights())
		if x := got.Exploitability(); x > test.exploitability || x > early/2 {
			t.Errorf("%s: exploitability %v after %d steps, %v after a sixteenth of them", test.game, x, test.steps,
				early)
		}
		if v := got.Value[test.position]; math.Abs(v-test.value) > test.within {
			t.Errorf("%s: value %v, want %v", test.game, v, test.value)
		}
		// What was won on the way there is the sum of the strategies' values
		// and of luck with the cards.
		if v := r.AverageUtility()[test.position]; math.Abs(v-test.value) > .05 {
			t.Errorf("%s: average utility %v, want about %v", test.game, v, test.value)
		}
	}
}

// An interruption changes nothing.
func TestResumes(t *testing.T) {
	g := mccfrtest.Game(t, mccfr.NewGame, "leduc", mccfrtest.Lossless)
	want, first, second := NewDepthFirst(g, 3), NewDepthFirst(g, 3), NewDepthFirst(g, 3)
	for range 10 {
		want.Step()
		want.Step()
		first.Step()
	}
	mccfrtest.Resume(t, first, second)
	for range 10 {
		second.Step()
	}
	if !slices.Equal(second.StrategySum, want.StrategySum) ||
		!slices.Equal(second.AverageUtility(), want.AverageUtility()) {
		t.Error("an interruption changes the bits")
	}
}

// TestSave writes strategies and reads them back as a player does.
func TestSave(t *testing.T) {
	g := mccfrtest.Game(t, mccfr.NewGame, "leduc", mccfrtest.Lossless)
	mccfrtest.Save(t, mccfrtest.Evaluator(g.Rules, g.Shape.Betting, g.Buckets),
		NewDepthFirst(g, 5))
	mccfrtest.Save(t, mccfrtest.Evaluator(g.Rules, g.Shape.Betting, g.Buckets),
		NewLevelOrder(g, 5, 2))
}
