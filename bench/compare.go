package bench

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

// ReadRows reads the records that bench --json printed, in any number of runs. name is for
// errors. It is an error if a value is beyond what a bench can print.
func ReadRows(r io.Reader, name string) (rows []Row, err error) {
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var row Row
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("%s:%d: not a record of bench --json: %w", name, number, err)
		}
		if row.Bench == "" || row.Metric == "" || row.Source == "" {
			return nil, fmt.Errorf("%s:%d: not a record of bench --json, or of an old version: it has no bench, metric or source", name, number)
		}
		if row.Threads < 0 || row.Repetitions < 0 || row.Spread < 0 || row.Repetitions > maxRepetitions || row.Spread > maxSpread {
			return nil, fmt.Errorf("%s:%d: no record has %d threads, %d repetitions and the spread %g", name, number, row.Threads, row.Repetitions, row.Spread)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no records of bench --json", name)
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

// Compare compares the figures that two builds have in common, in the order of the old ones.
// Where both have the same number of runs, each run of the new build is compared with that of
// the old one in the same place: what disturbs neighbours alike cancels out of the logarithm of
// their ratio. Student's test is of the mean of these. Other numbers of runs, or the repetitions
// in a single run, are compared by Welch's test of the logarithms. Intervals are simultaneous, by
// Bonferroni's correction: if all builds are equal, there is a verdict other than Unchanged in
// one of 100 comparisons. Published figures and those that are not positive are left out.
func Compare(before, after []Row) (all []Comparison) {
	old, order := groupRows(before)
	new, _ := groupRows(after)
	tests := 0
	for _, k := range order {
		if new[k] != nil && !math.IsNaN(differenceOf(old[k], new[k]).deviation) {
			tests++
		}
	}
	for _, k := range order {
		if new[k] == nil {
			continue
		}
		d := differenceOf(old[k], new[k])
		c := Comparison{Row: old[k].first, Old: old[k].geometricMean(), New: new[k].geometricMean(),
			Change: math.Expm1(d.mean), Low: math.NaN(), High: math.NaN(), Verdict: Unknown}
		if !math.IsNaN(d.deviation) {
			half := 0.0
			if d.deviation > 0 {
				half = d.deviation * stats.Student(d.freedom, 1-familyError/float64(tests))
			}
			c.Low, c.High, c.Verdict = math.Expm1(d.mean-half), math.Expm1(d.mean+half), Unchanged
			switch {
			case d.mean-half > 0:
				c.Verdict = Higher
			case d.mean+half < 0:
				c.Verdict = Lower
			}
		}
		all = append(all, c)
	}
	return all
}

// group is the values of a figure.
type group struct {
	first Row
	logs  []float64 // of its value in each run
}

// groupRows groups measured rows by their keys, which it also returns in their order.
func groupRows(rows []Row) (groups map[key]*group, order []key) {
	groups = map[key]*group{}
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

// geometricMean returns the geometric mean of the values.
func (g *group) geometricMean() float64 {
	mean, _, _ := g.mean()
	return math.Exp(mean)
}

// difference is that of the means of two groups.
type difference struct {
	mean, deviation float64 // the deviation is NaN if it is unknown
	freedom         int
}

func differenceOf(old, new *group) difference {
	if n := len(old.logs); n > 1 && n == len(new.logs) {
		var ratios stats.Sample
		for i := range n {
			ratios.Add(new.logs[i] - old.logs[i])
		}
		return difference{ratios.Mean(), ratios.StandardError(), n - 1}
	}
	a, v, n := old.mean()
	b, w, m := new.mean()
	d := difference{mean: b - a, deviation: math.Sqrt(v + w)}
	if d.deviation > 0 {
		d.freedom = max(1, int((v+w)*(v+w)/(v*v/float64(n)+w*w/float64(m))))
	}
	return d
}

// mean returns the mean, its variance and the degrees of freedom of that; the variance is NaN if
// there is a single value. That of the median of n repetitions is π/2 times as large as that of
// their mean.
func (g *group) mean() (mean, variance float64, freedom int) {
	var s stats.Sample
	for _, x := range g.logs {
		s.Add(x)
	}
	switch {
	case s.N > 1:
		return s.Mean(), s.Variance() / float64(s.N), s.N - 1
	case g.first.Repetitions > 1:
		n := g.first.Repetitions
		return s.Mean(), math.Pi / 2 * g.first.Spread * g.first.Spread / float64(n), n - 1
	}
	return s.Mean(), math.NaN(), 0
}
