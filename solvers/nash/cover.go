package nash

import (
	"math"
	"math/bits"

	"gamebots/cudalib/nashgpu"
)

// maxCovered is how many columns a cover may be made for: it takes memory for all
// their subsets.
const maxCovered = 24

// A cover is a walk through column supports of one size, from each to one that
// differs in one column, so that every support of the size is on it or differs
// from one on it in one column. It is a matter of supports alone, and the same for
// all games. It begins anew from time to time, as rounding errors grow on the way.
type cover []coverPart

// A coverPart begins at a support, and goes on by exchanges.
type coverPart struct {
	start uint32
	steps []exchange
}

// An exchange takes the column at place out out of the support and the one at
// place in into it, where each takes the place of the other. At the start both
// those in the support and those that are not have the order of their numbers.
type exchange struct{ out, in uint8 }

// coverLength is how many exchanges a part has at most.
const coverLength = 128

// newCover makes a cover of the subsets of k of n columns, 0 < k < n, with n up to
// maxCovered. It goes where most is new, and where nothing near is, towards the
// nearest support that is left: for n = 20, k = 10 a thirtieth of all supports are
// on the walk, where a ninety-ninth would be a perfect cover.
func newCover(n, k int) cover {
	b := coverBuilder{n: n, all: 1<<n - 1, fresh: make([]uint16, 1<<n), covered: make([]uint64, 1<<max(0, n-6))}
	b.left = int(binomial(n, k))
	b.each(k, func(set uint32) bool {
		b.fresh[set] = uint16(k*(n-k) + 1)
		return true
	})
	b.begin(1<<k - 1)
	for b.left > 0 {
		next, most := uint32(0), uint16(0)
		b.neighbours(b.at, func(set uint32) {
			if b.fresh[set] > most {
				next, most = set, b.fresh[set]
			}
		})
		if most == 0 {
			next = b.towards(b.nearest(k))
		}
		b.step(next)
	}
	return b.cover
}

// flat returns a cover as a device takes it.
func (c cover) flat() (f nashgpu.CoveringWalk) {
	for _, part := range c {
		f.Starts = append(f.Starts, part.start)
		for _, e := range part.steps {
			f.Steps = append(f.Steps, uint16(e.out)|uint16(e.in)<<8)
		}
		f.Ends = append(f.Ends, uint32(len(f.Steps)))
	}
	return f
}

type coverBuilder struct {
	n       int
	all     uint32
	fresh   []uint16 // by set: how many it and its neighbours are that nothing covers yet
	covered []uint64 // a bit for each set
	left    int
	cover   cover
	at      uint32
	places  [2][]uint8 // columns outside of the support at, and in it
}

// each calls f with the subsets of k columns until it returns false.
func (b *coverBuilder) each(k int, f func(uint32) bool) {
	for set := uint32(1)<<k - 1; set <= b.all && f(set); {
		low := set & -set
		high := set + low
		set = (set^high)>>2/low | high
	}
}

func (b *coverBuilder) neighbours(set uint32, f func(uint32)) {
	for out := set; out != 0; out &= out - 1 {
		rest := set &^ (out & -out)
		for in := b.all &^ set; in != 0; in &= in - 1 {
			f(rest | in&-in)
		}
	}
}

func (b *coverBuilder) isCovered(set uint32) bool { return b.covered[set>>6]>>(set&63)&1 != 0 }

func (b *coverBuilder) add(set uint32) {
	if b.isCovered(set) {
		return
	}
	b.covered[set>>6] |= 1 << (set & 63)
	b.left--
	b.fresh[set]--
	b.neighbours(set, func(near uint32) { b.fresh[near]-- })
}

func (b *coverBuilder) visit(set uint32) {
	b.at = set
	b.add(set)
	b.neighbours(set, b.add)
}

func (b *coverBuilder) begin(set uint32) {
	b.cover = append(b.cover, coverPart{start: set})
	b.places = [2][]uint8{}
	for c := range b.n {
		in := set >> c & 1
		b.places[in] = append(b.places[in], uint8(c))
	}
	b.visit(set)
}

func (b *coverBuilder) step(to uint32) {
	part := &b.cover[len(b.cover)-1]
	if len(part.steps) == coverLength {
		b.begin(to)
		return
	}
	e := exchange{place(b.places[1], b.at&^to), place(b.places[0], to&^b.at)}
	b.places[1][e.out], b.places[0][e.in] = b.places[0][e.in], b.places[1][e.out]
	part.steps = append(part.steps, e)
	b.visit(to)
}

// place finds the column of a set of one.
func place(list []uint8, set uint32) uint8 {
	for i, c := range list {
		if set == 1<<c {
			return uint8(i)
		}
	}
	panic("nash: no such column")
}

// nearest returns a support that nothing covers yet.
func (b *coverBuilder) nearest(k int) (nearest uint32) {
	least := math.MaxInt
	b.each(k, func(set uint32) bool {
		if d := bits.OnesCount32(set &^ b.at); !b.isCovered(set) && d < least {
			nearest, least = set, d
		}
		return least > 2 // which is the nearest there can be
	})
	return nearest
}

// towards returns the neighbour with most that is new on the way to a set.
func (b *coverBuilder) towards(to uint32) (next uint32) {
	b.neighbours(b.at, func(set uint32) {
		nearer := bits.OnesCount32(set&^to) < bits.OnesCount32(b.at&^to)
		if nearer && (next == 0 || b.fresh[set] > b.fresh[next]) {
			next = set
		}
	})
	return next
}
