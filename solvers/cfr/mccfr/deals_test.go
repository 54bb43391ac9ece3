package mccfr

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// gamesOfDeals lists games with the bytes of all kinds of stakes and cards.
func gamesOfDeals(t *testing.T) []*Game {
	return append(small(t), gameOf(t, "reis-a", sets), gameOf(t, "reis-c", fewBuckets))
}

// A batch of one deal is a step of Recursive, to the bit.
func TestDealsOne(t *testing.T) {
	for _, g := range gamesOfDeals(t) {
		steps := min(300, 100_000/len(g.nodes)+2)
		want, got := NewRecursive(g, 7), NewDeals(g, 1, 7, 2)
		for range steps {
			want.Step()
			got.Step()
		}
		if slices.Max(want.average) == 0 || slices.Max(want.regret) == 0 {
			t.Fatalf("%s: nothing was learnt", g.Rules.Name)
		}
		if !slices.Equal(got.AverageUtility(), want.AverageUtility()) {
			t.Errorf("%s: utility %v, want %v", g.Rules.Name, got.AverageUtility(), want.AverageUtility())
		}
		if !sameEntries(got.Game, got.average, want.Game, want.average) {
			t.Errorf("%s: another average strategy", g.Rules.Name)
		}
		if !sameEntries(got.Game, got.regret, want.Game, want.regret) {
			t.Errorf("%s: other regrets", g.Rules.Name)
		}
	}
}

// A batch finds what Recursive finds in its deals with the regrets unchanged.
func TestDealsFrozen(t *testing.T) {
	for _, g := range gamesOfDeals(t) {
		const batch = 40
		got := NewDeals(g, batch, 3, 1)
		got.Step() // regrets that are not 0
		regret, average := make([]float64, g.Entries), make([]float64, g.Entries)
		one := NewRecursive(got.Game, 3)
		for one.iterations = batch; one.iterations < 2*batch; {
			copy(one.regret, got.regret)
			copy(one.average, got.average)
			one.Step()
			for i := range regret {
				regret[i] += float64(one.regret[i] - got.regret[i])
				average[i] += float64(one.average[i] - got.average[i])
			}
		}
		before := [][]float32{slices.Clone(got.regret), slices.Clone(got.average)}
		got.Step()
		for i := range regret {
			for k, sum := range []float64{regret[i], average[i]} {
				now := [][]float32{got.regret, got.average}[k][i]
				if added := float64(now - before[k][i]); math.Abs(added-sum) > 1e-3*(1+math.Abs(sum)) {
					t.Fatalf("%s: %v was added to entry %d, want %v", g.Rules.Name, added, i, sum)
				}
			}
		}
	}
}

// The number of threads and an interruption change nothing.
func TestDealsSameBits(t *testing.T) {
	for _, g := range gamesOfDeals(t) {
		for _, batch := range []int{1, 33, 300} {
			if batch*len(g.nodes) > 100_000 && batch > 33 {
				continue
			}
			t.Run(fmt.Sprintf("%s %d", g.Rules.Name, batch), func(t *testing.T) {
				want, threads := NewDeals(g, batch, 3, 1), NewDeals(g, batch, 3, 3)
				first, second := NewDeals(g, batch, 3, 1), NewDeals(g, batch, 3, 2)
				for k := range 4 {
					want.Step()
					threads.Step()
					if k < 2 {
						first.Step()
					} else {
						if k == 2 {
							resume(t, first, second)
						}
						second.Step()
					}
				}
				for _, got := range []*Deals{threads, second} {
					if !slices.Equal(got.regret, want.regret) || !slices.Equal(got.average, want.average) ||
						!slices.Equal(got.utility, want.utility) || got.Iterations() != want.Iterations() {
						t.Error("other bits")
					}
				}
			})
		}
	}
}

// Batches converge to the values of games.
func TestDealsConverge(t *testing.T) {
	for _, test := range []struct {
		game           string
		batch, deals   int
		exploitability float64
	}{
		{"kuhn", 16, 200_000, .005}, {"kuhn-3p", 16, 200_000, .005}, {"leduc", 16, 100_000, .04},
	} {
		g := gameOf(t, test.game, lossless)
		trainer := NewDeals(g, test.batch, 1, 2)
		for int(trainer.Iterations()) < test.deals {
			trainer.Step()
		}
		if x := evaluatorOf(g).Evaluate(trainer.Weights()).Exploitability(); x > test.exploitability {
			t.Errorf("%s: exploitability %v after %d deals", test.game, x, test.deals)
		}
	}
}
