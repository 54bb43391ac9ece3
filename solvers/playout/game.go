package playout

import (
	"math/bits"

	"gamebots/hexproto/havannah"
)

// game is a position in the representation of playouts. It has no pointers, so that it
// can be copied.
type game struct {
	turn    uint8 // 0 white, 1 black
	empty   int
	cells   [512]cell // the first empty of them are the empty cells, in the order of their numbers
	colours [2]stones
}

// newGame returns the position of a board. The game must not be over.
func newGame(b *havannah.Board) *game {
	g := new(game)
	g.set(b)
	return g
}

// set goes to the position of a board.
func (g *game) set(b *havannah.Board) {
	*g = game{turn: colour(b.Turn())}
	grid := b.Grid()
	for i := range grid.NumCells {
		if c := b.Stone(i); c != havannah.NoColour {
			g.colours[colour(c)].put(pack(grid, i))
		} else {
			g.cells[g.empty] = pack(grid, i)
			g.empty++
		}
	}
}

func colour(c havannah.Colour) uint8 { return uint8(c - havannah.White) }

// reset restores the position start. The game must have begun as a copy of it.
func (g *game) reset(start *game) {
	g.turn, g.empty = start.turn, start.empty
	copy(g.cells[:start.empty], start.cells[:start.empty])
	for c := range g.colours {
		to, from := &g.colours[c], &start.colours[c]
		to.rows, to.numGroups = from.rows, from.numGroups
		copy(to.groups[:from.numGroups], from.groups[:from.numGroups])
	}
}

// play plays a random game to its end. It returns the number of moves, and the structures
// that the last one completed, none for a draw.
func (g *game) play(s *stream) (plies int, won havannah.Structures) {
	me, other := &g.colours[g.turn&1], &g.colours[g.turn&1^1]
	n := g.empty
	var word, next uint64
	for plies < n {
		switch plies & 7 {
		case 0:
			word, next = s.words(uint32(plies >> 3))
		case 4:
			word = next
		}
		left := n - plies
		var i uint64
		i, word = bits.Mul64(word, uint64(left))
		c := g.cells[i&511]
		g.cells[i&511] = g.cells[(left-1)&511]
		plies++
		if won = me.put(c); won != 0 {
			return plies, won
		}
		me, other = other, me
	}
	return plies, 0
}
