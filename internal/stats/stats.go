package stats

import (
	"math"
	"slices"
	"strconv"
)

// Z95 is the 97.5% quantile of the normal distribution: a 95% interval reaches as many standard
// errors to each side where the variance is not estimated from a sample, as that of a proportion.
const Z95 = 1.959964

// Sample is the running mean and variance of observations (B. Welford, Note on a
// method for calculating corrected sums of squares and products, Technometrics,
// 1962). The zero value is an empty sample. It is not safe for concurrent use.
type Sample struct {
	N       int // observations
	mean    float64
	squares float64 // sum of squared deviations from the mean
}

// Add adds an observation.
func (s *Sample) Add(x float64) {
	s.N++
	d := x - s.mean
	s.mean += d / float64(s.N)
	s.squares += d * (x - s.mean)
}

// Mean returns the mean, 0 of an empty sample.
func (s *Sample) Mean() float64 { return s.mean }

// Variance returns the unbiased variance, infinite for less than two observations.
func (s *Sample) Variance() float64 {
	if s.N < 2 {
		return math.Inf(1)
	}
	return s.squares / float64(s.N-1)
}

// StandardError returns the standard error of the mean, infinite for less than two
// observations.
func (s *Sample) StandardError() float64 { return math.Sqrt(s.Variance() / float64(s.N)) }

// Uncertainty returns that of the mean.
func (s *Sample) Uncertainty() Uncertainty {
	return Uncertainty{s.Variance() / float64(s.N), float64(s.N - 1)}
}

// Interval95 returns half the width of the 95% confidence interval of the mean, by Student's
// distribution; infinite for less than two observations.
func (s *Sample) Interval95() float64 { return s.Uncertainty().Interval95() }

// Wilson returns the centre of the 95% confidence interval of a proportion p of n > 0
// observations, and half its width (E. Wilson, Probable inference, the law of
// succession, and statistical inference, 1927). Unlike the normal interval it has a
// width where p is 0 or 1; the bound there is p but for rounding.
func Wilson(p, n float64) (centre, half float64) {
	const z2 = Z95 * Z95
	centre = (p + z2/(2*n)) / (1 + z2/n)
	half = Z95 / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	return centre, half
}

// Score95 returns Wilson's 95% interval of the mean score of some games, in which a draw is half a
// win. Without games it is [0, 1].
func Score95(score float64, games int) (low, high float64) {
	if games == 0 {
		return 0, 1
	}
	centre, half := Wilson(score, float64(games))
	low, high = centre-half, centre+half
	if score == 0 {
		low = 0 // exact, where rounding is not
	}
	if score == 1 {
		high = 1
	}
	return low, high
}

// Elo returns the rating difference that corresponds to an expected score; infinite for 0 and 1.
func Elo(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

// sprtBound is where a sequential test decides: ln((1-β)/α) with α = β = 5%.
var sprtBound = math.Log(0.95 / 0.05)

// SPRT decides Wald's sequential probability ratio test, with errors of either kind
// in one of twenty tests. Given the logarithm of the likelihood ratio of the second
// hypothesis to the first, it returns +1 to accept the second, -1 to accept the
// first, and 0 to go on; NaN goes on.
func SPRT(logRatio float64) int {
	switch {
	case logRatio >= sprtBound:
		return 1
	case logRatio <= -sprtBound:
		return -1
	}
	return 0
}

// HalfWidth is half the width of an interval. An infinite one, as after a single
// observation, is null in JSON.
type HalfWidth float64

// MarshalJSON writes the number, or null.
func (h HalfWidth) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(h), 0) || math.IsNaN(float64(h)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(h), 'g', -1, 64), nil
}

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
