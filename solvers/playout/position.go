package playout

import (
	"math/bits"

	"gamebots/hexproto/havannah"
)

// Position is a game of Havannah in the form in which random games are fast, for
// searches that play many from positions not far from one another. It has a
// root to go back to. It belongs to one goroutine.
type Position struct {
	grid   *havannah.Grid
	packed [havannah.MaxCells]cell
	index  [1024]int16 // of the cell on a slot
	rows   [32]uint32  // the board, as stones has its stones
	root   game
	game   game        // its list of empty cells is the root's until Rollout
	last   int         // the cell of the last stone, -1 for none
	first  int         // the root's
	place  [1024]int16 // in the list in a rollout with replies, by slot

	sights  [1024]sight // what Pairs saw, by slot
	joiners []joiner
}

// NewPosition returns the position of a board on which the game is not over.
func NewPosition(b *havannah.Board) *Position {
	p := &Position{grid: b.Grid(), root: *newGame(b), first: -1}
	for i := range p.grid.NumCells {
		p.packed[i] = pack(p.grid, i)
		slot := p.packed[i].slot()
		p.index[slot] = int16(i)
		p.rows[slot>>5] |= 2 << (slot & 31)
	}
	if n := b.NumMoves(); n > 0 && b.Move(n-1) != havannah.Swap {
		p.first = int(b.Move(n - 1))
	}
	p.game = p.root
	p.Reset()
	return p
}

// Grid returns the board's geometry.
func (p *Position) Grid() *havannah.Grid { return p.grid }

// Reset goes back to the root.
func (p *Position) Reset() {
	p.game.reset(&p.root)
	p.last = p.first
}

// Turn returns the player to move.
func (p *Position) Turn() havannah.Colour { return havannah.White + havannah.Colour(p.game.turn&1) }

// Last returns the cell of the last stone, or -1.
func (p *Position) Last() int { return p.last }

// Has says whether a stone of a colour is on a cell.
func (p *Position) Has(c havannah.Colour, at int) bool {
	return p.game.colours[colour(c)].has(p.packed[at].slot())
}

// Empty says whether a cell has no stone.
func (p *Position) Empty(at int) bool {
	slot := p.packed[at].slot()
	return !p.game.colours[0].has(slot) && !p.game.colours[1].has(slot)
}

// Spot is an empty cell and what is around it.
type Spot struct {
	Cell          int16
	Beside, Other bool // a stone of the player to move touches it, one of the other
}

// Spots appends all empty cells, in the order of their numbers.
func (p *Position) Spots(to []Spot) []Spot {
	me, other := &p.game.colours[p.game.turn&1].rows, &p.game.colours[p.game.turn&1^1].rows
	for row := 1; row < 2*p.grid.Side; row++ {
		free := p.rows[row&31] &^ (me[row&31] | other[row&31])
		mine, theirs := touched(me, row), touched(other, row)
		for ; free != 0; free &= free - 1 {
			bit := bits.TrailingZeros32(free)
			to = append(to, Spot{p.index[(row<<5|bit-1)&1023], mine>>bit&1 != 0, theirs>>bit&1 != 0})
		}
	}
	return to
}

// touched returns what stones touch of a row.
func touched(rows *[32]uint32, row int) uint32 {
	above, beside, below := rows[(row-1)&31], rows[row&31], rows[(row+1)&31]
	return above | above<<1 | beside<<1 | beside>>1 | below | below>>1
}

// Play puts a stone of the player to move on an empty cell and returns what it
// completes.
func (p *Position) Play(at int) havannah.Structures {
	won := p.game.colours[p.game.turn&1].put(p.packed[at])
	p.game.turn ^= 1
	p.last = at
	return won
}

// Swap makes the only stone, which is white, black, and white's the next move.
func (p *Position) Swap() {
	p.game.colours[0] = stones{}
	p.game.turn ^= 1
	p.game.colours[1].put(p.packed[p.last])
}

// Look returns what a stone of a colour on an empty cell would complete, the border
// of the group that it would be part of, and how many of its colour are beside it.
func (p *Position) Look(c havannah.Colour, at int) (won havannah.Structures, border havannah.Border, beside int) {
	s, cell := &p.game.colours[colour(c)], p.packed[at]
	around := s.around(cell.slot())
	if around == 0 {
		return 0, cell.border(), 0 // most cells of most positions
	}
	var saw sight
	won = s.would(cell, around, &saw)
	return won, saw.border, bits.OnesCount32(around)
}

// has says whether there is a stone on a slot.
func (s *stones) has(slot int) bool { return s.rows[slot>>5&31]>>(slot&31)&2 != 0 }

