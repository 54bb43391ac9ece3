package nearest

import (
	"cmp"
	"slices"

	"gamebots/internal/parallel"
)

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
	Few  = 64
	Many = 1024
	// maxNeighbours bounds those of all centres: 256 MB.
	maxNeighbours = 1 << 24
)

// Far is more than the square of any distance.
const Far = 1 << 50

// Bytes returns how much memory the neighbours of some centres take at most.
func Bytes(centres int) int64 {
	return 16 * int64(min(centres*Many, maxNeighbours))
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
