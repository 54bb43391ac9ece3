package nim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Notation is a notation of moves.
type Notation uint8

// The notations in use.
const (
	// Colon is this project's: the heap, counted from 1, a colon, and the sticks taken.
	Colon Notation = iota
	// OpenSpiel is "pile:1, take:2;", with piles counted from 1.
	OpenSpiel
	// Action is OpenSpiel's number of an action: (take-1)·heaps + heap, where heaps is
	// the number of heaps and heap counts from 0.
	Action
)

var notationNames = [...]string{"colon", "openspiel", "action"}

func (n Notation) String() string { return notationNames[n] }

// String returns the move in the notation Colon.
func (m Move) String() string { return fmt.Sprintf("%d:%d", int(m.Heap)+1, m.Take) }

// Format formats a move of a board, before or after it is made.
func (n Notation) Format(b *Board, m Move) string {
	switch n {
	case OpenSpiel:
		return fmt.Sprintf("pile:%d, take:%d;", int(m.Heap)+1, m.Take)
	case Action:
		return strconv.Itoa((int(m.Take)-1)*b.NumHeaps() + int(m.Heap))
	}
	return m.String()
}

var errMove = errors.New("no move")

// Parse parses a move for a board. It does not check whether the move is legal.
func (n Notation) Parse(b *Board, text string) (Move, error) {
	m, err := n.parse(b, text)
	if err != nil {
		return Move{}, fmt.Errorf("%q: %w", text, err)
	}
	return m, nil
}

func (n Notation) parse(b *Board, text string) (Move, error) {
	var heap, take string
	ok := true
	switch n {
	case Colon:
		heap, take, ok = strings.Cut(text, ":")
	case OpenSpiel:
		text, ok = strings.CutPrefix(text, "pile:")
		if ok {
			text, ok = strings.CutSuffix(text, ";")
		}
		if ok {
			heap, take, ok = strings.Cut(text, ", take:")
		}
	case Action:
		id, err := number(text)
		if err != nil {
			return Move{}, err
		}
		return Move{uint8(id % b.NumHeaps()), uint8(id/b.NumHeaps() + 1)}, nil
	}
	if !ok {
		return Move{}, errMove
	}
	i, err := number(heap)
	if err != nil {
		return Move{}, err
	}
	sticks, err := number(take)
	if err != nil {
		return Move{}, err
	}
	if i == 0 {
		return Move{}, fmt.Errorf("%w: heaps count from 1", ErrHeap)
	}
	return Move{uint8(i - 1), uint8(sticks)}, nil
}

// number parses a number from 0 to 255 without a sign or leading zeros.
func number(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 8)
	if err != nil || len(text) > 1 && text[0] == '0' {
		return 0, errMove
	}
	return int(n), nil
}
