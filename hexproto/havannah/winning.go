package havannah

import "slices"

// WinningCells returns the stones of the structures that ended the game, in the order
// of cells: of a bridge and of a fork as few as the group allows, of a ring those next to
// its inside. It returns none while the game runs.
func (b *Board) WinningCells() []int {
	last := b.lastStone()
	if b.won == 0 || last < 0 {
		return nil
	}
	group := b.reach([]int{last}, func(cell int) bool { return b.stones[cell] == b.stones[last] })
	var cells []int
	if b.won&Ring != 0 {
		cells = append(cells, b.ring(group)...)
	}
	if b.won&Bridge != 0 {
		cells = append(cells, b.bridge(group)...)
	}
	if b.won&Fork != 0 {
		cells = append(cells, b.fork(group)...)
	}
	slices.Sort(cells)
	return slices.Compact(cells)
}

// search is a breadth-first search: cells in the order in which they were reached, and
// for each cell of the board the one from which it was reached: itself for a start, -1
// for a cell that was not reached.
type search struct {
	cells []int
	from  []int
}

// reach searches from cells through those that it may enter.
func (b *Board) reach(starts []int, may func(cell int) bool) search {
	s := search{slices.Clone(starts), slices.Repeat([]int{-1}, b.grid.NumCells)}
	for _, cell := range starts {
		s.from[cell] = cell
	}
	for i := 0; i < len(s.cells); i++ {
		cell := s.cells[i]
		for d := range NumNear {
			if n := b.grid.Near(cell, d); n < b.grid.NumCells && s.from[n] < 0 && may(n) {
				s.from[n] = cell
				s.cells = append(s.cells, n)
			}
		}
	}
	return s
}

func (s search) has(cell int) bool { return s.from[cell] >= 0 }

// path returns a shortest path from a cell to the nearest start.
func (s search) path(cell int) []int {
	path := []int{cell}
	for s.from[cell] != cell {
		cell = s.from[cell]
		path = append(path, cell)
	}
	return path
}

// on returns the reached cells on each of the six corners (kind 0) or edges (kind 1).
func (b *Board) on(s search, kind int) (parts [][]int) {
	for i := range 6 {
		part := slices.DeleteFunc(slices.Clone(s.cells), func(cell int) bool {
			return b.grid.border[cell]&(1<<(6*kind+i)) == 0
		})
		if len(part) > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

// bridge returns the shortest path between two corners.
func (b *Board) bridge(group search) (best []int) {
	corners := b.on(group, 0)
	for i, from := range corners {
		s := b.reach(from, group.has)
		for _, to := range corners[i+1:] {
			best = shorter(best, s.path(to[0]))
		}
	}
	return best
}

// fork returns the shortest paths from one stone to three edges.
func (b *Board) fork(group search) (best []int) {
	var edges []search
	for _, cells := range b.on(group, 1) {
		edges = append(edges, b.reach(cells, group.has))
	}
	for i, first := range edges {
		for j, second := range edges[i+1:] {
			for _, third := range edges[i+1+j+1:] {
				for _, cell := range group.cells {
					best = shorter(best, slices.Concat(first.path(cell), second.path(cell)[1:], third.path(cell)[1:]))
				}
			}
		}
	}
	return best
}

// ring returns the stones next to the cells that the group cuts off from the border, or
// those around the first stone whose neighbours are all of the group.
func (b *Board) ring(group search) (cells []int) {
	var border []int
	for cell, where := range b.grid.border {
		if where != 0 && !group.has(cell) {
			border = append(border, cell)
		}
	}
	outside := b.reach(border, func(cell int) bool { return !group.has(cell) })
	neighbours := func(of int) (near []int) {
		for d := range NumNear {
			if n := b.grid.Near(of, d); n < b.grid.NumCells && group.has(n) {
				near = append(near, n)
			}
		}
		return near
	}
	for cell := range b.grid.NumCells {
		if !outside.has(cell) && !group.has(cell) {
			cells = append(cells, neighbours(cell)...)
		}
	}
	if len(cells) > 0 {
		return cells
	}
	for _, cell := range group.cells {
		if near := neighbours(cell); len(near) == NumNear {
			return near
		}
	}
	return nil
}

// shorter returns the shorter of two paths, the first if they are equally long. A nil
// path does not exist.
func shorter(a, b []int) []int {
	if a != nil && len(a) <= len(b) {
		return a
	}
	return b
}
