package havannah

import (
	"fmt"
	"sync"
)

// The limits of a board's side, and the number of cells of the largest board.
const (
	MinSide  = 2
	MaxSide  = 13
	MaxCells = 3*MaxSide*(MaxSide-1) + 1
)

// A Grid is the geometry of the boards of one side. Cells are numbered row by
// row from a1 = 0. A cell has a row and a column, both from 0, in a skewed
// square grid, which differ by less than the side. All boards of a side share one
// Grid, which is never modified.
type Grid struct {
	Side     int
	NumCells int // 3·side·(side-1) + 1

	row, col []int16
	first    []int16             // first cell of each row
	near     [][NumNear]int16    // neighbours by direction; NumCells where the board ends
	border   []Border            // the corner or edge that a cell is on
	at       [2*MaxSide + 1]int8 // first column of each row
}

// NumNear is how many neighbours a cell has inside the board. Directions go
// clockwise from up and left; the opposite of a direction is 3 further.
const NumNear = 6

var step = [NumNear]struct{ row, col int }{{-1, -1}, {-1, 0}, {0, 1}, {1, 1}, {1, 0}, {0, -1}}

// Border is a set of corners (the low six bits) and of edges (the six above),
// both clockwise. A corner belongs to no edge.
type Border uint16

// Bridge reports whether the set has two corners.
func (b Border) Bridge() bool { c := b & 0x3f; return c&(c-1) != 0 }

// Fork reports whether the set has three edges.
func (b Border) Fork() bool { e := b >> 6; e &= e - 1; return e&(e-1) != 0 }

var grids [MaxSide + 1]struct {
	sync.Once
	Grid
}

// GridOf returns the geometry of boards of a side.
func GridOf(side int) (*Grid, error) {
	if side < MinSide || side > MaxSide {
		return nil, fmt.Errorf("side %d is not from %d to %d", side, MinSide, MaxSide)
	}
	g := &grids[side]
	g.Do(func() { g.Grid = newGrid(side) })
	return &g.Grid, nil
}

func newGrid(side int) Grid {
	g := Grid{Side: side}
	for row := range g.Rows() {
		g.at[row] = int8(max(0, row-side+1))
		g.first = append(g.first, int16(len(g.row)))
		for col := int(g.at[row]); col < min(row+side, g.Rows()); col++ {
			g.row = append(g.row, int16(row))
			g.col = append(g.col, int16(col))
		}
	}
	g.NumCells = len(g.row)
	g.near = make([][NumNear]int16, g.NumCells)
	g.border = make([]Border, g.NumCells)
	for cell := range g.NumCells {
		for d, s := range step {
			near, ok := g.Cell(g.Row(cell)+s.row, g.Col(cell)+s.col)
			if !ok {
				near = g.NumCells
			}
			g.near[cell][d] = int16(near)
		}
		g.border[cell] = g.borderAt(cell)
	}
	return g
}

// borderAt finds the border of a cell: it is on two of the board's six sides in
// a corner, on one along an edge.
func (g *Grid) borderAt(cell int) Border {
	row, col, last := g.Row(cell), g.Col(cell), g.Rows()-1
	var sides Border
	for i, on := range [6]bool{row == 0, col-row == g.Side-1, col == last, row == last, row-col == g.Side-1, col == 0} {
		if on {
			sides |= 1 << i
		}
	}
	if sides&(sides-1) == 0 {
		return sides << 6
	}
	// Corner i is between sides i-1 and i.
	return sides & (sides<<1 | sides>>5) & 0x3f
}

// Rows returns the number of rows, which is also that of columns.
func (g *Grid) Rows() int { return 2*g.Side - 1 }

// Row returns the row of a cell.
func (g *Grid) Row(cell int) int { return int(g.row[cell]) }

// Col returns the column of a cell in the skewed grid.
func (g *Grid) Col(cell int) int { return int(g.col[cell]) }

// FirstCol returns the column of a row's first cell.
func (g *Grid) FirstCol(row int) int { return int(g.at[row]) }

// Cell returns the cell at a row and a column, if there is one.
func (g *Grid) Cell(row, col int) (cell int, ok bool) {
	last := g.Rows() - 1
	if min(row, col) < 0 || max(row, col) > last || max(row-col, col-row) >= g.Side {
		return 0, false
	}
	return int(g.first[row]) + col - g.FirstCol(row), true
}

// Near returns the neighbour of a cell in a direction, NumCells where the board
// ends.
func (g *Grid) Near(cell, direction int) int { return int(g.near[cell][direction]) }

// Border returns the corner or the edge that a cell is on.
func (g *Grid) Border(cell int) Border { return g.border[cell] }

// NumSymmetries is the number of symmetries of a hexagon: six rotations, then the same
// of the mirror image.
const NumSymmetries = 12

// Image returns the cell to which a symmetry maps a cell. Symmetry 0 maps each to itself.
func (g *Grid) Image(cell, symmetry int) int {
	middle := g.Side - 1
	row, col := g.Row(cell)-middle, g.Col(cell)-middle
	if symmetry >= NumSymmetries/2 {
		row, col = col, row
	}
	for range symmetry % (NumSymmetries / 2) {
		row, col = col, col-row // a sixth of a turn
	}
	image, _ := g.Cell(row+middle, col+middle)
	return image
}

// Orbits returns the first cell of every set of cells that are images of each other.
func (g *Grid) Orbits() (cells []Move) {
	for cell := range g.NumCells {
		first := true
		for s := range NumSymmetries {
			first = first && g.Image(cell, s) >= cell
		}
		if first {
			cells = append(cells, Move(cell))
		}
	}
	return cells
}
