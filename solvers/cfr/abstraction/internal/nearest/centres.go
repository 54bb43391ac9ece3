package nearest

import (
	"math"
	"slices"
	"sort"
)

// Metric is a distance of vectors.
type Metric uint8

const (
	// L1 is the sum of the absolute differences. For cumulative histograms it is the
	// earth mover's distance.
	L1 Metric = iota
	// L2 is the Euclidean distance.
	L2
)

// Square returns the square of the distance of two vectors of the same length.
func (m Metric) Square(a, b []uint16) uint64 {
	b = b[:len(a)]
	if m == L1 {
		sum := int64(0)
		for i, x := range a {
			d := int64(x) - int64(b[i])
			sign := d >> 63
			sum += d ^ sign - sign
		}
		return uint64(sum * sum)
	}
	sum := int64(0)
	for i, x := range a {
		d := int64(x) - int64(b[i])
		sum += d * d
	}
	return uint64(sum)
}

// Distance returns the distance of two vectors of the same length.
func (m Metric) Distance(a, b []uint16) float64 { return math.Sqrt(float64(m.Square(a, b))) }

// Beyond reports whether two vectors whose keys differ by some amount must be farther
// apart than a distance, given its square: sums differ by the distance at most in L1, and
// by the square root of the dimension times the distance in L2.
func (m Metric) Beyond(keys int64, square uint64, dim int) bool {
	if m == L2 {
		square *= uint64(dim)
	}
	return uint64(keys*keys) > square
}

// Centres are vectors that stand for groups of others. They do not change after they are
// made and may be shared.
type Centres struct {
	Metric Metric
	Dim    int      // coordinates of a vector
	Values []uint16 // the centres, one after the other
	keys   []int64  // the sums of their coordinates, ascending
}

// NewCentres returns centres whose values are in ascending order of the sum of their
// coordinates. It reports false for any others.
func NewCentres(m Metric, dim int, values []uint16) (*Centres, bool) {
	c := &Centres{Metric: m, Dim: dim, Values: values}
	c.keys = make([]int64, len(values)/dim)
	for i := range c.keys {
		c.keys[i] = Key(c.At(i))
	}
	return c, slices.IsSorted(c.keys)
}

// Key returns the sum of the coordinates of a vector.
func Key(x []uint16) (sum int64) {
	for _, v := range x {
		sum += int64(v)
	}
	return sum
}

// Len returns the number of centres.
func (c *Centres) Len() int { return len(c.keys) }

// At returns a centre.
func (c *Centres) At(i int) []uint16 { return c.Values[i*c.Dim:][:c.Dim] }

// Nearest returns the centre that is nearest to a vector, the first of several, and the
// square of its distance.
func (c *Centres) Nearest(x []uint16) (centre int, square uint64) {
	return c.nearest(x, Key(x), 0, c.Metric.Square(x, c.At(0)))
}

// nearest is Nearest for a vector with its key, given any centre and the square of its
// distance, the smaller the faster.
func (c *Centres) nearest(x []uint16, k int64, centre int, square uint64) (int, uint64) {
	c.around(k, &square, func(i int) {
		if d := c.Metric.Square(x, c.At(i)); d < square || d == square && i < centre {
			centre, square = i, d
		}
	})
	return centre, square
}

// around calls try for the centres from those of about some key on, both ways, until the keys
// show that all others are farther away than a distance, given its square, which try may
// lower.
func (c *Centres) around(k int64, square *uint64, try func(i int)) {
	up := sort.Search(len(c.keys), func(i int) bool { return c.keys[i] >= k })
	down := up - 1
	reach := func(i int) bool {
		return i >= 0 && i < len(c.keys) && !c.Metric.Beyond(c.keys[i]-k, *square, c.Dim)
	}
	for {
		above, below := reach(up), reach(down)
		if above {
			try(up)
			up++
		}
		if below {
			try(down)
			down--
		}
		if !above && !below {
			return
		}
	}
}
