package records

import (
	"math/bits"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// HalfTurn is the rotation of a coil whose halves are copies of each other, as it acts on the
// cube of a half: it renames dimensions and then flips some. It is its own inverse, and no vertex is
// its own image. A half leads from vertex 0 to the image of vertex 0, and the other half consists
// of the images of its vertices, from its end to its beginning. The zero value is no rotation.
type HalfTurn struct {
	Names [cube.MaxDimension]uint8
	Flips uint16 // a bit for each dimension
}

// drawHalfTurn draws the rotation of a coil, in the cube of a half.
func drawHalfTurn(dimension int, stream *nmcs.Stream) HalfTurn {
	for {
		var t HalfTurn
		order := randomOrder(dimension, stream)
		swapped := 2 * stream.Below((dimension-1)/2+1)
		for i, m := range order {
			n := m
			if i < swapped {
				n = order[i^1]
			}
			t.Names[m] = n
			if stream.Below(2) == 0 && (i >= swapped || i%2 == 0) {
				t.Flips |= 1<<m | 1<<n
			}
		}
		if bits.OnesCount16(t.Flips) >= 2 && !t.fixes() {
			return t
		}
	}
}

// fixes reports whether some vertex is its own image. None is if a dimension keeps its name and is
// flipped. Otherwise one is that has a bit of each pair of dimensions that are swapped and flipped.
func (t HalfTurn) fixes() bool {
	for m, name := range t.Names {
		if int(name) == m && t.Flips>>m&1 != 0 {
			return false
		}
	}
	return true
}

// image returns the image of a vertex.
func (t HalfTurn) image(v uint16) uint16 { return imageOf(v, t.Names[:], t.Flips) }

// other returns the other half of a coil.
func (t HalfTurn) other(half cube.Sequence) cube.Sequence {
	other := reversed(half)
	for i, m := range other {
		other[i] = t.Names[m]
	}
	return other
}
