package stats

import (
	"math"
	"testing"
)

// The values are those of the tables of the t distribution.
func TestStudent95(t *testing.T) {
	for n, want := range map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 29: 2.045,
		30: 2.042, 120: 1.980, 1_000_000: 1.960, math.MaxInt32: 1.960} {
		if got := Student95(n); math.Abs(got-want) > 6e-4 {
			t.Errorf("%d degrees of freedom: %.4f, want %.3f", n, got, want)
		}
	}
}
