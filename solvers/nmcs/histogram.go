package nmcs

import (
	"maps"
	"slices"
)

// A Bin is how many runs reached a score.
type Bin struct {
	Score int    `json:"score"`
	Runs  uint64 `json:"runs"`
}

// Histogram returns the scores that runs reached, from the lowest up.
func (t *Tally) Histogram() []Bin {
	bins := make([]Bin, 0, len(t.Scores))
	for _, score := range sortedScores(t.Scores) {
		bins = append(bins, Bin{score, t.Scores[score]})
	}
	return bins
}

func sortedScores(scores map[int]uint64) []int { return slices.Sorted(maps.Keys(scores)) }
