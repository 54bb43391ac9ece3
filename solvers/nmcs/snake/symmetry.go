package snake

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gamebots/solvers/nmcs/snake/cube"
)

// A Symmetry makes a beam search grow snakes from their middle to both ends at
// once, the one half the image of the other under an automorphism of the cube
// that is its own inverse: some pairs of dimensions change places, and where an
// edge is in the middle, its ends do. The zero value is no symmetry.
type Symmetry struct {
	Middle string // "", "edge" or "vertex"
	Pairs  int    // of dimensions that change places
}

// ParseSymmetry reads what String writes.
func ParseSymmetry(text string) (Symmetry, error) {
	if text == "" {
		return Symmetry{}, nil
	}
	middle, pairs, _ := strings.Cut(text, ":")
	n, err := strconv.Atoi(pairs)
	if err != nil || n < 0 || middle != "edge" && middle != "vertex" {
		return Symmetry{}, fmt.Errorf("%q is not like edge:3 or vertex:3", text)
	}
	return Symmetry{middle, n}, nil
}

// String writes a symmetry as "edge:3", and none as "".
func (s Symmetry) String() string {
	if s.Middle == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.Middle, s.Pairs)
}

// dimensions returns how many dimensions are left for pairs.
func (s Symmetry) dimensions(r cube.Rules) int {
	if s.Middle == "edge" {
		return r.Dimension - 1 // that of the edge stays as it is
	}
	return r.Dimension
}

func (s Symmetry) check(r cube.Rules) error {
	least := 0
	if s.Middle == "vertex" {
		least = 1 // or both halves would leave the middle by the same edge
	}
	if most := s.dimensions(r) / 2; s.Middle != "" && (s.Pairs < least || s.Pairs > most) {
		return fmt.Errorf("symmetry %v: %d to %d pairs are possible in dimension %d", s, least, most, r.Dimension)
	}
	return nil
}

// swap returns the dimension that a dimension changes places with, or itself.
// Pairs come first.
func (s Symmetry) swap(m int) int {
	if m < 2*s.Pairs {
		return m ^ 1
	}
	return m
}

// middle returns the image of vertex 0, where the path begins.
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

// unlock returns the dimensions that may be used at first, and those that may be
// once a dimension was: without a symmetry each lets the next be used. With one,
// the first of each pair does for pairs, and those that stay as they are for
// themselves, so that names of dimensions are told apart no more than they must.
func (s Symmetry) unlock(r cube.Rules) (first uint16, next [cube.MaxDimension]uint16) {
	if s.Middle == "" {
		for m := range r.Dimension {
			next[m] = uint16(2 << m & (1<<r.Dimension - 1))
		}
		return uint16(r.Allowed(0)), next
	}
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

// both returns the whole snake of a half, from one end to the other, with its
// dimensions named in their order of appearance.
func (s Symmetry) both(r cube.Rules, half cube.Sequence) cube.Sequence {
	if s.Middle == "" {
		return half
	}
	var whole cube.Sequence
	for _, m := range slices.Backward(half) {
		whole = append(whole, uint8(s.swap(int(m))))
	}
	if s.Middle == "edge" {
		whole = append(whole, uint8(r.Dimension-1))
	}
	return append(whole, half...).Canonical()
}
