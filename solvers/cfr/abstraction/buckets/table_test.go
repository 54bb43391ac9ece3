package buckets_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/abstraction/buckets/internal/bucketstest"
)

var (
	tens, coarse       = bucketstest.Tens, bucketstest.Coarse
	small, smallRecipe = bucketstest.Small, bucketstest.SmallRecipe
)

// The features of the table's hands, which are computed all at once, are those of each
// hand on its own, so that buckets that are looked up are those that are computed.
func TestBucketsWithoutTable(t *testing.T) {
	for name, g := range map[string]*acpc.Game{"tens": tens, "one card": bucketstest.Game(4, 4, 1, 0, 2, 1),
		"two suits": bucketstest.Game(2, 6, 2, 1, 2)} {
		r := coarse
		r.Rounds = slices.Clone(coarse.Rounds[:g.NumRounds-1])
		r.Rounds = append(r.Rounds, coarse.Rounds[3])
		table := bucketstest.Build(t, g, r, cluster.Options{})
		computed := table.WithoutBuckets()
		random := rand.New(rand.NewPCG(1, 1))
		met := map[[2]int]bool{}
		for i := range 2000 {
			round := i % g.NumRounds
			d := bucketstest.Dealt(random, g, round)
			got, want := computed.Bucket(round, d), table.Bucket(round, d)
			if got != want || got < 0 || got >= table.NumBuckets(round) {
				t.Fatalf("%s: bucket %d of %v in round %d, in the table %d", name, got, d, round, want)
			}
			met[[2]int{round, got}] = true
		}
		if len(met) < 30 {
			t.Errorf("%s: only %d buckets are met", name, len(met))
		}
	}
}

// Buckets ascend from weak hands to strong ones.
func TestBucketsAscend(t *testing.T) {
	table := bucketstest.Build(t, tens, coarse, cluster.Options{})
	strength := func(round, bucket int) (sum float64) {
		values := table.Centre(round, bucket)
		for i, v := range values {
			if coarse.Rounds[round].Feature == buckets.Histogram {
				v *= float64(i)
			}
			sum += v
		}
		return sum
	}
	for round := 1; round < 4; round++ {
		for b := 1; b < table.NumBuckets(round); b++ {
			if strength(round, b) < strength(round, b-1) {
				t.Errorf("round %d: bucket %d is weaker than the one before", round, b)
			}
		}
	}
}
