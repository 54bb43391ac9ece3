package playout

import (
	"math/bits"

	"gamebots/hexproto/havannah"
)

// Position is a game of Havannah in the representation of playouts, for searches that play
// many of them from positions near a root. It is used by one goroutine at a time.
type Position struct {
	grid   *havannah.Grid
	packed [havannah.MaxCells]cell
	index  [1024]int16 // number of the cell on a slot
	rows   [32]uint32  // the board, in the format of stones.rows
	root   game
	game   game // its list of empty cells is that of the root until Rollout
	last   int  // cell of the last stone, -1 for none
	first  int  // index of the root

	near    [1024]surroundings // surroundings of Pairs, by slot
	joiners []joiner
}

// NewPosition returns the position of a board, which becomes the root. The game must not
// be over.
func NewPosition(b *havannah.Board) *Position {
	p := &Position{grid: b.Grid()}
	for i := range p.grid.NumCells {
		p.packed[i] = pack(p.grid, i)
		slot := p.packed[i].slot()
		p.index[slot] = int16(i)
		p.rows[slot>>5] |= 2 << (slot & 31)
	}
	p.SetRoot(b)
	return p
}

// SetRoot goes to the position of another board of the same size, which becomes the root. The
// game must not be over.
func (p *Position) SetRoot(b *havannah.Board) {
	p.root.set(b)
	p.first = -1
	if n := b.NumMoves(); n > 0 && b.Move(n-1) != havannah.Swap {
		p.first = int(b.Move(n - 1))
	}
	p.game = p.root
	p.Reset()
}

// Grid returns the geometry of the board.
func (p *Position) Grid() *havannah.Grid { return p.grid }

// Reset returns to the root.
func (p *Position) Reset() {
	p.game.reset(&p.root)
	p.last = p.first
}

// Turn returns the player to move.
func (p *Position) Turn() havannah.Colour { return havannah.White + havannah.Colour(p.game.turn&1) }

// Last returns the cell of the last stone, or -1.
func (p *Position) Last() int { return p.last }

// HasStone reports whether a stone of a colour is on a cell.
func (p *Position) HasStone(c havannah.Colour, cell int) bool {
	return p.game.colours[colour(c)].has(p.packed[cell].slot())
}

// Border returns the border of the group that the stone of a colour on a cell belongs to.
func (p *Position) Border(c havannah.Colour, cell int) havannah.Border {
	s := &p.game.colours[colour(c)]
	return s.groups[s.at(p.packed[cell].slot())].border
}

// IsEmpty reports whether a cell has no stone.
func (p *Position) IsEmpty(cell int) bool {
	slot := p.packed[cell].slot()
	return !p.game.colours[0].has(slot) && !p.game.colours[1].has(slot)
}

// EmptyCell is an empty cell.
type EmptyCell struct {
	Cell      int16
	NearOwn   bool // it touches a stone of the player to move
	NearOther bool // it touches a stone of the other player
}

// EmptyCells appends all empty cells, in the order of their numbers.
func (p *Position) EmptyCells(to []EmptyCell) []EmptyCell {
	me, other := &p.game.colours[p.game.turn&1].rows, &p.game.colours[p.game.turn&1^1].rows
	for row := 1; row < 2*p.grid.Side; row++ {
		free := p.rows[row&31] &^ (me[row&31] | other[row&31])
		mine, theirs := touched(me, row), touched(other, row)
		for ; free != 0; free &= free - 1 {
			bit := bits.TrailingZeros32(free)
			to = append(to, EmptyCell{p.index[(row<<5|bit-1)&1023], mine>>bit&1 != 0, theirs>>bit&1 != 0})
		}
	}
	return to
}

// touched returns the cells of a row that stones touch.
func touched(rows *[32]uint32, row int) uint32 {
	above, beside, below := rows[(row-1)&31], rows[row&31], rows[(row+1)&31]
	return above | above<<1 | beside<<1 | beside>>1 | below | below>>1
}

// Play puts a stone of the player to move on an empty cell and returns the structures that
// it completes.
func (p *Position) Play(cell int) havannah.Structures {
	won := p.game.colours[p.game.turn&1].put(p.packed[cell])
	p.game.turn ^= 1
	p.last = cell
	return won
}

