package stats

import "math"

// Student95 returns the 97.5% quantile of Student's t distribution with n > 0 degrees of
// freedom: [Z95] for samples that are small.
func Student95(n int) float64 { return Student(n, 0.95) }

// Student returns the t below which a part of Student's distribution with n > 0 degrees of
// freedom is in absolute value. It bisects the distribution function, a sum for whole n
// (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 4). More than
// maxFreedom count as that many, with a t that is a little too large.
func Student(n int, part float64) float64 {
	n = min(n, maxFreedom)
	low, high := 0., math.Pi/2 // bounds of the angle whose tangent is t/√n
	for range 60 {
		if middle := (low + high) / 2; studentWithin(middle, n) < part {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Sqrt(float64(n)) * math.Tan(low)
}

// maxFreedom bounds the terms of the sum. The t of as many degrees of freedom is larger than
// that of the normal distribution by less than a thousandth, for parts up to 0.99999.
const maxFreedom = 10_000

// studentWithin returns the probability of a t whose angle is between -angle and angle.
func studentWithin(angle float64, n int) float64 {
	sin, cos := math.Sincos(angle)
	term, first := 1., 2 // for even n
	if n%2 == 1 {
		term, first = cos, 3
	}
	sum := 0.0
	for k := first; k <= n && term > 1e-17; k += 2 {
		sum += term
		term *= cos * cos * float64(k-1) / float64(k)
	}
	if n%2 == 1 {
		return 2 / math.Pi * (angle + sin*sum)
	}
	return sin * sum
}
