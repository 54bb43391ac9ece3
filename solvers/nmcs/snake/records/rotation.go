package records

import (
	"fmt"
	"math/bits"
	"slices"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// rotation is an automorphism of the cube that maps a coil to itself, a part of its length
// further on: the coil consists of copies of one path, which differ in the names of their
// dimensions (E. Wynn, Constructing circuit codes by permuting initial sequences, 2012). It
// has the image of each vertex after 1, 2, … turns; the turn after these is the identity.
// None are the identity alone.
type rotation [][]uint16

// imageOf returns the image of a vertex under the automorphism of the cube that renames dimensions
// and then flips some, given as bits.
func imageOf(v uint16, names []uint8, flips uint16) uint16 {
	image := flips
	for ; v != 0; v &= v - 1 {
		image ^= 1 << names[bits.TrailingZeros16(v)]
	}
	return image
}

// randomOrder returns dimensions in a random order.
func randomOrder(dimensions int, stream *nmcs.Stream) []uint8 {
	order := make([]uint8, dimensions)
	for m := range order {
		at := stream.Below(m + 1)
		order[m] = order[at]
		order[at] = uint8(m)
	}
	return order
}

// newRotation returns the rotation of some copies that renames dimensions and then flips
// some, given as bits. It reports false if the copies do not close, or begin less than three
// edges apart.
func newRotation(r cube.Rules, names []uint8, flips uint16, copies int) (rotation, bool) {
	turn := func(v uint16) uint16 { return imageOf(v, names, flips) }
	image := uint16(0)
	for i := range copies {
		if image = turn(image); (bits.OnesCount16(image) > 2) != (i < copies-1) {
			return nil, false
		}
	}
	if image != 0 {
		return nil, false
	}
	turns := make(rotation, copies-1)
	for i := range turns {
		turns[i] = make([]uint16, r.Vertices())
		for v := range turns[i] {
			if from := uint16(v); i == 0 {
				turns[i][v] = turn(from)
			} else {
				turns[i][v] = turn(turns[i-1][from])
			}
		}
	}
	return turns, true
}

// drawRotation draws a rotation of some copies, whose first edge has dimension 0. It reports false if
// there seems to be none. Of 0 copies it is the identity.
func drawRotation(r cube.Rules, copies int, seed uint64) (rotation, bool) {
	if copies == 0 {
		return nil, true
	}
	const tries = 10_000
	stream := nmcs.RunKey(seed, 0).Stream(0)
	for range tries {
		names := randomOrder(r.Dimension, &stream)
		renamed := slices.Clone(names)
		for left := names; len(left) > 0; { // a cycle of some of those that are left
			n := 1 + stream.Below(min(len(left), copies))
			if copies%n != 0 {
				continue
			}
			for i, m := range left[:n] {
				renamed[m] = left[(i+1)%n]
			}
			left = left[n:]
		}
		if turns, ok := newRotation(r, renamed, uint16(stream.Below(r.Vertices())), copies); ok && !turns.meets(1) {
			return turns, true
		}
	}
	return nil, false
}

// rotationOf returns the rotation of a coil that consists of some copies. It reports false if it does
// not. Of 0 copies it is the identity.
func rotationOf(r cube.Rules, s cube.Sequence, copies int) (rotation, bool) {
	if copies == 0 {
		return nil, true
	}
	if len(s)%copies != 0 {
		return nil, false
	}
	const unknown = cube.MaxDimension
	names, edges := slices.Repeat([]uint8{unknown}, r.Dimension), len(s)/copies
	flips := uint16(0)
	for i, m := range s {
		name := s[(i+edges)%len(s)]
		if names[m] != name && (names[m] != unknown || slices.Contains(names, name)) {
			return nil, false
		}
		if names[m] = name; i < edges {
			flips ^= 1 << m
		}
	}
	for m, name := range names {
		if name == unknown { // not in the coil, nor is its image
			names[m] = uint8(m)
		}
	}
	return newRotation(r, names, flips, copies)
}

// copies returns the number of copies of a path that a coil consists of.
func (r rotation) copies() int { return len(r) + 1 }

// turn returns the image of a vertex after one turn.
func (r rotation) turn(v uint16) uint16 {
	if len(r) == 0 {
		return v
	}
	return r[0][v]
}

// whole returns the vertices of the coil that begins with a path.
func (r rotation) whole(path []uint16) []uint16 {
	whole := slices.Clone(path)
	for _, turn := range r {
		for _, v := range path {
			whole = append(whole, turn[v])
		}
	}
	return whole
}

// meets reports whether a vertex is one of its own images, or adjacent to one. No path can
// enter it.
func (r rotation) meets(v uint16) bool {
	return slices.ContainsFunc(r, func(turn []uint16) bool { return bits.OnesCount16(v^turn[v]) < 2 })
}

// checkRotation returns an error if no rotation is found.
func (s Symmetry) checkRotation(r cube.Rules) error {
	const maxCopies = 64
	if s.Copies >= 2 && s.Copies <= maxCopies {
		if _, ok := drawRotation(r, s.Copies, 0); ok {
			return nil
		}
	}
	return fmt.Errorf("symmetry %v: no rotation was found in dimension %d", s, r.Dimension)
}
