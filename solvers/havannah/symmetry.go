package havannah

import (
	"sync"

	"gamebots/hexproto/havannah"
)

// Symmetry is a symmetry of a board: the image of each cell.
type Symmetry []int16

var symmetries [havannah.MaxSide + 1]struct {
	sync.Once
	all [havannah.NumSymmetries]Symmetry
}

// Symmetries returns the symmetries of the boards of a grid. All callers share them.
func Symmetries(g *havannah.Grid) *[havannah.NumSymmetries]Symmetry {
	s := &symmetries[g.Side]
	s.Do(func() {
		for i := range s.all {
			for cell := range g.NumCells {
				s.all[i] = append(s.all[i], int16(g.Image(cell, i)))
			}
		}
	})
	return &s.all
}

// Turn moves what is known of each cell, size values each, to the cell's image.
func Turn[T any](to, from []T, s Symmetry, size int) {
	for cell, image := range s {
		copy(to[int(image)*size:][:size], from[cell*size:])
	}
}
