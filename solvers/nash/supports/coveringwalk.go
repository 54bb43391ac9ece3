package supports

import (
	"math"
	"math/bits"
)

// maxCovered is the largest number of columns for which a covering walk is made. It
// takes memory for all their subsets.
const maxCovered = 24

// A coveringWalk is a walk through column supports of one size. Each step exchanges
// one column, and every support of the size is on the walk or one exchange away from
// it. It depends on the number of columns only, not on the game. It is cut into
// segments, as rounding errors of tableaux grow on the way.
type coveringWalk []segment

// A segment begins at a support and continues by exchanges.
type segment struct {
	start uint32
	steps []exchange
}

// An exchange swaps the column at index out of the support with the one at index in
// outside of it. At the start of a segment both lists of columns are ascending.
type exchange struct{ out, in uint8 }

// maxSegment is the largest number of exchanges of a segment.
const maxSegment = 128

// newCoveringWalk makes a walk that covers the subsets of k of n columns, 0 < k < n <=
// maxCovered. It is greedy: the next support is the neighbour that covers most, or if
// none covers anything, a neighbour on the way to the nearest support that is not
// covered. For n = 20, k = 10 one in thirty supports is on the walk; a perfect cover
// would have one in 101.
func newCoveringWalk(n, k int) coveringWalk {
	b := walkBuilder{n: n, all: 1<<n - 1, fresh: make([]uint16, 1<<n), covered: make([]uint64, 1<<max(0, n-6))}
	b.left = int(binomial(n, k))
	b.each(k, func(set uint32) bool {
		b.fresh[set] = uint16(k*(n-k) + 1)
		return true
	})
	b.begin(1<<k - 1)
	for b.left > 0 {
		next, gain := uint32(0), uint16(0)
		b.neighbours(b.at, func(set uint32) {
			if b.fresh[set] > gain {
				next, gain = set, b.fresh[set]
			}
		})
		if gain == 0 {
			next = b.towards(b.nearest(k))
		}
		b.step(next)
	}
	return b.walk
}

// A walkBuilder makes a coveringWalk.
type walkBuilder struct {
	n       int
	all     uint32
	fresh   []uint16 // how many of each set and its neighbours are not covered yet
	covered []uint64 // a bit for each set
	left    int      // sets that are not covered yet
	walk    coveringWalk
	at      uint32
	columns [2][]uint8 // columns outside of the support at, and inside
}

// each calls f with the subsets of k columns in ascending order, until it returns
// false.
func (b *walkBuilder) each(k int, f func(uint32) bool) {
	for set := uint32(1)<<k - 1; set <= b.all && f(set); {
		low := set & -set
		high := set + low
		set = (set^high)>>2/low | high
	}
}

// neighbours calls f with the sets that are one exchange away.
func (b *walkBuilder) neighbours(set uint32, f func(uint32)) {
	for out := set; out != 0; out &= out - 1 {
		rest := set &^ (out & -out)
		for in := b.all &^ set; in != 0; in &= in - 1 {
			f(rest | in&-in)
		}
	}
}

func (b *walkBuilder) isCovered(set uint32) bool { return b.covered[set>>6]>>(set&63)&1 != 0 }

// add marks a set as covered.
func (b *walkBuilder) add(set uint32) {
	if b.isCovered(set) {
		return
	}
	b.covered[set>>6] |= 1 << (set & 63)
	b.left--
	b.fresh[set]--
	b.neighbours(set, func(near uint32) { b.fresh[near]-- })
}

// visit moves to a set, which covers it and its neighbours.
func (b *walkBuilder) visit(set uint32) {
	b.at = set
	b.add(set)
	b.neighbours(set, b.add)
}

// begin begins a segment at a set.
func (b *walkBuilder) begin(set uint32) {
	b.walk = append(b.walk, segment{start: set})
	b.columns = [2][]uint8{}
	for c := range b.n {
		in := set >> c & 1
		b.columns[in] = append(b.columns[in], uint8(c))
	}
	b.visit(set)
}

// step moves to a neighbour, or begins a segment there.
func (b *walkBuilder) step(to uint32) {
	last := &b.walk[len(b.walk)-1]
	if len(last.steps) == maxSegment {
		b.begin(to)
		return
	}
	e := exchange{indexOf(b.columns[1], b.at&^to), indexOf(b.columns[0], to&^b.at)}
	b.columns[1][e.out], b.columns[0][e.in] = b.columns[0][e.in], b.columns[1][e.out]
	last.steps = append(last.steps, e)
	b.visit(to)
}

// indexOf returns the index in a list of the column of a one-element set.
func indexOf(list []uint8, set uint32) uint8 {
	for i, c := range list {
		if set == 1<<c {
			return uint8(i)
		}
	}
	panic("nash: no such column")
}

// nearest returns the first of the nearest sets of k that are not covered yet.
func (b *walkBuilder) nearest(k int) (nearest uint32) {
	distance := math.MaxInt
	b.each(k, func(set uint32) bool {
		if d := bits.OnesCount32(set &^ b.at); !b.isCovered(set) && d < distance {
			nearest, distance = set, d
		}
		return distance > 2 // nearer ones are covered
	})
	return nearest
}

// towards returns the neighbour that covers most on the way to a set.
func (b *walkBuilder) towards(to uint32) (next uint32) {
	b.neighbours(b.at, func(set uint32) {
		nearer := bits.OnesCount32(set&^to) < bits.OnesCount32(b.at&^to)
		if nearer && (next == 0 || b.fresh[set] > b.fresh[next]) {
			next = set
		}
	})
	return next
}
