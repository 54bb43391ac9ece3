package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"gamebots/internal/stats"
)

// Bounds of a record. Beyond them a sum of squares is no number.
const (
	maxRepetitions = 1e9
	maxSpread      = 1e9
)

// ReadRows reads the records that gamebench --json printed, in any number of runs. name is for
// errors. It is an error if a value is beyond what a bench can print.
func ReadRows(r io.Reader, name string) (rows []Row, err error) {
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var row Row
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("%s:%d: not a record of gamebench --json: %w", name, number, err)
		}
		if row.Bench == "" || row.Metric == "" || row.Source == "" {
			return nil, fmt.Errorf("%s:%d: not a record of gamebench --json, or of an old version: it has no "+
				"bench, metric or source", name, number)
		}
		if row.Threads < 0 || row.Repetitions < 0 || row.Spread < 0 || row.Repetitions > maxRepetitions ||
			row.Spread > maxSpread {
			return nil, fmt.Errorf("%s:%d: no record has %d threads, %d repetitions and the spread %g", name, number,
				row.Threads, row.Repetitions, row.Spread)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no records of gamebench --json", name)
	}
	return rows, nil
}

// Verdict is what the figures of two builds show.
type Verdict string

// The verdicts.
const (
	Higher    Verdict = "higher"
	Lower     Verdict = "lower"
	Unchanged Verdict = "no difference"
	// Unknown is that of figures that were measured too seldom for an interval.
	Unknown Verdict = "unknown"
)

// Comparison is a figure of two builds.
type Comparison struct {
	Row      Row     // the first one of the old build
	Old, New float64 // geometric means over the runs
	// Change is how much larger the new figure is, as a part of the old one. The interval of the
	// change is from Low to High; both are NaN if the verdict is Unknown.
	Change, Low, High float64
	Verdict           Verdict
}

// familyError is the probability that a comparison of two equal builds finds any difference.
const familyError = 0.01

// manyRuns is the number of runs from which on outliers do not widen an interval.
const manyRuns = 20

// Compare compares the figures that two builds have in common, in the order of the old ones.
// Where both have the same number of runs, each run of the new build is compared with that of
// the old one in the same place: what disturbs neighbours alike cancels out of the logarithm of
// their ratio. The interval of these is by Student's test, or by Wilcoxon's if there are many.
// Other numbers of runs, or the repetitions in a single run, are compared by Welch's test of the
// logarithms. Intervals are simultaneous, by Bonferroni's correction: if all builds are equal,
// there is a verdict other than Unchanged in one of 100 comparisons. Published figures and those
// that are not positive are left out.
func Compare(before, after []Row) (all []Comparison) {
	old, order := groupRows(before)
	new, _ := groupRows(after)
	tests := 0
	for _, k := range order {
		if new[k] != nil && old[k].spreads() && new[k].spreads() {
			tests++
		}
	}
	for _, k := range order {
		if new[k] == nil {
			continue
		}
		centre, low, high := change(old[k], new[k], 1-familyError/float64(tests))
		c := Comparison{Row: old[k].first, Old: math.Exp(old[k].sample().Mean()), New: math.Exp(new[k].sample().Mean()),
			Change: math.Expm1(centre), Low: math.Expm1(low), High: math.Expm1(high), Verdict: Unchanged}
		switch {
		case math.IsNaN(low):
			c.Verdict = Unknown
		case low > 0:
			c.Verdict = Higher
		case high < 0:
			c.Verdict = Lower
		}
		all = append(all, c)
	}
	return all
}

// group is the values of a figure.
type group struct {
	first Row
	logs  []float64 // logarithm of the value in each run
}

// groupRows groups measured rows by their keys, which it also returns in their order.
func groupRows(rows []Row) (groups map[Row]*group, order []Row) {
	groups = map[Row]*group{}
	for _, r := range rows {
		if r.Source != Measured || !(r.Value > 0) {
			continue
		}
		k := r.key()
		if groups[k] == nil {
			groups[k] = &group{first: r}
			order = append(order, k)
		}
		groups[k].logs = append(groups[k].logs, math.Log(r.Value))
	}
	return groups, order
}

// sample returns the logarithms.
func (g *group) sample() *stats.Sample { return sampleOf(g.logs) }

func sampleOf(values []float64) *stats.Sample {
	var s stats.Sample
	for _, x := range values {
		s.Add(x)
	}
	return &s
}

// spreads reports whether it is known how far values of the figure are apart.
func (g *group) spreads() bool { return len(g.logs) > 1 || g.first.Repetitions > 1 }

// uncertainty returns that of the mean, with a variance that is NaN if it is not known. The variance
// of the median of n repetitions is π/2 times as large as that of their mean.
func (g *group) uncertainty() stats.Uncertainty {
	switch s := g.sample(); {
	case s.N > 1:
		return s.Uncertainty()
	case g.first.Repetitions > 1:
		n := float64(g.first.Repetitions)
		return stats.Uncertainty{Variance: math.Pi / 2 * g.first.Spread * g.first.Spread / n, Freedom: n - 1}
	}
	return stats.Uncertainty{Variance: math.NaN()}
}

// change returns the logarithm of the part by which figures have changed, and the ends of an interval that has it
// with some probability, by Student's distribution or by ranks: NaN if they are not known.
func change(old, new *group, probability float64) (centre, low, high float64) {
	centre, u := new.sample().Mean()-old.sample().Mean(), old.uncertainty().Add(new.uncertainty())
	if n := len(old.logs); n > 1 && n == len(new.logs) {
		ratios := make([]float64, n)
		for i := range ratios {
			ratios[i] = new.logs[i] - old.logs[i]
		}
		if n >= manyRuns {
			return stats.SignedRank(ratios, probability)
		}
		s := sampleOf(ratios)
		centre, u = s.Mean(), s.Uncertainty()
	}
	half := u.Interval(probability)
	return centre, centre - half, centre + half
}