// Swap makes the only stone, which is white, black. White moves next.
func (p *Position) Swap() {
	p.game.colours[0] = stones{}
	p.game.turn ^= 1
	p.game.colours[1].put(p.packed[p.last])
}

// Probe returns the structures that a stone of a colour on an empty cell would complete,
// the border of the group that it would belong to, and the number of stones of its colour
// beside it.
func (p *Position) Probe(c havannah.Colour, at int) (won havannah.Structures, border havannah.Border, beside int) {
	s, cell := &p.game.colours[colour(c)], p.packed[at]
	around := s.around(cell.slot())
	if around == 0 {
		return 0, cell.border(), 0 // the common case
	}
	var near surroundings
	won = s.probe(cell, around, &near)
	return won, near.border, bits.OnesCount32(around)
}

// has reports whether there is a stone on a slot.
func (s *stones) has(slot int) bool { return s.rows[slot>>5&31]>>(slot&31)&2 != 0 }

// probe returns the structures that a stone on an empty cell would complete, given the
// pattern around it, and sets the cell's surroundings.
func (s *stones) probe(c cell, around uint32, near *surroundings) (won havannah.Structures) {
	slot := c.slot()
	p := &patterns[around&127]
	border := c.border()
	in := &near.groups
	for i := range p.runs {
		in[i] = s.at(slot + int(p.first[i]))
		border |= s.groups[in[i]].border
	}
	near.border, near.around, near.joins = border, uint8(around), p.runs
	ring := p.runs > 1 && in[0] == in[1] || p.runs > 2 && (in[0] == in[2] || in[1] == in[2])
	if border.Bridge() || border.Fork() {
		won = bordered(border)
	}
	if !ring && p.centres != 0 {
		s.rows[slot>>5&31] |= 2 << (slot & 31)
		ring = s.fills(slot, p.centres)
		s.rows[slot>>5&31] &^= 2 << (slot & 31)
	}
	if ring || p == &patterns[allAround] {
		won |= havannah.Ring
	}
	return won
}

// listEmpty lists the empty cells, in the order of their numbers.
func (g *game) listEmpty(root *game) {
	n := 0
	for _, c := range root.cells[:root.empty] {
		slot := c.slot()
		g.cells[n&511] = c
		taken := (g.colours[0].rows[slot>>5&31] | g.colours[1].rows[slot>>5&31]) >> (slot & 31) >> 1 & 1
		n += 1 - int(taken)
	}
	g.empty = n
}

// Rollout plays a random game from the current position to its end. It returns the winner
// and the number of stones put, which RolloutMove has. A ring counts only if the stone
// that closes it has at least permanent neighbours of its colour from before the rollout;
// otherwise the game goes on. Random games end in rings far more often than real ones
// (R. Lorentz, Improving Monte-Carlo tree search in Havannah, 2010, looks for permanent
// stones in the whole ring, which takes longer and wins no more games).
//
// The random numbers are those of the playout with that number after move 0. Only
// RolloutMove and Reset may be called next.
func (p *Position) Rollout(seed, number uint64, permanent int) (winner havannah.Colour, plies int) {
	g := &p.game
	g.listEmpty(&p.root)
	var before [2][32]uint32
	for c := range before {
		before[c] = g.colours[c].rows
	}
	s := stream{seed: seed, playout: number}
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
		me := &g.colours[g.turn&1]
		// The played cells are at the end of the list, latest first.
		c := g.cells[i&511]
		g.cells[i&511], g.cells[(left-1)&511] = g.cells[(left-1)&511], c
		plies++
		won := me.put(c)
		g.turn ^= 1
		if won != 0 && (won != havannah.Ring || bits.OnesCount32(around(&before[g.turn&1^1], c.slot())) >= permanent) {
			return havannah.White + havannah.Colour(g.turn&1^1), plies
		}
	}
	return havannah.NoColour, plies
}

// RolloutMove returns the cell on which a ply of the rollout put a stone.
func (p *Position) RolloutMove(ply int) int {
	return int(p.index[p.game.cells[(p.game.empty-1-ply)&511].slot()])
}
