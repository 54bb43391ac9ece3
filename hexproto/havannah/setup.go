package havannah

import "fmt"

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

// Sketch returns a board with stones that are perhaps of no game, to draw it.
func Sketch(side int, white, black []Move) (*Board, error) {
	b, err := New(side)
	if err != nil {
		return nil, err
	}
	for c, stones := range map[Colour][]Move{White: white, Black: black} {
		for _, m := range stones {
			if err := b.free(m); err != nil {
				return nil, fmt.Errorf("%v stone %s: %w", c, b.grid.Format(m), err)
			}
			b.stones[m] = c
			b.empty--
		}
	}
	return b, nil
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
