package hexnet

import "fmt"

// numNear is the number of neighbours of a cell inside a board.
const numNear = 6

// A Shape is the cells of a board, in packed order. It is never modified.
type Shape struct {
	Side  int // scales pooled means
	Cells int
	near  []int32 // [cell][tap]: the cell itself, then its neighbours; Cells off the board
}

// NewShape returns a shape by the neighbour of each cell in each of six directions, which
// is cells where the board ends. Opposite directions differ by three.
func NewShape(side, cells int, near func(cell, direction int) int) *Shape {
	s := &Shape{Side: side, Cells: cells}
	for cell := range cells {
		s.near = append(s.near, int32(cell))
		for d := range numNear {
			s.near = append(s.near, int32(near(cell, d)))
		}
	}
	return s
}

// opposite has for each tap the one that leads back.
var opposite = []int{0, 4, 5, 6, 1, 2, 3}

// rows returns the table of gathered rows, [board][cell][tap], of some boards whose cells
// follow each other. Off the boards it is the row after their last.
func (s *Shape) rows(boards int) []int32 {
	off := int32(boards * s.Cells)
	all := make([]int32, 0, boards*len(s.near))
	for board := range int32(boards) {
		for _, near := range s.near {
			if near == int32(s.Cells) {
				all = append(all, off)
			} else {
				all = append(all, board*int32(s.Cells)+near)
			}
		}
	}
	return all
}

// boards returns the number of boards that planes describe.
func (s *Shape) boards(planes []uint8) (int, error) {
	size := s.Cells * Planes
	if len(planes) == 0 || len(planes)%size != 0 {
		return 0, fmt.Errorf("%d bytes of planes are not boards of %d", len(planes), size)
	}
	return len(planes) / size, nil
}

// scale is the factor of the second pooled mean.
func (s *Shape) scale() float32 { return float32(s.Side-6) / 4 }
