package cluster

import (
	"math"
	"slices"

	"gamebots/solvers/cfr/abstraction/buckets"
)

// newReport returns the report of sizes by worker and bucket, and sums of squares.
func newReport(s *source, sizes [][]uint64, squares []float64) (r buckets.Report) {
	parts := make([]float64, len(sizes[0]))
	for i := range parts {
		n := uint64(0)
		for _, size := range sizes {
			n += size[i]
		}
		if n == 0 {
			r.Empty++
		}
		parts[i] = float64(n) / s.deals()
	}
	slices.Sort(parts)
	r.Smallest, r.Median, r.Largest = parts[0], parts[len(parts)/2], parts[len(parts)-1]
	sum := 0.0
	for _, x := range squares {
		sum += x
	}
	unit := float64(math.MaxUint16)
	if s.feature == buckets.Histogram {
		unit *= float64(s.dim + 1) // a strength of 1 is so many bins
	}
	r.Distance = math.Sqrt(sum/s.deals()) / unit
	return r
}
