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

// stream identifies the random numbers of one playout. They are those of the
// counter-based generator Philox4x32-10 (J. K. Salmon et al., Parallel random numbers: as
// easy as 1, 2, 3, SC 2011): playouts share no state, and a GPU computes the same numbers
// with 32-bit multiplications.
type stream struct {
	seed    uint64
	move    uint32
	playout uint64
}

// words returns the two words of a block of the stream.
func (s *stream) words(block uint32) (uint64, uint64) {
	a, b, c, d := philox(block, uint32(s.playout), uint32(s.playout>>32), s.move, uint32(s.seed), uint32(s.seed>>32))
	return uint64(b)<<32 | uint64(a), uint64(d)<<32 | uint64(c)
}

// philox returns Philox4x32-10 of a counter under a key.
func philox(a, b, c, d, key0, key1 uint32) (uint32, uint32, uint32, uint32) {
	for range 10 {
		x, y := uint64(a)*0xD2511F53, uint64(c)*0xCD9E8D57
		a, b, c, d = uint32(y>>32)^b^key0, uint32(y), uint32(x>>32)^d^key1, uint32(x)
		key0 += 0x9E3779B9
		key1 += 0xBB67AE85
	}
	return a, b, c, d
}

// Start is a position after a move, from which playouts start. It is immutable, so threads
// can share it.
type Start struct {
	move uint32
	game *game
	over bool                // the move ended the game
	won  havannah.Structures // structures that it completed
}

// NewStart returns the position after a move. The error is that of an illegal move.
func NewStart(b *havannah.Board, m havannah.Move) (*Start, error) {
	after := *b
	if err := after.Play(m); err != nil {
		return nil, err
	}
	s := &Start{move: uint32(m), over: after.Over(), won: after.Won()}
	if m == havannah.Swap {
		s.move = uint32(b.Grid().NumCells)
	}
	if !s.over {
		s.game = newGame(&after)
	}
	return s, nil
}

// Player plays on the CPU. It is used by one goroutine at a time.
type Player struct {
	game  game
	start *Start
}

// Play plays the playouts with the numbers first to first+n-1 and counts their results.
func (p *Player) Play(s *Start, seed, first, n uint64) (t Tally) {
	if s.over {
		t.count(1, s.won, n)
		return t
	}
	if p.start != s {
		p.game, p.start = *s.game, s
	}
	r := stream{seed: seed, move: s.move}
	for i := range n {
		r.playout = first + i
		p.game.reset(s.game)
		plies, won := p.game.play(&r)
		t.count(1+plies, won, 1)
	}
	return t
}
