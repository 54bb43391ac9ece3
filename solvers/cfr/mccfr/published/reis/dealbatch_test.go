package reis

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
)

// manyGames lists games with all kinds of stakes and cards.
func manyGames(t *testing.T) []*mccfr.Game {
	return append(mccfrtest.Small(t, mccfr.NewGame), mccfrtest.Game(t, mccfr.NewGame, "reis-a", mccfrtest.Boardless),
		mccfrtest.Game(t, mccfr.NewGame, "reis-c", mccfrtest.FewBuckets))
}

// A batch of one deal is a step of DepthFirst, to the bit.
func TestDealBatchOfOne(t *testing.T) {
	for _, g := range manyGames(t) {
		steps := min(300, 100_000/len(g.Nodes)+2)
		want, got := NewDepthFirst(g, 7), NewDealBatch(g, 1, 7, 2)
		for range steps {
			want.Step()
			got.Step()
		}
		if slices.Max(want.StrategySum) == 0 || slices.Max(want.Regret) == 0 {
			t.Fatalf("%s: nothing was learned", g.Rules.Name)
		}
		if !slices.Equal(got.AverageUtility(), want.AverageUtility()) {
			t.Errorf("%s: utility %v, want %v", g.Rules.Name, got.AverageUtility(), want.AverageUtility())
		}
		if !sameEntries(got.Game, got.StrategySum, want.Game, want.StrategySum) {
			t.Errorf("%s: different strategy sums", g.Rules.Name)
		}
		if !sameEntries(got.Game, got.Regret, want.Game, want.Regret) {
			t.Errorf("%s: different regrets", g.Rules.Name)
		}
	}
}

// A batch adds what DepthFirst adds on each of its deals with the regrets unchanged.
func TestDealBatchFrozen(t *testing.T) {
	for _, g := range manyGames(t) {
		const batch = 40
		got := NewDealBatch(g, batch, 3, 1)
		got.Step() // regrets that are not 0
		regret, average := make([]float64, g.Entries), make([]float64, g.Entries)
		one := NewDepthFirst(got.Game, 3)
		for one.Done = batch; one.Done < 2*batch; {
			copy(one.Regret, got.Regret)
			copy(one.StrategySum, got.StrategySum)
			one.Step()
			for i := range regret {
				regret[i] += float64(one.Regret[i] - got.Regret[i])
				average[i] += float64(one.StrategySum[i] - got.StrategySum[i])
			}
		}
		before := [][]float32{slices.Clone(got.Regret), slices.Clone(got.StrategySum)}
		got.Step()
		for i := range regret {
			for k, sum := range []float64{regret[i], average[i]} {
				now := [][]float32{got.Regret, got.StrategySum}[k][i]
				if added := float64(now - before[k][i]); math.Abs(added-sum) > 1e-3*(1+math.Abs(sum)) {
					t.Fatalf("%s: %v was added to entry %d, want %v", g.Rules.Name, added, i, sum)
				}
			}
		}
	}
}

// The number of threads and an interruption change nothing.
func TestDealBatchSameBits(t *testing.T) {
	for _, g := range manyGames(t) {
		for _, batch := range []int{1, 33, 300} {
			if batch*len(g.Nodes) > 100_000 && batch > 33 {
				continue
			}
			t.Run(fmt.Sprintf("%s %d", g.Rules.Name, batch), func(t *testing.T) {
				want, threads := NewDealBatch(g, batch, 3, 1), NewDealBatch(g, batch, 3, 3)
				first, second := NewDealBatch(g, batch, 3, 1), NewDealBatch(g, batch, 3, 2)
				for k := range 4 {
					want.Step()
					threads.Step()
					if k < 2 {
						first.Step()
					} else {
						if k == 2 {
							mccfrtest.Resume(t, first, second)
						}
						second.Step()
					}
				}
				for _, got := range []*DealBatch{threads, second} {
					if !slices.Equal(got.Regret, want.Regret) || !slices.Equal(got.StrategySum, want.StrategySum) ||
						!slices.Equal(got.utility, want.utility) || got.Iterations() != want.Iterations() {
						t.Error("other bits")
					}
				}
			})
		}
	}
}

// Batches converge.
func TestDealBatchConverges(t *testing.T) {
	for _, test := range []struct {
		game           string
		batch, deals   int
		exploitability float64
	}{
		{"kuhn", 16, 200_000, .005}, {"kuhn-3p", 16, 200_000, .005}, {"leduc", 16, 100_000, .04},
	} {
		g := mccfrtest.Game(t, mccfr.NewGame, test.game, mccfrtest.Lossless)
		trainer := NewDealBatch(g, test.batch, 1, 2)
		for int(trainer.Iterations()) < test.deals {
			trainer.Step()
		}
		e := mccfrtest.Evaluator(g.Rules, g.Shape.Betting, g.Buckets)
		if x := e.Evaluate(trainer.Weights()).Exploitability(); x > test.exploitability {
			t.Errorf("%s: exploitability %v after %d deals", test.game, x, test.deals)
		}
	}
}
