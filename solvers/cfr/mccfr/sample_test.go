package mccfr

import (
	"math"
	"testing"
)

// The deviation of 1, 2, 3, 4 is the root of 5/3, whatever is added to them.
func TestSample(t *testing.T) {
	var s sample
	for _, x := range []float64{1, 2} {
		if !math.IsInf(s.interval(), 1) {
			t.Errorf("the interval of %v observations is %v", s.n, s.interval())
		}
		s.add(1e9 + x)
	}
	s.add(1e9 + 3)
	s.add(1e9 + 4)
	if want := 1.959964 * math.Sqrt(5./3/4); s.mean != 1e9+2.5 || math.Abs(s.interval()-want) > 1e-6 {
		t.Errorf("%v ± %v, want 2.5 ± %v beyond a thousand million", s.mean, s.interval(), want)
	}
}
