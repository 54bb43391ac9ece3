package havannah

import "slices"

// WinningCells returns the stones of the structures that ended the game, to be
// shown, in the order of cells. Of a bridge and of a fork they are as few as
// there are in the group, of a ring those next to what it goes around. There are
// none while the game runs.
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

// walk is cells in the order in which they are reached from some, and for each
// on the board the one it is reached from: itself for a start, -1 for what is
// not reached.
type walk struct {
	cells []int
	from  []int
}

// reach walks from some cells through those that it may enter.
func (b *Board) reach(starts []int, may func(cell int) bool) walk {
	w := walk{slices.Clone(starts), slices.Repeat([]int{-1}, b.grid.NumCells)}
	for _, cell := range starts {
		w.from[cell] = cell
	}
	for i := 0; i < len(w.cells); i++ {
		cell := w.cells[i]
		for d := range NumNear {
			if n := b.grid.Near(cell, d); n < b.grid.NumCells && w.from[n] < 0 && may(n) {
				w.from[n] = cell
				w.cells = append(w.cells, n)
			}
		}
	}
	return w
}

func (w walk) has(cell int) bool { return w.from[cell] >= 0 }

// way returns a shortest way from a cell to the nearest start.
func (w walk) way(cell int) []int {
	way := []int{cell}
	for w.from[cell] != cell {
		cell = w.from[cell]
		way = append(way, cell)
	}
	return way
}

// on returns the cells of the walk on each of the six corners (kind 0) or edges
// (kind 1), where there are any.
func (b *Board) on(w walk, kind int) (parts [][]int) {
	for i := range 6 {
		part := slices.DeleteFunc(slices.Clone(w.cells), func(cell int) bool {
			return b.grid.border[cell]&(1<<(6*kind+i)) == 0
		})
		if len(part) > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

// bridge returns the shortest way between two corners.
func (b *Board) bridge(group walk) (best []int) {
	corners := b.on(group, 0)
	for i, from := range corners {
		w := b.reach(from, group.has)
		for _, to := range corners[i+1:] {
			best = shorter(best, w.way(to[0]))
		}
	}
	return best
}

// fork returns three edges joined by the shortest ways that meet in one stone.
func (b *Board) fork(group walk) (best []int) {
	var edges []walk
	for _, cells := range b.on(group, 1) {
		edges = append(edges, b.reach(cells, group.has))
	}
	for i, first := range edges {
		for j, second := range edges[i+1:] {
			for _, third := range edges[i+1+j+1:] {
				for _, cell := range group.cells {
					best = shorter(best, slices.Concat(first.way(cell), second.way(cell)[1:], third.way(cell)[1:]))
				}
			}
		}
	}
	return best
}

// ring returns the stones next to what the group shuts off from the border, or
// around the first of its own stones that has the group on all sides.
func (b *Board) ring(group walk) (cells []int) {
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

// shorter returns the shorter of two ways, the first if they are equally long;
// a way that is nil is none.
func shorter(a, b []int) []int {
	if a != nil && len(a) <= len(b) {
		return a
	}
	return b
}
