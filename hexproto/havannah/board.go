package havannah

import (
	"errors"
	"fmt"
	"slices"
)

// Move is the number of the cell on which a stone is placed, or Swap.
type Move int16

// Swap turns the first stone black, and white moves again. Only the second move of a
// game can be a swap.
const Swap Move = -1

// The errors of illegal moves.
var (
	ErrOver  = errors.New("the game is over")
	ErrTaken = errors.New("the cell is taken")
	ErrOff   = errors.New("off the board")
	ErrSwap  = errors.New("only the second move can be a swap")
	ErrTurn  = errors.New("it is the other player's turn")
)

// Board is a game of Havannah: a position and the moves that led to it. It is a plain
// value: copying it copies the game. Its methods do not allocate. A Board is used by
// one goroutine at a time.
type Board struct {
	grid   *Grid
	turn   Colour
	won    Structures // structures that the player who is not to move has won by
	empty  int16      // cells
	played int16      // moves
	stones [MaxCells + 1]Colour
	groups groups
	moves  [MaxCells + 1]ply
}

// ply is a move with the data for Undo.
type ply struct {
	move Move
	join joins
}

// New returns the empty board of a side.
func New(side int) (*Board, error) {
	g, err := GridOf(side)
	if err != nil {
		return nil, err
	}
	return &Board{grid: g, turn: White, empty: int16(g.NumCells)}, nil
}

// Grid returns the board's geometry.
func (b *Board) Grid() *Grid { return b.grid }

// Turn returns the player to move, or the one who would be if the game were not over.
func (b *Board) Turn() Colour { return b.turn }

// Stone returns the colour of the stone on a cell.
func (b *Board) Stone(cell int) Colour { return b.stones[cell] }

// Over reports whether there is a winning structure or no empty cell.
func (b *Board) Over() bool { return b.won != 0 || b.empty == 0 }

// Won returns the structures that ended the game: those that the last move
// completed. It is 0 while the game runs and when it is a draw.
func (b *Board) Won() Structures { return b.won }

// Winner returns the player with a structure, or NoColour.
func (b *Board) Winner() Colour {
	if b.won == 0 {
		return NoColour
	}
	return b.turn.Other()
}

// Empty reports whether there is no stone.
func (b *Board) Empty() bool { return int(b.empty) == b.grid.NumCells }

// NumMoves returns the number of moves that were made and not taken back, including
// swaps.
func (b *Board) NumMoves() int { return int(b.played) }

// Move returns the i-th move, from 0.
func (b *Board) Move(i int) Move { return b.moves[i].move }

// CanSwap reports whether a swap is legal.
func (b *Board) CanSwap() bool {
	return b.turn == Black && int(b.empty) == b.grid.NumCells-1 && !b.Over()
}

// AppendMoves appends the legal moves: empty cells in order, then Swap. A game that
// is over has none.
func (b *Board) AppendMoves(moves []Move) []Move {
	if b.Over() {
		return moves
	}
	for cell, c := range b.stones[:b.grid.NumCells] {
		if c == NoColour {
			moves = append(moves, Move(cell))
		}
	}
	if b.CanSwap() {
		moves = append(moves, Swap)
	}
	return moves
}

// Check returns why a move is not legal, or nil.
func (b *Board) Check(m Move) error {
	switch {
	case b.Over():
		return ErrOver
	case m != Swap:
		return b.free(m)
	case !b.CanSwap():
		return ErrSwap
	}
	return nil
}

// free returns why no stone can be placed on a cell, or nil.
func (b *Board) free(m Move) error {
	switch {
	case m < 0 || int(m) >= b.grid.NumCells:
		return ErrOff
	case b.stones[m] != NoColour:
		return ErrTaken
	}
	return nil
}

// Play makes a move. It returns an error for an illegal move, and changes nothing.
func (b *Board) Play(m Move) error {
	if err := b.Check(m); err != nil {
		return fmt.Errorf("%s: %w", b.grid.Format(m), err)
	}
	p := &b.moves[b.played]
	p.move = m
	b.played++
	if m == Swap {
		b.recolour(White, Black)
	} else {
		b.won = b.put(int(m), b.turn, &p.join)
	}
	b.turn = b.turn.Other()
	return nil
}

// PlayAs makes a move of the player of a colour.
func (b *Board) PlayAs(c Colour, m Move) error {
	if c != b.turn {
		return fmt.Errorf("%v %s: %w", c, b.grid.Format(m), ErrTurn)
	}
	return b.Play(m)
}

