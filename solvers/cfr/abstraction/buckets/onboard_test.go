package buckets_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/abstraction/buckets/internal/bucketstest"
)

// The buckets of all hole cards on a board are those of the deals one by one, whether or not
// the table has them, also for hole cards and boards that the deck cannot deal.
func TestOnBoard(t *testing.T) {
	histograms := slices.Clone(coarse.Rounds)
	histograms[3] = buckets.Round{Feature: buckets.Histogram, Buckets: 6}
	random := rand.New(rand.NewPCG(5, 5))
	for name, r := range map[string]buckets.Recipe{
		"strengths against clusters": coarse,
		"strengths":                  {Seed: 1, Iterations: 5, Bins: 10, Rounds: histograms},
		"perfect recall": {PerfectRecall: true, Seed: 1, Iterations: 5, Bins: 6, Clusters: 2, Rounds: []buckets.Round{
			{Feature: buckets.Hands}, {Feature: buckets.Histogram, Buckets: 4},
			{Feature: buckets.Histogram, Buckets: 3}, {Feature: buckets.OCHS, Buckets: 3}}},
	} {
		table := bucketstest.Build(t, tens, r, cluster.Options{})
		data, err := table.Compact()
		if err != nil {
			t.Fatal(err)
		}
		compact, err := buckets.FromCompact(data)
		if err != nil {
			t.Fatal(err)
		}
		holes := []card.Set{0, card.SetOf(tens.Deck()[0]), card.SetOf(tens.Deck()[:3]...),
			card.New(card.NumRanks-6, 0).Bit() | tens.Deck()[0].Bit()}
		card.Subsets(tens.Deck(), 2, func(hole card.Set) { holes = append(holes, hole) })
		for i := range 40 {
			round := i % 4
			board := bucketstest.Dealt(random, tens, round).Board
			if i/4%5 == 4 { // no board of the deck
				board[round] = board[round]&(board[round]-1) | card.New(0, 0).Bit()
			}
			got := compact.OnBoard(round, board, holes)
			for h, hole := range holes {
				if want := table.Bucket(round, abstraction.Deal{Board: board, Hole: hole}); got[h] != want {
					t.Fatalf("%s, round %d on %v: bucket %d of %v, want %d", name, round, board, got[h], hole, want)
				}
			}
		}
	}
}
