//go:build linux

package mccfr

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"gamebots/acpc"
	"gamebots/cudalib"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
)

// boardsOn returns a trainer that is closed with its test.
func boardsOn(t *testing.T, d *cudalib.Device, g *Game, m Method) *PublicChanceGPU {
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
func twoCards(t *testing.T, buckets func(*acpc.Game) cfr.Buckets) *Game {
	rules := mccfrtest.Rules(t, "leduc")
	rules.Name, rules.NumHoleCards, rules.NumSuits, rules.NumRanks = "two cards", 2, 2, 3
	rules.MaxRaises = [4]uint8{1, 0} // with a thread of the host for each of the device
	g, err := NewGame(rules, betting.Actions{}, buckets(rules))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// fewRaises is no-limit hold'em with buckets that grow with ranks.
func fewRaises(t *testing.T) *Game {
	rules := mccfrtest.Rules(t, "holdem-nolimit-2p")
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

// ranked is few sets of cards, but in the last round buckets that grow with ranks.
type ranked struct {
	mccfrtest.Few
	rules *acpc.Game
}

func rankBuckets(g *acpc.Game) cfr.Buckets {
	return ranked{mccfrtest.Few{Sets: abstraction.NewSets(g), Buckets: 9 * 7}, g}
}

func (r ranked) Bucket(round int, d abstraction.Deal) int {
	if round < r.rules.NumRounds-1 {
		return r.Few.Bucket(round, d)
	}
	all := d.Hole
	for _, cards := range d.Board {
		all |= cards
	}
	rank := uint(r.rules.HandRanking.Rank(all)) // see there
	return int(rank>>26)*7 + bits.Len(rank>>13&(1<<13-1))/2
}

// far returns how far apart entries are, beside the largest of them.
func far(got, want []float32) float64 {
	most, apart := 0., 0.
	for i, x := range want {
		most = max(most, math.Abs(float64(x)))
		apart = max(apart, math.Abs(float64(x-got[i])))
	}
	return apart / most
}

// A device learns what a Sampler does: after every batch it is as close as
// rounding allows, from the same regrets.
func TestPublicChanceGPU(t *testing.T) {
	games := []*Game{mccfrtest.Game(t, "kuhn", mccfrtest.Lossless), twoCards(t, mccfrtest.FewBuckets), twoCards(t, rankBuckets)}
	batches := []int{2}
	if *device != "fake" {
		games = append(games, mccfrtest.Game(t, "leduc", mccfrtest.Lossless), mccfrtest.Game(t, "holdem-limit-2p", mccfrtest.FewBuckets), mccfrtest.Game(t, "rhode-island", mccfrtest.FewBuckets),
			mccfrtest.Game(t, "holdem-limit-2p", rankBuckets), mccfrtest.Game(t, "rhode-island", rankBuckets), fewRaises(t))
		batches = []int{1, 5}
	}
	for i, g := range games {
		for _, batch := range batches {
			m := Method{Public, batch, i%2 == 1}
			t.Run(fmt.Sprintf("%s %d %v", g.Rules.Name, i, m), func(t *testing.T) {
				got, want := boardsOn(t, openDevice(t), g, m), NewSampler(g, m, 5, 2)
				steps := 2
				if i > 0 && *device == "fake" {
					steps = 1
				}
				for k := range steps {
					got.Step()
					if _, ok := g.Buckets.(ranked); ok && !got.ordered[1-got.buffer] {
						t.Error("buckets that grow with ranks are not found to")
					}
					want.Step()
					if err := got.download(); err != nil {
						t.Fatal(err)
					}
					if x, y := far(got.Regret, want.Regret), far(got.StrategySum, want.StrategySum); !(x < 1e-4 && y < 1e-4) || got.Iterations() != want.Iterations() {
						t.Fatalf("after batch %d: regrets are %v apart, averages %v, beside the largest", k, x, y)
					}
					mccfrtest.Resume(t, want, got) // a regret of 0 is rounded to one that decides
				}
			})
		}
	}
}

// A training goes from device to device and back, and its strategy is as good.
func TestDeviceBoardsState(t *testing.T) {
	g, m := mccfrtest.Game(t, "kuhn", mccfrtest.Lossless), Method{Public, 2, true}
	first, second, third := NewSampler(g, m, 5, 1), boardsOn(t, openDevice(t), g, m), NewSampler(g, m, 5, 1)
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

// A device says which games it is not for.
func TestDeviceRefuses(t *testing.T) {
	if _, err := NewPublicChanceGPU(openDevice(t), mccfrtest.Game(t, "kuhn-3p", mccfrtest.Lossless), Method{Public, 1, false}, 0, 1); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("three players: %v", err)
	}
	if *device != "fake" {
		return // other devices have the memory that is missing below
	}
	if _, err := NewPublicChanceGPU(openDevice(t), twoCards(t, mccfrtest.FewBuckets), Method{Public, 1 << 15, false}, 0, 1); !errors.As(err, new(*cudalib.MemoryError)) {
		t.Errorf("a batch without the memory for it: %v", err)
	}
}
