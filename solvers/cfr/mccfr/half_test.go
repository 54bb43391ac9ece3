package mccfr

import (
	"math"
	"testing"

	"gamebots/internal/rng"
)

// TestHalf rounds numbers of all sizes to 16 bits: to a neighbour, and in the mean to
// themselves.
func TestHalf(t *testing.T) {
	random := rng.Stream(1)
	for _, test := range []struct {
		name     string
		narrow   func(x float32, random uint32) uint16
		widen    func(uint16) float32
		fraction float64 // the largest relative error
		sign     float32
	}{
		{"regret", narrowRegret, widenRegret, 1. / (1 << 9), 1},
		{"negative regret", narrowRegret, widenRegret, 1. / (1 << 9), -1},
		{"sum", narrowSum, widenSum, 1. / (1 << 10), 1},
	} {
		for exponent := -13; exponent < 49; exponent++ {
			x := test.sign * float32(math.Ldexp(1+random.Float64(), exponent))
			const n = 4000
			mean := 0.0
			for range n {
				y := test.widen(test.narrow(x, uint32(random.Uint64())))
				if math.Abs(float64(y-x)) > test.fraction*math.Abs(float64(x)) {
					t.Fatalf("%s: %v is rounded to %v", test.name, x, y)
				}
				mean += float64(y) / n
			}
			if math.Abs(mean-float64(x)) > 4*test.fraction*math.Abs(float64(x))/math.Sqrt(n) {
				t.Errorf("%s: %v is rounded to %v in the mean", test.name, x, mean)
			}
		}
		for _, h := range []uint16{0, 1, 1 << 10, 1<<15 - 1} {
			if test.sign > 0 && test.narrow(test.widen(h), 1<<13-1) != h {
				t.Errorf("%s: %v is not rounded to itself", test.name, test.widen(h))
			}
		}
		if y := test.widen(test.narrow(test.sign*1e30, 0)); !(y*test.sign > 1e15) {
			t.Errorf("%s: too large a number becomes %v", test.name, y)
		}
	}
}

// TestHalfCounts adds small numbers to a large sum: none is lost in the mean.
func TestHalfCounts(t *testing.T) {
	const steps, start = 1 << 16, 1 << 14
	h := half{regret: make([]uint16, 1), sum: make([]uint16, 1)}
	h.regret[0], h.sum[0] = narrowRegret(-start, 0), narrowSum(start, 0)
	random := rng.Stream(1)
	for range steps {
		h.addRegrets(0, []float32{-.25}, rng.Stream(random.Uint64()))
		h.addSums(0, []float32{.25}, rng.Stream(random.Uint64()))
	}
	const want = start + steps/4
	for name, got := range map[string]float32{"regret": -widenRegret(h.regret[0]), "sum": widenSum(h.sum[0])} {
		// A step rounds up by at most want/512, with a variance of that times the step.
		if math.Abs(float64(got)-want) > 5*math.Sqrt(steps*.25*want/512) {
			t.Errorf("%s: %v, want about %v", name, got, want)
		}
	}
}
