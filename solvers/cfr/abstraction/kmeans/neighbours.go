package kmeans

import (
	"cmp"
	"slices"

	"gamebots/internal/parallel"
)

// neighbours are, for each centre, the centres that are nearest to it. A centre that is nearer
// to a vector than a first one is at most twice as far from the first one as the vector is. So
// few are compared where the first one is near (Phillips, "Acceleration of k-means and related
// clustering algorithms", 2002).
type neighbours struct {
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
	fewNeighbours  = 64
	manyNeighbours = 1024
	// maxNeighbours bounds those of all centres: 256 MB.
	maxNeighbours = 1 << 24
)

// far is more than the square of any distance.
const far = 1 << 50

// SearchBytes returns how much memory a [Search] takes on the CPU at
// most.
func SearchBytes(centres int) int64 {
	return 16 * int64(min(centres*manyNeighbours, maxNeighbours))
}

// newNeighbours finds for every centre up to each neighbours, the nearest ones.
func newNeighbours(c *Centres, each, threads int) *neighbours {
	each = min(each, maxNeighbours/c.Len(), c.Len()-1)
	n := &neighbours{Centres: c, lists: make([][]neighbour, c.Len())}
	if each == 0 {
		return n
	}
	parallel.For(threads, c.Len(), func(_, centre int) {
		list := make([]neighbour, 0, 2*each)
		bound := uint64(far)
		keep := func() {
			slices.SortFunc(list, func(a, b neighbour) int { return cmp.Compare(a.square, b.square) })
			list = list[:each]
			bound = list[each-1].square
		}
		x := c.At(centre)
		c.around(c.keys[centre], &bound, func(other int) {
			if d := c.Metric.square(x, c.At(other)); d < bound && other != centre {
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

// nearest is Centres.nearest, which is the faster the smaller the square is.
func (n *neighbours) nearest(x []uint16, k int64, centre int, square uint64) (int, uint64) {
	list := n.lists[centre]
	for i := 0; i < len(list); i++ {
		o := &list[i]
		if o.square > 4*square {
			return centre, square
		}
		if n.Metric.beyond(n.keys[o.centre]-k, square, n.Dim) {
			continue
		}
		if d := n.Metric.square(x, n.At(o.centre)); d < square || d == square && o.centre < centre {
			centre, square = o.centre, d
			list, i = n.lists[centre], -1
		}
	}
	if len(list) == n.Len()-1 {
		return centre, square
	}
	return n.Centres.nearest(x, k, centre, square)
}
