package snake

import (
	"maps"
	"math"
	"slices"
	"time"
)

// Tally counts the results of runs, in the order of their numbers. It is all that is needed
// to continue: the next run has the number Runs.
type Tally struct {
	Runs    uint64         `json:"runs"`   // completed ones: those below this number
	Scores  map[int]uint64 `json:"scores"` // number of runs by score
	Work    Work           `json:"work"`
	Best    Line           `json:"best"` // the first one of the best, that of a stopped run included
	FoundBy uint64         `json:"by"`   // number of the run that found Best
	Time    time.Duration  `json:"time"` // set by the caller: nothing here reads a clock
}

// Count adds the next completed run.
func (t *Tally) Count(l Line, w Work) {
	t.Runs++
	if t.Scores == nil {
		t.Scores = map[int]uint64{}
	}
	t.Scores[l.Score]++
	t.Work.Add(w)
	t.UpdateBest(l, t.Runs-1)
}

// UpdateBest makes the line of a run the best if it is better, or as good and of an earlier
// run: threads find lines in any order. It reports whether it did.
func (t *Tally) UpdateBest(l Line, run uint64) bool {
	if t.Best.Moves != nil && (l.Score < t.Best.Score || l.Score == t.Best.Score && run >= t.FoundBy) {
		return false
	}
	t.Best.set(l)
	t.FoundBy = run
	return true
}

// Mean returns the mean score of the runs, 0 if there are none, and its standard error, infinite if
// there are less than two.
func (t *Tally) Mean() (mean, stderr float64) {
	n, sum := float64(t.Runs), 0.0
	if n == 0 {
		return 0, math.Inf(1)
	}
	for score, runs := range t.Scores {
		sum += float64(uint64(score) * runs)
	}
	mean = sum / n
	if n == 1 {
		return mean, math.Inf(1)
	}
	squares := 0.0
	for _, score := range slices.Sorted(maps.Keys(t.Scores)) {
		d := float64(score) - mean
		squares += float64(t.Scores[score]) * d * d
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}
