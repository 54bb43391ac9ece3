package buckets

import (
	"cmp"
	"slices"
	"sort"

	"gamebots/internal/parallel"
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

// Neighbours are, for each centre, the centres that are nearest to it. A centre that is nearer
// to a vector than a first one is at most twice as far from the first one as the vector is. So
// few are compared where the first one is near (Phillips, "Acceleration of k-means and related
// clustering algorithms", 2002).
type Neighbours struct {
	*Centres
	lists [][]neighbour // neighbours of a centre, in ascending order of the distance
}

type neighbour struct {
	square uint64 // square of the distance
	centre int
}

// How many neighbours lists have: few for centres that soon move, many where millions of
// vectors are compared with them. A vector for which they do not suffice is compared by keys.
const (
	FewNeighbours  = 64
	ManyNeighbours = 1024
	// maxNeighbours bounds those of all centres: 256 MB.
	maxNeighbours = 1 << 24
)

// Far is more than the square of any distance.
const Far = 1 << 50

// NeighbourBytes returns how much memory the neighbours of some centres take at most.
func NeighbourBytes(centres int) int64 {
	return 16 * int64(min(centres*ManyNeighbours, maxNeighbours))
}

// NewNeighbours finds for every centre up to each neighbours, the nearest ones.
func NewNeighbours(c *Centres, each, threads int) *Neighbours {
	each = min(each, maxNeighbours/c.Len(), c.Len()-1)
	n := &Neighbours{Centres: c, lists: make([][]neighbour, c.Len())}
	if each == 0 {
		return n
	}
	parallel.For(threads, c.Len(), func(_, centre int) {
		list := make([]neighbour, 0, 2*each)
		bound := uint64(Far)
		keep := func() {
			slices.SortFunc(list, func(a, b neighbour) int { return cmp.Compare(a.square, b.square) })
			list = list[:each]
			bound = list[each-1].square
		}
		x := c.At(centre)
		c.around(c.keys[centre], &bound, func(other int) {
			if d := c.Metric.Square(x, c.At(other)); d < bound && other != centre {
				if list = append(list, neighbour{d, other}); len(list) == cap(list) {
					keep()
				}
			}
		})
		keep()
		n.lists[centre] = slices.Clone(list)
	})
	return n
}

// From is [Centres.Nearest] for a vector with its key, given any centre and the square of its distance,
// the smaller the faster.
func (n *Neighbours) From(x []uint16, k int64, centre int, square uint64) (int, uint64) {
	list := n.lists[centre]
	for i := 0; i < len(list); i++ {
		o := &list[i]
		if o.square > 4*square {
			return centre, square
		}
		if n.Metric.Beyond(n.keys[o.centre]-k, square, n.Dim) {
			continue
		}
		if d := n.Metric.Square(x, n.At(o.centre)); d < square || d == square && o.centre < centre {
			centre, square = o.centre, d
			list, i = n.lists[centre], -1
		}
	}
	if len(list) == n.Len()-1 {
		return centre, square
	}
	return n.Centres.nearest(x, k, centre, square)
}

// After is [Centres.Nearest], the faster the nearer the centre that it starts from.
func (n *Neighbours) After(x []uint16, centre int) (int, uint64) {
	return n.From(x, Key(x), centre, n.Metric.Square(x, n.At(centre)))
}