// Undo takes back the last move, and reports whether there was one.
func (b *Board) Undo() bool {
	if b.played == 0 {
		return false
	}
	b.played--
	b.turn = b.turn.Other()
	b.won = 0
	p := &b.moves[b.played]
	if p.move == Swap {
		b.recolour(Black, White)
		return true
	}
	b.groups.undo(&p.join)
	b.stones[p.move] = NoColour
	b.empty++
	return true
}

// recolour changes the colour of the only stone.
func (b *Board) recolour(from, to Colour) {
	b.stones[slices.Index(b.stones[:b.grid.NumCells], from)] = to
}

// put places a stone on an empty cell and returns the structures that its group then
// has.
func (b *Board) put(cell int, c Colour, j *joins) Structures {
	b.stones[cell] = c
	b.empty--
	set := b.around(cell, c)
	if b.groups.add(cell, b.grid.near[cell], set, b.grid.border[cell], j) || b.filled(cell, c, set) {
		return b.bordered(cell) | Ring
	}
	return b.bordered(cell)
}

// bordered returns the bridge and the fork of a cell's group, if it has them.
func (b *Board) bordered(cell int) (won Structures) {
	border := b.groups.border[b.groups.find(cell)]
	if border.Bridge() {
		won |= Bridge
	}
	if border.Fork() {
		won |= Fork
	}
	return won
}

// around returns the directions in which a cell has neighbours of a colour.
func (b *Board) around(cell int, c Colour) (set int) {
	for d, near := range b.grid.near[cell] {
		if b.stones[near] == c {
			set |= 1 << d
		}
	}
	return set
}

// filled reports whether a stone, with neighbours of its colour in a set of
// directions, is part of a ring that has only stones of its colour inside. Then the
// stone or a neighbour is the centre of seven.
func (b *Board) filled(cell int, c Colour, set int) bool {
	const all = 1<<NumNear - 1
	if set == all {
		return true
	}
	twice := set | set<<NumNear
	for d, near := range b.grid.near[cell] {
		const three = 0b111
		if twice>>((d+NumNear-1)%NumNear)&three == three && b.around(int(near), c) == all {
			return true
		}
	}
	return false
}

// Setup returns a board with stones and no moves. It returns an error for a position
// that no game can reach: a cell off the board or with two stones, numbers of stones
// that do not fit the player to move, or a structure that was complete before the last
// stone.
func Setup(side int, white, black []Move, turn Colour) (*Board, error) {
	b, err := New(side)
	if err != nil {
		return nil, err
	}
	// Without a swap, white has as many stones more as it has made moves more. With a
	// swap it has one fewer.
	ahead := len(white) - len(black)
	switch {
	case turn == White && (ahead == 0 || ahead == -1):
	case turn == Black && (ahead == 1 || ahead == 0 && len(white) > 0):
	default:
		return nil, fmt.Errorf("%d white and %d black stones with %v to move", len(white), len(black), turn)
	}
	var won [Black + 1]Structures
	for _, c := range []Colour{turn, turn.Other()} {
		stones := white
		if c == Black {
			stones = black
		}
		for _, m := range stones {
			if err := b.free(m); err != nil {
				return nil, fmt.Errorf("%v stone %s: %w", c, b.grid.Format(m), err)
			}
			won[c] |= b.put(int(m), c, new(joins))
		}
	}
	b.turn, b.won = turn, won[turn.Other()]
	switch {
	case won[turn] != 0:
		return nil, fmt.Errorf("%v is to move and has a %v", turn, won[turn])
	case b.won != 0 && !b.lastStoneWon():
		return nil, fmt.Errorf("%v had a structure before its last stone", turn.Other())
	}
	return b, nil
}

// Sketch places a stone that is perhaps of no game, to draw the board, which is good for nothing else from then on.
func (b *Board) Sketch(c Colour, m Move) error {
	if err := b.free(m); err != nil {
		return fmt.Errorf("%v stone %s: %w", c, b.grid.Format(m), err)
	}
	b.stones[m] = c
	b.empty--
	return nil
}

// lastStoneWon reports whether the winner has no structure without one of its stones.
func (b *Board) lastStoneWon() bool {
	winner := b.turn.Other()
	for last := range b.grid.NumCells {
		if b.stones[last] != winner {
			continue
		}
		before, won := Board{grid: b.grid}, Structures(0)
		for cell, c := range b.stones[:b.grid.NumCells] {
			if c == winner && cell != last {
				won |= before.put(cell, c, new(joins))
			}
		}
		if won == 0 {
			return true
		}
	}
	return false
}
