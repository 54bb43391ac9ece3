package arena

import (
	"math"
	"testing"
)

// Samples that are joined are one sample.
func TestTallyJoin(t *testing.T) {
	var all, parts Tally
	for i, part := range [][]float64{{}, {3}, {1, 4, 1}, {-5, 9}} {
		var sample Tally
		for _, x := range part {
			all.Add(x)
			sample.Add(x)
		}
		parts.Join(sample)
		if parts.N != all.N || math.Abs(parts.Mean()-all.Mean()) > 1e-12 || i > 1 && math.Abs(parts.Interval95()-all.Interval95()) > 1e-12 {
			t.Errorf("after part %d: %+v, want %+v", i, parts, all)
		}
	}
}
