//go:build linux

package mccfr

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// newGPU returns a trainer that the test closes at its end.
func newGPU(t *testing.T, d *cudalib.Device, g *Game, m Method) *PublicChanceGPU {
	t.Helper()
	b, err := NewPublicChanceGPU(d, g, m, 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(b.Err(), b.Close()); err != nil {
			t.Error(err)
		}
	})
	return b
}

// twoCards is a game with two hole cards and ties.
func twoCards(t *testing.T, buckets func(*acpc.Game) policy.Buckets) *Game {
	rules := pokertest.Game(t, "leduc")
	rules.Name, rules.NumHoleCards, rules.NumSuits, rules.NumRanks = "two cards", 2, 2, 3
	rules.MaxRaises = [4]uint8{1, 0} // the fake device is slow
	g, err := NewGame(rules, betting.Actions{}, buckets(rules))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// potAndAllIn is no-limit hold'em with pot-sized and all-in raises, and with buckets
// that grow with ranks.
func potAndAllIn(t *testing.T) *Game {
	rules := pokertest.Game(t, "holdem-nolimit-2p")
	actions, err := betting.ParseActions("fcpa")
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGame(rules, actions, rankBuckets(rules))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ranked is a few buckets, which in the last round grow with the ranks of hands.
type ranked struct {
	mccfrtest.Few
	rules *acpc.Game
}

func rankBuckets(g *acpc.Game) policy.Buckets {
	return ranked{mccfrtest.Few{Boardless: abstraction.NewBoardless(g), Buckets: 9 * 7}, g}
}

func (r ranked) Bucket(round int, d abstraction.Deal) int {
	if round < r.rules.NumRounds-1 {
		return r.Few.Bucket(round, d)
	}
	all := d.Hole
	for _, cards := range d.Board {
		all |= cards
	}
	rank := uint(r.rules.HandRanking.Rank(all)) // category and kickers, see hand.Ranking
	return int(rank>>26)*7 + bits.Len(rank>>13&(1<<13-1))/2
}

// difference returns the largest difference of two values relative to the largest
// value.
func difference(got, want []float32) float64 {
	largest, apart := 0., 0.
	for i, x := range want {
		largest = max(largest, math.Abs(float64(x)))
		apart = max(apart, math.Abs(float64(x-got[i])))
	}
	return apart / largest
}

// A device trains as a Sampler does: from the same regrets, a batch gives the same
// but for rounding.
func TestPublicChanceGPU(t *testing.T) {
	games := []*Game{mccfrtest.Game(t, "kuhn", mccfrtest.Lossless), twoCards(t, mccfrtest.FewBuckets),
		twoCards(t, rankBuckets)}
	batches := []int{2}
	if cudatest.OnGPU() {
		games = slices.Concat(games,
			mccfrtest.Games(t, mccfrtest.Lossless, "leduc"),
			mccfrtest.Games(t, mccfrtest.FewBuckets, "holdem-limit-2p", "rhode-island"),
			mccfrtest.Games(t, rankBuckets, "holdem-limit-2p", "rhode-island"),
			[]*Game{potAndAllIn(t)})
		batches = []int{1, 5}
	}
	for i, g := range games {
		for _, batch := range batches {
			m := Method{Sampling: Public, Batch: batch, Linear: i%2 == 1}
			t.Run(fmt.Sprintf("%s %d %v", g.Rules.Name, i, m), func(t *testing.T) {
				got, want := newGPU(t, cudatest.Open(t, "memory=200000000", "mccfr"), g, m), NewSampler(g, m, 5, 2)
				steps := 2
				if i > 0 && !cudatest.OnGPU() {
					steps = 1
				}
				for k := range steps {
					got.Step()
					if _, ok := g.Buckets.(ranked); ok && !got.ordered[1-got.buffer] {
						t.Error("the buckets, which grow with ranks, are not recognised as ordered")
					}
					want.Step()
					if err := got.download(); err != nil {
						t.Fatal(err)
					}
					x, y := difference(got.Regret, want.Regret), difference(got.StrategySum, want.StrategySum)
					if !(x < 1e-4 && y < 1e-4) || got.Iterations() != want.Iterations() {
						t.Fatalf("after batch %d: relative differences of regrets %v, of strategy sums %v", k, x, y)
					}
					mccfrtest.Resume(t, want, got) // the rounding of a regret near 0 changes the strategy
				}
			})
		}
	}
}

// A state goes from the CPU to a device and back, and the training still converges.
func TestPublicChanceGPUState(t *testing.T) {
	g, m := mccfrtest.Game(t, "kuhn", mccfrtest.Lossless), Method{Sampling: Public, Batch: 2, Linear: true}
	first, second, third := NewSampler(g, m, 5, 1), newGPU(t, cudatest.Open(t, "memory=200000000", "mccfr"), g, m),
		NewSampler(g, m, 5, 1)
	first.Step()
	mccfrtest.Resume(t, first, second)
	second.Step()
	mccfrtest.Resume(t, second, third)
	for third.Iterations() < 2000 {
		third.Step()
	}
	if x := mccfrtest.Evaluator(g).Evaluate(third.Weights()).Exploitability(); x > .003 {
		t.Errorf("exploitability %v", x)
	}
}

// Unsupported games and batches that do not fit are errors.
func TestPublicChanceGPURefuses(t *testing.T) {
	threePlayers := mccfrtest.Game(t, "kuhn-3p", mccfrtest.Lossless)
	if _, err := NewPublicChanceGPU(cudatest.Open(t, "memory=200000000", "mccfr"), threePlayers,
		Method{Sampling: Public, Batch: 1}, 0, 1); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("three players: %v", err)
	}
	if cudatest.OnGPU() {
		return // a real device has memory enough
	}
	large := Method{Sampling: Public, Batch: 1 << 15}
	if _, err := NewPublicChanceGPU(cudatest.Open(t, "memory=200000000", "mccfr"), twoCards(t, mccfrtest.FewBuckets),
		large, 0, 1); !errors.As(err, new(*cudalib.MemoryError)) {
		t.Errorf("a batch that does not fit into memory: %v", err)
	}
}

// The kernels of public chance sampling have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestPublicChanceGPU, TestPublicChanceGPUState)
}
