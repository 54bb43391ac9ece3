package mccfr

import (
	"math"
	"slices"
	"testing"
)

// TestPair holds Iterative to the bits of Recursive, for any number of threads.
func TestPair(t *testing.T) {
	games := append(small(t), gameOf(t, "reis-a", sets), gameOf(t, "reis-c", fewBuckets), gameOf(t, "reis-d", sets))
	for _, g := range games {
		steps := 2000
		if len(g.nodes) > 1000 {
			steps = 100_000/len(g.nodes) + 2
		}
		want := NewRecursive(g, 7)
		for range steps {
			want.Step()
		}
		if slices.Max(want.average) == 0 || slices.Max(want.regret) == 0 {
			t.Fatalf("%s: nothing was learnt", g.Rules.Name)
		}
		for _, threads := range []int{1, 2, 3} {
			got := NewIterative(g, 7, threads)
			for range steps {
				got.Step()
			}
			if !slices.Equal(got.AverageUtility(), want.AverageUtility()) {
				t.Errorf("%s, %d threads: utility %v, want %v", g.Rules.Name, threads, got.AverageUtility(), want.AverageUtility())
			}
			// Bit by bit, in the common order of strategies.
			if !slices.Equal(got.ordered(got.average), want.ordered(want.average)) {
				t.Errorf("%s, %d threads: another average strategy", g.Rules.Name, threads)
			}
			if !slices.Equal(got.ordered(got.regret), want.ordered(want.regret)) {
				t.Errorf("%s, %d threads: other regrets", g.Rules.Name, threads)
			}
		}
	}
}

// TestPairConverges holds chance sampling with simultaneous updates against the
// values of games, and its rate: the exploitability falls with the square root
// of the steps.
func TestPairConverges(t *testing.T) {
	for _, test := range []struct {
		game           string
		steps          int
		exploitability float64 // at most
		position       int
		value, within  float64
	}{
		{"kuhn", 100_000, .006, 0, -1. / 18, .002},
		{"kuhn-3p", 100_000, .006, 1, -1. / 48, .003},
		{"leduc", 50_000, .06, 0, -.0856064, .01},
	} {
		g := gameOf(t, test.game, lossless)
		r := NewRecursive(g, 1)
		e := evaluatorOf(g)
		for range test.steps / 16 {
			r.Step()
		}
		early := e.Evaluate(r.Weights()).Exploitability()
		for int(r.Iterations()) < test.steps {
			r.Step()
		}
		got := e.Evaluate(r.Weights())
		if x := got.Exploitability(); x > test.exploitability || x > early/2 {
			t.Errorf("%s: exploitability %v after %d steps, %v after a sixteenth of them", test.game, x, test.steps, early)
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
