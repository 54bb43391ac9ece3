package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Uncertainty is the variance of an estimate, and the degrees of freedom with which the variance was
// itself estimated: infinite if it is known. The zero value is the uncertainty of an exact number.
type Uncertainty struct{ Variance, Freedom float64 }

// Add returns the uncertainty of the sum of two independent estimates (B. Welch, The generalization
// of "Student's" problem when several different population variances are involved, Biometrika, 1947).
func (u Uncertainty) Add(o Uncertainty) Uncertainty {
	switch {
	case o.Variance == 0:
		return u
	case u.Variance == 0:
		return o
	}
	sum := u.Variance + o.Variance
	x, y := u.Variance/sum, o.Variance/sum
	return Uncertainty{sum, 1 / (x*x/u.Freedom + y*y/o.Freedom)}
}

// Times returns the uncertainty of a multiple of the estimate.
func (u Uncertainty) Times(x float64) Uncertainty { return Uncertainty{x * x * u.Variance, u.Freedom} }

// Interval returns half the width of the interval around the estimate that has the true value with
// a probability, by Student's distribution. It is infinite or NaN if the variance is.
func (u Uncertainty) Interval(probability float64) float64 {
	if !(u.Variance > 0) || math.IsInf(u.Variance, 1) {
		return math.Sqrt(u.Variance)
	}
	return math.Sqrt(u.Variance) * student(u.Freedom, probability)
}

// Interval95 returns half the width of the 95% confidence interval.
func (u Uncertainty) Interval95() float64 { return u.Interval(0.95) }

// student returns the t below which Student's distribution is in absolute value with a probability.
func student(freedom, probability float64) float64 {
	if freedom > 1e7 { // InvRegIncBeta is imprecise there, and the normal distribution is within 1e-6
		return mathext.NormalQuantile((1 + probability) / 2)
	}
	x := mathext.InvRegIncBeta(freedom/2, 0.5, 1-probability)
	return math.Sqrt(freedom * (1 - x) / x)
}
