package havannah

import (
	"strings"
	"testing"
)

// A symmetry is a permutation of the cells that keeps neighbours and borders, and no two
// are the same.
func TestSymmetries(t *testing.T) {
	g, err := GridOf(4)
	if err != nil {
		t.Fatal(err)
	}
	// A cell on no axis of symmetry has twelve images.
	odd, images := g.NumCells, map[int]bool{}
	if cell, ok := g.Cell(1, 0); ok {
		odd = cell
	}
	kind := func(b Border) int { // 0 inside, 1 in a corner, 2 on an edge
		switch {
		case b == 0:
			return 0
		case b < 1<<6:
			return 1
		}
		return 2
	}
	for s := range NumSymmetries {
		seen := map[int]bool{}
		for cell := range g.NumCells {
			image := g.Image(cell, s)
			if s == 0 && image != cell {
				t.Fatalf("symmetry 0 maps %d to %d", cell, image)
			}
			if kind(g.Border(cell)) != kind(g.Border(image)) {
				t.Errorf("symmetry %d maps %d to %d on another border", s, cell, image)
			}
			seen[image] = true
			for d := range NumNear {
				if near := g.Near(cell, d); near < g.NumCells && !adjacent(g, image, g.Image(near, s)) {
					t.Errorf("symmetry %d separates %d and %d", s, cell, near)
				}
			}
		}
		if len(seen) != g.NumCells {
			t.Errorf("symmetry %d has %d images", s, len(seen))
		}
		images[g.Image(odd, s)] = true
	}
	if len(images) != NumSymmetries {
		t.Errorf("%d images of one cell", len(images))
	}
}

func adjacent(g *Grid, a, b int) bool {
	for d := range NumNear {
		if g.Near(a, d) == b {
			return true
		}
	}
	return false
}

// The orbits of side 3 are a corner, a cell beside it, one of the second ring and the
// centre.
func TestOrbits(t *testing.T) {
	g, err := GridOf(3)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, cell := range g.Orbits() {
		names = append(names, g.Format(cell))
	}
	if got := strings.Join(names, " "); got != "a1 a2 b2 c3" {
		t.Errorf("orbits %s", got)
	}
}
