package stats

import (
	"math"
	"slices"
)

// SignedRank returns the centre of a symmetric distribution, from some 20 values of it on, and
// an interval that has the centre with a probability, by Wilcoxon's signed-rank test. Single
// values far from the others hardly count. The centre is the median of the means of all pairs of
// values, and of the values themselves (Hodges and Lehmann, 1963); the test is in its normal
// approximation, whose intervals are a little too long for probabilities near 1.
func SignedRank(values []float64, probability float64) (centre, low, high float64) {
	var means []float64
	for i, x := range values {
		for _, y := range values[:i+1] {
			means = append(means, x/2+y/2)
		}
	}
	slices.Sort(means)
	n, all := float64(len(values)), len(means)
	deviation := math.Sqrt(n * (n + 1) * (2*n + 1) / 24) // deviation of the sum of the ranks of one sign
	outside := max(0, int(float64(all)/2-math.Sqrt2*math.Erfinv(probability)*deviation-0.5))
	return (means[(all-1)/2] + means[all/2]) / 2, means[outside], means[all-1-outside]
}
