package stats

import (
	"math"
	"testing"
)

// The values are those of the tables of the t distribution.
func TestStudent(t *testing.T) {
	for freedom, want := range map[float64]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228,
		15: 2.131, 29: 2.045, 30: 2.042, 47: 2.012, 120: 1.980, 1e6: 1.960, 2e7: 1.960, math.Inf(1): 1.960} {
		if got := student(freedom, 0.95); math.Abs(got-want) > 6e-4 {
			t.Errorf("%v degrees of freedom: %.4f, want %.3f", freedom, got, want)
		}
	}
	if got := student(4, 0.99); math.Abs(got-4.604) > 6e-4 {
		t.Errorf("the t of 99%% is %.4f, want 4.604", got)
	}
}

// The sum of two means has the degrees of freedom of Welch's test: samples of 6 and 11 with variances of their means
// of 2 and 1 have 9/(4/5 + 1/10). What is known exactly changes nothing.
func TestUncertainty(t *testing.T) {
	six, eleven := Uncertainty{2, 5}, Uncertainty{1, 10}
	sum := six.Add(eleven)
	if sum.Variance != 3 || math.Abs(sum.Freedom-10) > 1e-12 {
		t.Errorf("the sum has %+v, want 3 and 10", sum)
	}
	if got, want := sum.Times(-2).Interval95(), 2*math.Sqrt(3)*2.228; math.Abs(got-want) > 1e-3 {
		t.Errorf("twice the sum has ± %v, want %v", got, want)
	}
	for _, exact := range []Uncertainty{{}, {0, 1}} {
		if six.Add(exact) != six || exact.Add(six) != six || exact.Interval95() != 0 {
			t.Errorf("%+v changes %+v", exact, six)
		}
	}
	known := Uncertainty{1, math.Inf(1)}
	if got := known.Add(known); got.Freedom != math.Inf(1) || math.Abs(known.Interval95()-Z95) > 1e-6 {
		t.Errorf("known variances have the sum %+v and ± %v", got, known.Interval95())
	}
	unknown := (&Sample{N: 1}).Uncertainty()
	if got := six.Add(unknown).Interval95(); !math.IsInf(got, 1) {
		t.Errorf("with a single observation ± %v", got)
	}
}
