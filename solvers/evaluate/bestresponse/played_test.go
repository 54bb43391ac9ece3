package bestresponse

import (
	"flag"
	"fmt"
	"testing"

	"gamebots/acpc"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/internal/pokertest"
)

// bounds returns how many of so many bounds, each with a seed, are below what a best response wins, and their mean as
// a part of that. They are made from n draws, in which the strategy plays as it translates.
func bounds(t *testing.T, g *acpc.Game, raises [2]string, n, seeds int) (below int, part float64) {
	t.Helper()
	l := layoutWith(t, g, parse(t, raises[0]), abstraction.Lossless)
	s := fromWeights(t, l.Index, randomWeights(l, 6))
	r, err := NewWith(s, parse(t, raises[1]))
	if err != nil {
		t.Fatal(err)
	}
	best, err := r.Exact(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	exact := (best[0] + best[1]) / 2
	for seed := range uint64(seeds) {
		sample, values := r.NewSample(seed), make([]PartValues, n)
		sample.Draw(n)
		err := sample.ValuePlayed(t.Context(), Players{
			New:   func() (belief.Player, error) { return newAnswerer(t, s, betting.Actions{}, 0).player, nil },
			Count: 2, From: g.NumRounds - 1, Runouts: 2, Seed: seed,
		}, r.Missing(values), func(draw int, v PartValues) error {
			values[draw] = v
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b := sample.Bound(values).Mean
		if b.Value-b.Interval95 <= exact {
			below++
		}
		part += b.Value / exact / float64(seeds)
	}
	return below, part
}

// Bounds against a player whose cards of later rounds are drawn are below what a best response wins, but for chance.
func TestPlayed(t *testing.T) {
	below, part := bounds(t, pokertest.NoLimit(t, 20, 4, 2, 1, 1), [2]string{"1,a/a", "2/a"}, 8, 5)
	if below < 5 || part > 1.1 || part < .3 {
		t.Errorf("%d of 5 bounds are below the exact value, their mean is %.2f of it", below, part)
	}
}

var playedSeeds = flag.Int("played-seeds", 40, "bounds, each with a seed, in games of 12 and 20 cards; 200 take 90 s")

func TestPlayedLarger(t *testing.T) {
	testkit.SlowOnly(t)
	for g, raises := range map[*acpc.Game][2]string{
		pokertest.NoLimit(t, 40, 4, 3, 1, 1): {"1,a/a", "preflop: 1.5/a; flop turn: a"},
		pokertest.NoLimit(t, 20, 4, 5, 1):    {"1,a/a", "0.6/a"},
	} {
		below, part := bounds(t, g, raises, 12, *playedSeeds)
		found := fmt.Sprintf("%s: %d of %d bounds are below the exact value, their mean is %.2f of it", g.Name, below,
			*playedSeeds, part)
		if t.Log(found); 40*below < 39**playedSeeds || part > 1 {
			t.Error(found)
		}
	}
}
