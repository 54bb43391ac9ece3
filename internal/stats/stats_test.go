package stats_test

import (
	"fmt"
	"math"
	"testing"

	"gamebots/internal/stats"
)

func TestSample(t *testing.T) {
	var s stats.Sample
	if s.Mean() != 0 || !math.IsInf(s.Variance(), 1) || !math.IsInf(s.StandardError(), 1) ||
		!math.IsInf(s.Interval95(), 1) {
		t.Errorf("an empty sample has mean %g, variance %g, error %g", s.Mean(), s.Variance(), s.StandardError())
	}
	s.Add(1e9 + 4)
	if s.Mean() != 1e9+4 || !math.IsInf(s.Interval95(), 1) {
		t.Errorf("one observation: %g ± %g", s.Mean(), s.Interval95())
	}
	// A sum of squares would lose the variance beside the mean.
	for _, x := range []float64{1e9 + 7, 1e9 + 13, 1e9 + 16} {
		s.Add(x)
	}
	if s.N != 4 || s.Mean() != 1e9+10 || s.Variance() != 30 {
		t.Errorf("%d observations with mean %g and variance %g", s.N, s.Mean(), s.Variance())
	}
	if want := 3.182446 * math.Sqrt(30./4); math.Abs(s.Interval95()-want) > 1e-5 {
		t.Errorf("interval %g, want %g", s.Interval95(), want)
	}
}

// The deviation of 1, 2, 3, 4 is the root of 5/3, whatever is added to them.
func TestSampleFarFromZero(t *testing.T) {
	var s stats.Sample
	for _, x := range []float64{1, 2} {
		if !math.IsInf(s.Interval95(), 1) {
			t.Errorf("the interval of %v observations is %v", s.N, s.Interval95())
		}
		s.Add(1e9 + x)
	}
	s.Add(1e9 + 3)
	s.Add(1e9 + 4)
	if want := 3.182446 * math.Sqrt(5./3/4); s.Mean() != 1e9+2.5 || math.Abs(s.Interval95()-want) > 1e-6 {
		t.Errorf("%v ± %v, want 2.5 ± %v beyond a thousand million", s.Mean(), s.Interval95(), want)
	}
}

func TestInterval95(t *testing.T) {
	var s stats.Sample
	if !math.IsInf(s.Interval95(), 1) {
		t.Error("an empty sample has an interval")
	}
	for _, x := range []float64{2, 4, 4, 4, 5, 5, 7, 9} {
		s.Add(x)
	}
	// The sample variance is 32/7.
	if want := 2.364624 * math.Sqrt(32./7/8); s.Mean() != 5 || math.Abs(s.Interval95()-want) > 1e-6 {
		t.Errorf("mean %v ± %v, want 5 ± %v", s.Mean(), s.Interval95(), want)
	}
}

// The values are those of Newcombe, Two-sided confidence intervals for the single
// proportion, Statistics in Medicine, 1998, table I, method 3.
func TestWilson(t *testing.T) {
	for _, c := range []struct{ successes, n, low, high float64 }{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		centre, half := stats.Wilson(c.successes/c.n, c.n)
		low, high := centre-half, centre+half
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%g of %g: %.4f to %.4f, want %.4f to %.4f", c.successes, c.n, low, high, c.low, c.high)
		}
	}
}

func TestSPRT(t *testing.T) {
	for ratio, want := range map[float64]int{0: 0, 2.94: 0, 2.95: 1, -2.94: 0, -2.95: -1,
		math.Inf(1): 1, math.Inf(-1): -1} {
		if got := stats.SPRT(ratio); got != want {
			t.Errorf("a ratio of exp(%g) decides %d, want %d", ratio, got, want)
		}
	}
	if stats.SPRT(math.NaN()) != 0 {
		t.Error("NaN decides")
	}
}

func ExampleSample() {
	var won stats.Sample
	for _, chips := range []float64{5, -10, 20, 5} {
		won.Add(chips)
	}
	fmt.Printf("%.1f ± %.1f\n", won.Mean(), won.Interval95())
	// Output: 5.0 ± 19.5
}

func ExampleElo() {
	fmt.Printf("%.0f\n", stats.Elo(0.75))
	// Output: 191
}
