package havannah

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
