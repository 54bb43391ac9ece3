package snake

import (
	"fmt"
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

// checkHalfTurn returns an error if the rotation is not that of a coil, or if the prime meets its own
// image.
func (s Settings) checkHalfTurn() error {
	t, d := s.HalfTurn, s.Rules.Dimension
	if s.Algorithm != BeamSearch || !s.Rules.Free || s.Rules.Coil || s.Join || len(s.Avoid) > 0 || s.Symmetry != (Symmetry{}) {
		return fmt.Errorf("only a beam search with all moves, that avoids and joins nothing else, can make one of two equal halves")
	}
	ok := bits.OnesCount16(t.Flips) >= 2 && t.Flips>>d == 0 && !t.fixes()
	for m, name := range t.Names[:d] {
		ok = ok && int(name) < d && int(t.Names[name]) == m
	}
	if !ok || t.image(t.Flips) != 0 {
		return fmt.Errorf("half turn %v: want one that is its own inverse, moves every vertex, and flips two dimensions or more", t)
	}
	on := map[uint16]bool{}
	for i, v := range vertices(s.Prime) {
		on[v] = true
		switch image := t.image(v); {
		case s.Replace == (Window{}) && bits.OnesCount16(v^t.Flips) < 2:
			return &cube.Fault{Edge: i, Vertex: uint32(v), Reason: "touches the image of vertex 0"}
		case on[image] && (s.Replace == (Window{}) || i < len(s.Prime)):
			return &cube.Fault{Edge: i, Vertex: uint32(v), Reason: "meets the image of the path"}
		}
	}
	return nil
}
