package figures

import (
	"math"
	"testing"
)

// The run of configs/arena.toml has such means; sums in another order are off by
// some bits, and must not be printed as other numbers.
func TestSignedTenthsOfMeansHalfway(t *testing.T) {
	for x, want := range map[float64]string{
		445.15: "+445.2", 445.1499999999: "+445.2", 445.1500000000001: "+445.2", 445.149: "+445.1",
		-507.15: "-507.2", -507.14999999999986: "-507.2", 0: "+0.0", -0.04: "+0.0", 70: "+70.0",
	} {
		if got := SignedTenths(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

// A single observation has no interval.
func TestPlusMinus(t *testing.T) {
	for half, want := range map[float64]string{12.345: "± 12.3", 0: "± 0.0", math.Inf(1): "± ?", math.NaN(): "± ?"} {
		if got := PlusMinus(half, 1); got != want {
			t.Errorf("%v: %s, want %s", half, got, want)
		}
	}
}
