package figures

import (
	"math"
	"testing"
)

// A single observation has no interval.
func TestPlusMinus(t *testing.T) {
	for half, want := range map[float64]string{
		12.345: "± 12.3", 0: "± 0.0", math.Inf(1): "± ?", math.NaN(): "± ?",
	} {
		if got := PlusMinus(half, 1); got != want {
			t.Errorf("%v: %s, want %s", half, got, want)
		}
	}
}
