package records

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/internal/beam"
)

// Symmetry restricts a search to symmetric snakes or coils. The zero value is no symmetry.
//
// Snakes grow from their middle towards both ends at once. One half is the image of the other
// under an automorphism of the cube that is its own inverse: it swaps some pairs of dimensions
// and, if the middle is an edge, the ends of that edge.
//
// Coils consist of copies of one path, which differ in the names of their dimensions. The seed
// draws the rotation of the cube that maps each copy to the next one.
type Symmetry struct {
	Middle string // for snakes: "edge" or "vertex"
	Pairs  int    // pairs of dimensions that are swapped
	Copies int    // for coils: copies of a path, at least 2
}

// ParseSymmetry parses the text of String.
func ParseSymmetry(text string) (Symmetry, error) {
	if text == "" {
		return Symmetry{}, nil
	}
	kind, number, _ := strings.Cut(text, ":")
	n, err := strconv.Atoi(number)
	switch {
	case err == nil && n >= 0 && (kind == "edge" || kind == "vertex"):
		return Symmetry{Middle: kind, Pairs: n}, nil
	case err == nil && n >= 2 && kind == "rotation":
		return Symmetry{Copies: n}, nil
	}
	return Symmetry{}, fmt.Errorf("%q is not like edge:3, vertex:3 or rotation:2", text)
}

// String returns a text such as "edge:3" or "rotation:2", and "" for no symmetry.
func (s Symmetry) String() string {
	switch {
	case s.Copies > 0:
		return fmt.Sprintf("rotation:%d", s.Copies)
	case s.Middle != "":
		return fmt.Sprintf("%s:%d", s.Middle, s.Pairs)
	}
	return ""
}

// dimensions returns the number of dimensions available for pairs.
func (s Symmetry) dimensions(r cube.Rules) int {
	if s.Middle == "edge" {
		return r.Dimension - 1 // not that of the edge
	}
	return r.Dimension
}

// checkSymmetry returns an error if no search with the settings can use their symmetry.
func (s Settings) checkSymmetry() error {
	y := s.Symmetry
	switch {
	case y == Symmetry{}:
		return nil
	case y.Copies == 0 && (s.Algorithm != snake.BeamSearch || len(s.Prime) > 0):
		return fmt.Errorf("symmetry %v is for beam searches without a prime", y)
	case y.Copies > 0 && s.Algorithm != snake.BeamSearch && s.Algorithm != HalfByHalf && s.Algorithm != Walking:
		return fmt.Errorf("symmetry %v is for beam searches, halves and walks", y)
	case y.Copies > 0 != s.Rules.Coil:
		return fmt.Errorf("symmetry %v is not for a %s", y, s.Rules.Kind())
	case s.Algorithm == HalfByHalf && y.Copies != 2:
		return fmt.Errorf("symmetry %v: halves are two copies, rotation:2", y)
	case s.Algorithm == HalfByHalf:
		return nil
	case y.Copies > 0:
		return y.checkRotation(s.Rules)
	}
	return y.checkMiddle(s.Rules)
}

// checkMiddle returns an error if no snake can have the symmetry.
func (s Symmetry) checkMiddle(r cube.Rules) error {
	minPairs := 0
	if s.Middle == "vertex" {
		minPairs = 1 // else both halves would leave the middle by the same edge
	}
	if maxPairs := s.dimensions(r) / 2; s.Pairs < minPairs || s.Pairs > maxPairs {
		return fmt.Errorf("symmetry %v: %d to %d pairs are possible in dimension %d", s, minPairs, maxPairs,
			r.Dimension)
	}
	return nil
}

// swap returns the dimension that a dimension is swapped with, or itself. Pairs come first.
func (s Symmetry) swap(m int) int {
	if m < 2*s.Pairs {
		return m ^ 1
	}
	return m
}

// middle returns the image of vertex 0, where the half begins.
func (s Symmetry) middle(r cube.Rules) uint32 {
	if s.Middle == "edge" {
		return 1 << (r.Dimension - 1)
	}
	return 0
}

// images returns the image of each vertex.
func (s Symmetry) images(r cube.Rules) []uint16 {
	images := make([]uint16, r.Vertices())
	for v := range images {
		image := s.middle(r)
		for m := range r.Dimension {
			image ^= uint32(v) >> m & 1 << s.swap(m)
		}
		images[v] = uint16(image)
	}
	return images
}

// restrict restricts a beam search to one half of snakes that grow from their middle.
func (s Symmetry) restrict(r cube.Rules, p *beam.Problem) {
	p.Allowed, p.Unlock = s.unlock(r)
	p.Images, p.BothEnds, p.EdgesPerStep = [][]uint16{s.images(r)}, true, 2
	if s.Middle == "edge" {
		p.Edges = 1
	}
	p.Drop(uint16(s.middle(r)))
}

// unlock returns the dimensions that may be used first, and by dimension those that may be used
// after it. The pairs are unlocked in their order, and so are the dimensions that are not swapped:
// paths that differ only in the names of dimensions are then searched once.
func (s Symmetry) unlock(r cube.Rules) (first uint16, next [cube.MaxDimension]uint16) {
	for m := range s.dimensions(r) {
		switch {
		case m == 0, m == 2*s.Pairs:
			first |= 1 << m
		}
		switch n := m + 1; {
		case m < 2*s.Pairs && m%2 == 0:
			next[m] = 1 << n
			if n++; n < 2*s.Pairs {
				next[m] |= 1 << n
			}
		case m >= 2*s.Pairs && n < s.dimensions(r):
			next[m] = 1 << n
		}
	}
	if s.Middle == "edge" {
		first |= 1 << (r.Dimension - 1)
	}
	return first, next
}

// whole returns the snake of a half, from one end to the other, in canonical form.
func (s Symmetry) whole(r cube.Rules, half cube.Sequence) cube.Sequence {
	var whole cube.Sequence
	for _, m := range slices.Backward(half) {
		whole = append(whole, uint8(s.swap(int(m))))
	}
	if s.Middle == "edge" {
		whole = append(whole, uint8(r.Dimension-1))
	}
	return append(whole, half...).Canonical()
}
