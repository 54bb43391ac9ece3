package mccfr

import (
	"slices"
	"testing"
)

// TestSmooth takes the visits and mean regrets of next buckets where a bucket has few visits of its own, but of none
// that is much stronger or weaker.
func TestSmooth(t *testing.T) {
	strength := []float32{.36, .3, .4, .25, .8}
	visits := []float64{100, 500, 2000, 0, 1}
	sums := []float64{100, 0, -1000, 500, 4000, 2000, 0, 0, 1000, -1}
	all, means := smooth(visits, sums, strength)
	if want := []float64{2600, 600, 2000, 500, 1}; !slices.Equal(all, want) {
		t.Errorf("%v visits, want %v", all, want)
	}
	want := []float64{3100. / 2600, 2500. / 2600, -900. / 600, 500. / 600, 2, 1, -2, 1, 1000, -1}
	if !slices.Equal(means, want) {
		t.Errorf("mean regrets %v, want %v", means, want)
	}
}
