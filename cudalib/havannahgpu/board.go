package havannahgpu

import (
	"fmt"
	"math/bits"
)

// A triangulation is a board in triangles of three cells that all touch, as
// board.cuh reads it.
type triangulation struct {
	cells []uint16 // the kernels' number of each cell: 4·triangle + index
	// rows has, by number of a cell, the three other triangles around, eight bits each, and the border's bit in a mark.
	rows      []uint32
	triangles int // their number, rounded up to a multiple of 4; also the number of the triangle off the board
}

func triangulate(board []Cell) (triangulation, error) {
	type corner struct{ row, col int } // the cell of a triangle with index 0
	split := func(row, col int) (of corner, index int) {
		index = ((row+col)%3 + 3) % 3
		return corner{row - index/2, col - (index+1)/2}, index
	}
	numbers := map[corner]int{}
	for _, c := range board {
		of, _ := split(c.Row, c.Col)
		if _, seen := numbers[of]; !seen {
			numbers[of] = len(numbers)
		}
	}
	t := triangulation{triangles: (len(numbers) + 3) / 4 * 4}
	if t.triangles == 0 || t.triangles > 255 {
		return t, fmt.Errorf("a board of %d cells in %d triangles cannot be", len(board), len(numbers))
	}
	number := func(of corner) int {
		if n, ok := numbers[of]; ok {
			return n
		}
		return t.triangles
	}
	steps := [6]corner{{-1, -1}, {-1, 0}, {0, 1}, {1, 1}, {1, 0}, {0, -1}}
	t.rows = make([]uint32, 4*t.triangles)
	for _, c := range board {
		of, index := split(c.Row, c.Col)
		cell := 4*number(of) + index
		t.cells = append(t.cells, uint16(cell))
		// The first two of the circle are in the cell's own triangle, the fourth
		// and fifth in the same one.
		for i, further := range []int{2, 3, 5} {
			step := steps[(2*index+2+further)%6]
			other, _ := split(c.Row+step.row, c.Col+step.col)
			t.rows[cell] |= uint32(number(other)) << (8 * i)
		}
		if bits.OnesCount16(c.Border) > 1 || c.Border >= 1<<12 {
			return t, fmt.Errorf("border %#x of row %d, column %d is not one corner or edge", c.Border, c.Row, c.Col)
		}
		if c.Border != 0 {
			t.rows[cell] |= uint32(4+bits.TrailingZeros16(c.Border)) << 24
		}
	}
	return t, nil
}
