package arena

import "math"

// Tally is the mean of a sample and how sure it is. The zero value is an empty
// sample.
type Tally struct {
	N    int
	mean float64
	// square is the sum of squared distances from the mean (Welford, 1962).
	square float64
}

// Add adds one observation.
func (t *Tally) Add(x float64) {
	t.N++
	d := x - t.mean
	t.mean += d / float64(t.N)
	t.square += d * (x - t.mean)
}

// Join adds all observations of another sample.
func (t *Tally) Join(u Tally) {
	if u.N == 0 {
		return
	}
	n, d := float64(t.N+u.N), u.mean-t.mean
	t.square += u.square + d*d*float64(t.N)*float64(u.N)/n
	t.mean += d * float64(u.N) / n
	t.N += u.N
}

// Mean returns the mean of the observations.
func (t *Tally) Mean() float64 { return t.mean }

// Interval95 returns half the width of the 95% confidence interval of the mean,
// by the normal distribution; infinite for less than two observations.
func (t *Tally) Interval95() float64 {
	if t.N < 2 {
		return math.Inf(1)
	}
	return 1.959964 * math.Sqrt(t.square/float64(t.N-1)/float64(t.N))
}
