//go:build linux

package reis

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/mccfrgpu"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
	"gamebots/solvers/internal/pokertest"
)

// closeAfter closes a trainer at the end of its test.
func closeAfter(t *testing.T, d *GPU, err error) *GPU {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(d.Err(), d.Close()); err != nil {
			t.Error(err)
		}
	})
	return d
}

// sameTables reports whether two trainers have learned the same bits.
func sameTables(t *testing.T, got *GPU, want *trainer) bool {
	t.Helper()
	if err := got.download(); err != nil {
		t.Fatal(err)
	}
	return got.Iterations() == want.Iterations() && slices.Equal(got.Regret, want.Regret) &&
		slices.Equal(got.StrategySum, want.StrategySum) && slices.Equal(got.utility, want.utility)
}

// holdemForThree lays out some rounds of limit hold'em for three players, with one raise a
// round and a few buckets.
func holdemForThree(t *testing.T, rounds int) *mccfr.Game {
	rules := *pokertest.Game(t, "holdem-limit-3p")
	rules.NumRounds = rounds
	rules.MaxRaises = [...]uint8{2, 1, 1, 1} // a blind is one
	return mccfrtest.GameOf(t, mccfr.NewGame, &rules, betting.Actions{}, mccfrtest.FewBuckets)
}

// A device gives the same bits as the CPU, in one block for a small game and with a
// launch for each level for others.
func TestDealBatchGPUSameBits(t *testing.T) {
	type training struct {
		game   *mccfr.Game
		batch  int
		deals  uint64
		levels bool
	}
	trainings := []training{
		{mccfrtest.Game(t, mccfr.NewGame, "kuhn", mccfrtest.Lossless), 1, 3, false},
		{mccfrtest.Game(t, mccfr.NewGame, "kuhn-3p", mccfrtest.Lossless), 20, 60, false},
		{mccfrtest.Small(t, mccfr.NewGame)[3], 5, 10, false},
		{mccfrtest.Game(t, mccfr.NewGame, "leduc", mccfrtest.Lossless), 3, 3, true},
		{holdemForThree(t, 2), 3, 3, true},
	}
	if cudatest.OnGPU() { // the fake GPU would take minutes
		for _, batch := range []int{1, 16, 300, 4096} {
			n := uint64(3 * batch)
			trainings = append(trainings,
				training{mccfrtest.Game(t, mccfr.NewGame, "reis-a", mccfrtest.Boardless), batch, n, false},
				training{mccfrtest.Game(t, mccfr.NewGame, "leduc", mccfrtest.Lossless), batch, n, false},
				training{mccfrtest.Small(t, mccfr.NewGame)[3], batch, n, true})
		}
		trainings = append(trainings,
			training{mccfrtest.Game(t, mccfr.NewGame, "reis-c", mccfrtest.FewBuckets), 300, 600, false},
			training{mccfrtest.Game(t, mccfr.NewGame, "reis-d", mccfrtest.Boardless), 33, 66, false},
			training{holdemForThree(t, 4), 16, 64, true})
	}
	for _, test := range trainings {
		t.Run(fmt.Sprintf("%s %d", test.game.Rules.Name, test.batch), func(t *testing.T) {
			mode := mccfrgpu.Fast
			if test.levels {
				mode = mccfrgpu.ByLevel
			}
			want := NewDealBatch(test.game, test.batch, 5, 2)
			d, err := newGPU(cudatest.Open(t, "memory=200000000", "mccfr"), test.game, DealBatchName(test.batch),
				test.batch, 5, 2, mode)
			got := closeAfter(t, d, err)
			for got.Err() == nil && got.Iterations() < test.deals {
				got.StepUpTo(test.deals - got.Iterations())
			}
			for want.Iterations() < test.deals {
				want.Step()
			}
			if !sameTables(t, got, &want.trainer) {
				t.Error("the device learns different bits")
			}
		})
	}
}

// Reis's program for GPUs has the bits of its CPU reference implementation.
func TestGPU(t *testing.T) {
	games := []*mccfr.Game{mccfrtest.Game(t, mccfr.NewGame, "kuhn", mccfrtest.Lossless)}
	if cudatest.OnGPU() {
		games = slices.Concat(mccfrtest.Small(t, mccfr.NewGame),
			mccfrtest.Games(t, mccfr.NewGame, mccfrtest.Boardless, "reis-a", "reis-d"),
			mccfrtest.Games(t, mccfr.NewGame, mccfrtest.FewBuckets, "reis-c"))
	}
	for _, g := range games {
		t.Run(g.Rules.Name, func(t *testing.T) {
			want := NewGPUReference(g, 5, 1)
			d, err := NewGPU(cudatest.Open(t, "memory=200000000", "mccfr"), g, 5)
			got := closeAfter(t, d, err)
			for range 3 {
				want.Step()
				got.Step()
			}
			if !slices.Equal(got.Weights(), want.Weights()) {
				t.Error("the strategy is not that of the device")
			}
			if !sameTables(t, got, &want.trainer) {
				t.Error("the device learns different bits")
			}
		})
	}
}

// A state goes from the CPU to a device and back.
func TestGPUState(t *testing.T) {
	g := mccfrtest.Game(t, mccfr.NewGame, "kuhn", mccfrtest.Lossless)
	const batch = 4
	want, first, third := NewDealBatch(g, batch, 5, 1), NewDealBatch(g, batch, 5, 1), NewDealBatch(g, batch, 5, 1)
	d, err := NewDealBatchGPU(cudatest.Open(t, "memory=200000000", "mccfr"), g, batch, 5, 1)
	second := closeAfter(t, d, err)
	for range 6 {
		want.Step()
	}
	first.Step()
	first.Step()
	mccfrtest.Resume(t, first, second)
	second.StepUpTo(1)
	second.StepUpTo(1)
	mccfrtest.Resume(t, second, third)
	third.Step()
	third.Step()
	if !slices.Equal(third.Regret, want.Regret) || !slices.Equal(third.StrategySum, want.StrategySum) ||
		third.Iterations() != want.Iterations() {
		t.Error("the detour over a device changes the bits")
	}
}

// The kernels of deal batches have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDealBatchGPUSameBits, TestGPU, TestGPUState)
}
