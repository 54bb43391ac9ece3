package testkit

import (
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
)

// Stated is a result with what a command says of its error.
type Stated struct{ Result, StandardError, Interval95 float64 }

// StatedOf returns the mean of a sample.
func StatedOf(s interface {
	Mean() float64
	StandardError() float64
	Interval95() float64
}) Stated {
	return Stated{s.Mean(), s.StandardError(), s.Interval95()}
}

// Spread checks that results spread over seeds as far as they state, and that nearly all of their 95% intervals have
// the mean of all: where results are skewed, as scores near 1, fewer do than they say. Run returns the results of a
// seed by name, the same names for all. The ratio of spread to standard error is to be within 5% of 1, or within 3.2
// times its own standard error, as there are many ratios. The second tier has four times as many
// seeds, and GAMEBOTS_SEEDS sets how many there are.
func Spread(t testing.TB, what string, seeds int, run func(seed uint64) map[string]Stated) {
	t.Helper()
	if SlowEnabled() {
		seeds *= 4
	}
	if n, err := strconv.Atoi(os.Getenv("GAMEBOTS_SEEDS")); err == nil {
		seeds = n
	}
	within := max(0.05, 3.2/math.Sqrt(2*float64(seeds)))
	all, means, n := map[string][]Stated{}, map[string]float64{}, float64(seeds)
	for seed := range uint64(seeds) {
		for name, x := range run(seed) {
			all[name] = append(all[name], x)
			means[name] += x.Result / n
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		spread, stated, covered := 0.0, 0.0, 0.0
		for _, x := range all[name] {
			d := x.Result - means[name]
			spread += d * d / (n - 1)
			stated += x.StandardError * x.StandardError / n
			if math.Abs(d) <= x.Interval95 {
				covered += 1 / n
			}
		}
		ratio := math.Sqrt(spread / stated)
		t.Logf("%s, %s: %d seeds, mean %.6g, spread %.4g, stated %.4g, ratio %.3f, covered %.1f%%", what, name, seeds,
			means[name], math.Sqrt(spread), math.Sqrt(stated), ratio, 100*covered)
		if !(math.Abs(ratio-1) <= within) {
			t.Errorf("%s, %s: the results of %d seeds spread %.3f times as far as is stated", what, name, seeds, ratio)
		}
		if covered < 0.87-3*math.Sqrt(0.87*0.13/n) {
			t.Errorf("%s, %s: %.1f%% of %d intervals of 95%% cover", what, name, 100*covered, seeds)
		}
	}
}
