package mccfr

import "math"

// sample is the mean of observations and how sure it is.
type sample struct{ n, mean, square float64 }

// add adds an observation (B. Welford, Note on a method for calculating corrected
// sums of squares and products, 1962).
func (s *sample) add(x float64) {
	s.n++
	d := x - s.mean
	s.mean += d / s.n
	s.square += d * (x - s.mean)
}

// interval returns half the width of the mean's 95% confidence interval, by the
// normal distribution; infinite for less than two observations.
func (s *sample) interval() float64 {
	if s.n < 2 {
		return math.Inf(1)
	}
	return 1.959964 * math.Sqrt(s.square/(s.n-1)/s.n)
}
