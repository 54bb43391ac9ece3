package ratings

import (
	"math"
	"math/rand/v2"
	"testing"

	"gamebots/internal/stats"
	"gamebots/solvers/evaluate/aivat"
)

// simulated returns deals whose winnings are 3, less terms times numbers, and
// noise of the standard deviation 0.1.
func simulated(n int, numbers map[int]float64) []dealSum {
	rng := rand.New(rand.NewPCG(1, 2))
	deals := make([]dealSum, n)
	for i := range deals {
		d := &deals[i]
		d.hands, d.won = 1, 3+rng.NormFloat64()/10
		for k := range 4 { // the others are always zero
			d.terms[k] = rng.NormFloat64() * float64(k+1)
			d.won -= numbers[k] * d.terms[k]
		}
	}
	return deals
}

// The numbers that leave the least are found, with terms that are of no use and terms
// that two of them repeat, and the mean stays.
func TestWeighted(t *testing.T) {
	for name, test := range map[string]struct {
		n       int
		numbers map[int]float64
		repeat  bool
		want    float64 // standard deviation
	}{
		"as AIVAT has them":          {5000, map[int]float64{0: 1, 1: 1, 2: 1, 3: 1}, false, 0.1},
		"others":                     {5000, map[int]float64{0: 2, 1: -0.5, 3: 1}, false, 0.1},
		"of no use":                  {5000, nil, false, 0.1},
		"one term twice":             {5000, map[int]float64{0: 2, 1: 1}, true, 0.1},
		"few deals are AIVAT":        {100, map[int]float64{0: 1, 1: 1, 2: 1, 3: 1}, false, 0.1},
		"few deals, terms of no use": {100, nil, false, math.Sqrt(1 + 4 + 9 + 16)},
	} {
		deals := simulated(test.n, test.numbers)
		if test.repeat {
			for i := range deals {
				deals[i].terms[aivat.Other] = deals[i].terms[0]
			}
		}
		var tally stats.Sample
		for _, x := range weighted(deals) {
			tally.Add(x)
		}
		sigma := tally.StandardError()
		if math.Abs(tally.Mean()-3) > 4*sigma {
			t.Errorf("%s: the mean is %v, %v standard errors from 3", name, tally.Mean(), (tally.Mean()-3)/sigma)
		}
		if got := sigma * math.Sqrt(float64(test.n)); math.Abs(got/test.want-1) > 0.15 {
			t.Errorf("%s: the standard deviation is %v, not %v", name, got, test.want)
		}
	}
}

// The weights of a deal do not depend on its own winnings.
func TestWeightedBySelf(t *testing.T) {
	deals := simulated(1000, map[int]float64{0: 2})
	before := weighted(deals)[7]
	deals[7].won += 1000
	if after := weighted(deals)[7]; after != before+1000 {
		t.Errorf("%v, not %v", after, before+1000)
	}
}
