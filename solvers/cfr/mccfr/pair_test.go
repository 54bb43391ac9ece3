package mccfr

import (
	"math"
	"slices"
	"testing"
)

// TestPair holds Iterative to the bits of Recursive, for any number of threads.
func TestPair(t *testing.T) {
	games := append(small(t), gameOf(t, "reis-a", sets), gameOf(t, "holdem-limit-2p", fewBuckets), gameOf(t, "reis-c", fewBuckets), gameOf(t, "reis-d", sets))
	for _, g := range games {
		steps := 300
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
			if !sameEntries(got.Game, got.average, want.Game, want.average) {
				t.Errorf("%s, %d threads: another average strategy", g.Rules.Name, threads)
			}
			if !sameEntries(got.Game, got.regret, want.Game, want.regret) {
				t.Errorf("%s, %d threads: other regrets", g.Rules.Name, threads)
			}
		}
	}
}

// sameEntries says whether entries of a game in two orders have the same bits.
func sameEntries(g *Game, of []float32, h *Game, other []float32) bool {
	var same func(i, j int32) bool
	same = func(i, j int32) bool {
		if i < 0 || j < 0 {
			return i == j
		}
		n, m := &g.nodes[i], &h.nodes[j]
		for b := range g.Buckets.NumBuckets(int(n.round)) {
			x := of[g.rows[n.round][n.actor].of(b)+int(n.row):][:n.actions]
			y := other[h.rows[m.round][m.actor].of(b)+int(m.row):][:m.actions]
			if !slices.Equal(x, y) {
				return false
			}
		}
		for a := range int(n.actions) {
			if !same(g.children[g.action(n)+a], h.children[h.action(m)+a]) {
				return false
			}
		}
		return true
	}
	return same(0, 0)
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
