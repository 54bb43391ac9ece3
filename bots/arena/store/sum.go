package store

import (
	"cmp"
	"slices"

	"gamebots/bots/arena/plan"
)

// Sum adds tallies up by table. They are added in the order of the shards, so
// that the sums are the same to the last bit in whatever order they come.
func Sum(r *Run, tallies []Stored) []plan.Tally {
	sorted := slices.Clone(tallies)
	slices.SortFunc(sorted, func(a, b Stored) int { return cmp.Compare(a.Number, b.Number) })
	sums := make([]plan.Tally, len(r.Plan.Tables))
	for table, players := range r.Plan.Tables {
		sums[table].Scores = make([]plan.Score, len(players))
	}
	for i := range sorted {
		if x := &sorted[i]; r.Wanted(x.Shard) {
			sums[x.Table].Add(&x.Tally)
		}
	}
	return sums
}
