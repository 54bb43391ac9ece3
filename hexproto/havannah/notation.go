package havannah

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Notation is a way to write moves.
type Notation uint8

// The notations in use. A swap is "swap" in all of them.
const (
	// HGui, of the program of that name, is the notation of GTP and of this module: the row's
	// letter from the top, the column of the skewed grid
	// from 1.
	HGui Notation = iota
	// LittleGolem, also Castro's "gridcoords": the row's letter from the top, the
	// cell in the row from 1.
	LittleGolem
	// AbstractPlay: the row's letter from the bottom, the cell in the row from 1.
	AbstractPlay
)

var notationNames = [...]string{"hgui", "littlegolem", "abstractplay"}

func (n Notation) String() string { return notationNames[n] }

const swapText = "swap"

// Format formats a move on a board, before or after it is made.
func (n Notation) Format(b *Board, m Move) string { return b.grid.format(n, m) }

// Parse parses a move to be made on a board. It does not check whether the move is
// legal. Letters may be of either case.
func (n Notation) Parse(b *Board, text string) (Move, error) { return b.grid.parse(n, text) }

// PlayAll makes moves in a notation. An error is that of the first move that cannot be made, with its number from 1.
func (b *Board) PlayAll(n Notation, moves []string) error {
	for i, text := range moves {
		m, err := n.Parse(b, text)
		if err == nil {
			err = b.Play(m)
		}
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return nil
}

// firstStone returns the cell of the first stone on the board, or Swap (-1) if
// there is none.
func (b *Board) firstStone() Move {
	return Move(slices.IndexFunc(b.stones[:b.grid.NumCells], func(c Colour) bool { return c != NoColour }))
}

// Format formats a move in HGui's notation.
func (g *Grid) Format(m Move) string { return g.format(HGui, m) }

// Parse parses a move in HGui's notation.
func (g *Grid) Parse(text string) (Move, error) { return g.parse(HGui, text) }

func (g *Grid) format(n Notation, m Move) string {
	if m == Swap {
		return swapText
	}
	if m < 0 || int(m) >= g.NumCells {
		return fmt.Sprintf("cell %d", m) // for messages
	}
	row, col := g.Row(int(m)), g.Col(int(m))
	switch n {
	case LittleGolem:
		return letter(row, col-g.FirstCol(row))
	case AbstractPlay:
		return letter(g.Rows()-1-row, col-g.FirstCol(row))
	}
	return letter(row, col)
}

func letter(first, second int) string {
	return string(rune('a'+first)) + strconv.Itoa(second+1)
}

var errMove = errors.New("no move")

func (g *Grid) parse(n Notation, text string) (Move, error) {
	if strings.EqualFold(text, swapText) {
		return Swap, nil
	}
	row, col, err := g.coordinates(n, text)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	cell, ok := g.Cell(row, col)
	if !ok {
		return 0, fmt.Errorf("%q: %w of side %d", text, ErrOff, g.Side)
	}
	return Move(cell), nil
}

// coordinates returns the row and the column that a text names, which may be off the
// board.
func (g *Grid) coordinates(n Notation, text string) (row, col int, err error) {
	if text == "" {
		return 0, 0, errMove
	}
	first := int(text[0]|0x20) - 'a'
	second, err := number(text[1:])
	if err != nil || first < 0 || first >= 26 {
		return 0, 0, errMove
	}
	second--
	if first >= g.Rows() || second < 0 || second >= g.Rows() {
		return -1, -1, nil
	}
	switch n {
	case AbstractPlay:
		first = g.Rows() - 1 - first
		return first, second + g.FirstCol(first), nil
	case LittleGolem:
		return first, second + g.FirstCol(first), nil
	}
	return first, second, nil
}

// number parses up to three digits without leading zeros.
func number(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || len(text) > 3 || len(text) > 1 && text[0] == '0' {
		return 0, errMove
	}
	return int(n), nil
}
