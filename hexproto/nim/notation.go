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
)

var notationNames = [...]string{"colon", "openspiel"}

func (n Notation) String() string { return notationNames[n] }

// String returns the move in the notation Colon.
func (m Move) String() string { return fmt.Sprintf("%d:%d", int(m.Heap)+1, m.Take) }

// Format formats a move.
func (n Notation) Format(m Move) string {
	if n == OpenSpiel {
		return fmt.Sprintf("pile:%d, take:%d;", int(m.Heap)+1, m.Take)
	}
	return m.String()
}

var errMove = errors.New("no move")

// Parse parses a move. It does not check whether the move is legal.
func (n Notation) Parse(text string) (Move, error) {
	m, err := n.parse(text)
	if err != nil {
		return Move{}, fmt.Errorf("%q: %w", text, err)
	}
	return m, nil
}

func (n Notation) parse(text string) (Move, error) {
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
