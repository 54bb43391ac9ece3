package boards

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"

	"gamebots/hexproto/havannah"
)

// judge returns the winner of a finished game by its moves: a seat, or -1 for a draw. It
// judges by flood fill and by the words of the rules alone. It shares nothing with
// gamebots/hexproto/havannah but the sizes of boards, so it finds faults of the rules. An
// error names the first illegal move, or says that the game goes on.
func judge(side int, moves []string) (winner int, err error) {
	if side < havannah.MinSide || side > havannah.MaxSide {
		return 0, fmt.Errorf("a board of side %d", side)
	}
	r := referee{side: side}
	over := false
	for i, text := range moves {
		if over {
			return 0, fmt.Errorf("move %d, %s: the game was over", i+1, text)
		}
		if text == "swap" {
			if i != 1 {
				return 0, fmt.Errorf("move %d: no swap is allowed", i+1)
			}
			r.stones = area[int8]{}
			first, _ := r.parseCell(moves[0])
			*r.stones.at(first) = 2
			continue
		}
		p, err := r.parseCell(text)
		if err != nil {
			return 0, fmt.Errorf("move %d, %s: %w", i+1, text, err)
		}
		winner = i % 2
		*r.stones.at(p) = int8(winner) + 1
		over = r.wins(p)
	}
	if over {
		return winner, nil
	}
	for row := range 2*r.side - 1 {
		for col := range 2*r.side - 1 {
			if p := (cell{row, col}); r.on(p) && *r.stones.at(p) == 0 {
				return 0, errors.New("the game is not over")
			}
		}
	}
	return -1, nil
}

// cell is a row and a column of the skewed grid, from 0. The board has a margin of
// one cell around it.
type cell struct{ row, col int }

// area has a value for every cell.
type area[T any] [2*havannah.MaxSide + 1][2*havannah.MaxSide + 1]T

func (a *area[T]) at(p cell) *T { return &a[p.row+1][p.col+1] }

// referee has the board. Stones are 1 for white and 2 for black.
type referee struct {
	side   int
	stones area[int8]
}

func (r *referee) on(p cell) bool {
	last := 2*r.side - 2
	return min(p.row, p.col) >= 0 && max(p.row, p.col) <= last && max(p.row-p.col, p.col-p.row) < r.side
}

// margin reports whether a cell is on the board or in its margin.
func (r *referee) margin(p cell) bool {
	return min(p.row, p.col) >= -1 && max(p.row, p.col) <= 2*r.side-1
}

// parseCell parses the name of an empty cell.
func (r *referee) parseCell(text string) (cell, error) {
	if len(text) < 2 {
		return cell{}, errors.New("not a cell")
	}
	col, err := strconv.Atoi(text[1:])
	p := cell{int(text[0]) - 'a', col - 1}
	if err != nil || !r.on(p) {
		return p, errors.New("not a cell")
	}
	if *r.stones.at(p) != 0 {
		return p, errors.New("the cell is taken")
	}
	return p, nil
}

var steps = [6]cell{{-1, -1}, {-1, 0}, {0, 1}, {1, 1}, {1, 0}, {0, -1}}

func (p cell) step(s cell) cell { return cell{p.row + s.row, p.col + s.col} }

// flood returns the places that are connected to one through places of a kind.
func (r *referee) flood(from cell, is func(cell) bool) (seen area[bool]) {
	*seen.at(from) = true
	todo := []cell{from}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, s := range steps {
			if to := at.step(s); r.margin(to) && !*seen.at(to) && is(to) {
				*seen.at(to) = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}

// wins reports whether the group of a stone has a bridge, a fork or a ring.
func (r *referee) wins(at cell) bool {
	group := r.flood(at, func(p cell) bool { return *r.stones.at(p) == *r.stones.at(at) })
	corners, edges := 0, uint(0)
	for row := range 2*r.side - 1 {
		for col := range 2*r.side - 1 {
			p := cell{row, col}
			if !*group.at(p) {
				continue
			}
			switch on := r.sides(p); bits.OnesCount(on) {
			case 1:
				edges |= on
			case 2:
				corners++
			}
		}
	}
	return corners >= 2 || bits.OnesCount(edges) >= 3 || r.ring(&group)
}

// sides returns the set of the board's six sides that a cell is on, two for a corner.
func (r *referee) sides(p cell) (on uint) {
	last := 2*r.side - 2
	for i, is := range [6]bool{
		p.row == 0, p.col-p.row == r.side-1, p.col == last, p.row == last, p.row-p.col == r.side-1, p.col == 0,
	} {
		if is {
			on |= 1 << i
		}
	}
	return on
}

// ring reports whether a group surrounds a cell: a cell outside of the group from which
// no path around the group leads off the board, or a cell of the group whose neighbours
// are all of the group.
func (r *referee) ring(group *area[bool]) bool {
	outside := r.flood(cell{-1, -1}, func(p cell) bool { return !*group.at(p) })
	for row := range 2*r.side - 1 {
		for col := range 2*r.side - 1 {
			p := cell{row, col}
			if !r.on(p) {
				continue
			}
			inside := !*outside.at(p)
			if *group.at(p) {
				for _, s := range steps {
					inside = inside && *group.at(p.step(s))
				}
			}
			if inside {
				return true
			}
		}
	}
	return false
}