// would returns what a stone on an empty cell would complete, with the pattern
// around it, and sets the rest of what there is to see.
func (s *stones) would(c cell, around uint32, saw *sight) (won havannah.Structures) {
	slot := c.slot()
	p := &patterns[around&127]
	border := c.border()
	in := &saw.groups
	for i := range p.runs {
		in[i] = s.at(slot + int(p.beside[i]))
		border |= s.groups[in[i]].border
	}
	saw.border, saw.around, saw.joins = border, uint8(around), p.runs
	ring := p.runs > 1 && in[0] == in[1] || p.runs > 2 && (in[0] == in[2] || in[1] == in[2])
	if border.Bridge() || border.Fork() {
		won = bordered(border)
	}
	if !ring && p.middles != 0 {
		s.rows[slot>>5&31] |= 2 << (slot & 31)
		ring = s.fills(slot, p.middles)
		s.rows[slot>>5&31] &^= 2 << (slot & 31)
	}
	if ring || p == &patterns[allAround] {
		won |= havannah.Ring
	}
	return won
}

// rest lists the empty cells, in the order of their numbers.
func (g *game) rest(root *game) {
	n := 0
	for _, c := range root.cells[:root.empty] {
		slot := c.slot()
		g.cells[n&511] = c
		taken := (g.colours[0].rows[slot>>5&31] | g.colours[1].rows[slot>>5&31]) >> (slot & 31) >> 1 & 1
		n += 1 - int(taken)
	}
	g.empty = n
}

// Rollout plays a random game from the present position to its end, and returns
// the winner and how many stones were put; Rolled has them. A ring counts only if
// beside the stone that closes it are at least permanent of its colour that were
// there when the rollout began, else the game goes on: random games end in rings
// far more often than real ones (R. Lorentz, Improving Monte-Carlo tree search in
// Havannah, 2010, who looks for permanent stones in all of a ring, which takes
// longer and wins no more games).
//
// With replies a player whose bridge the other's last stone threatens keeps it: if
// that stone has two own ones beside it with one empty cell between them in the
// circle, it is that cell's turn. Of several the first counts that comes in the
// circle, clockwise from direction 2p+2, where p is row+column modulo 3 of the last
// stone.
//
// The random numbers are those of a playout of that number after the move 0; a
// player who replies leaves the one of that ply unused. Only Rolled and Reset may
// follow.
func (p *Position) Rollout(seed, number uint64, permanent int, replies bool) (winner havannah.Colour, plies int) {
	g := &p.game
	g.rest(&p.root)
	if replies {
		for i, c := range g.cells[:g.empty] {
			p.place[c.slot()] = int16(i)
		}
	}
	var before [2][32]uint32
	for c := range before {
		before[c] = g.colours[c].rows
	}
	s := stream{seed: seed, playout: number}
	n := g.empty
	last := 0 // a slot off the board
	if p.last >= 0 {
		last = p.packed[p.last].slot()
	}
	beside := g.colours[g.turn&1^1].around(last) // what its colour has there
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
		me := &g.colours[g.turn&1]
		if replies {
			if keep := patterns[me.around(last)&127].between &^ uint8(beside); keep != 0 {
				i = uint64(p.place[first(keep, last)&1023])
			}
		}
		// The cells that were played are those at the list's end, last first.
		c, moved := g.cells[i&511], g.cells[(left-1)&511]
		g.cells[i&511], g.cells[(left-1)&511] = moved, c
		if replies {
			p.place[moved.slot()] = int16(i)
		}
		plies++
		last = c.slot()
		beside = me.around(last)
		won := me.putIn(c, beside)
		g.turn ^= 1
		if won != 0 && (won != havannah.Ring || bits.OnesCount32(around(&before[g.turn&1^1], last)) >= permanent) {
			return havannah.White + havannah.Colour(g.turn&1^1), plies
		}
	}
	return havannah.NoColour, plies
}

// Rolled returns the cell that a rollout's ply put a stone on.
func (p *Position) Rolled(ply int) int {
	return int(p.index[p.game.cells[(p.game.empty-1-ply)&511].slot()])
}

// first returns the slot of the first of some neighbours of a stone, as a pattern
// has them.
func first(of uint8, slot int) int {
	if of&(of-1) == 0 { // nearly always
		return slot + int(ways[bits.TrailingZeros8(of)&7])
	}
	place := (slot>>5 + slot&31 + 2) % 3 // rows count from 1
	d := 2*place + 2
	for of>>bitOf[d%havannah.NumNear]&1 == 0 {
		d++
	}
	return slot + int(ways[bitOf[d%havannah.NumNear]])
}
