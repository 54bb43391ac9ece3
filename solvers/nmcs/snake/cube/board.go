package cube

import (
	"math/bits"

	"gamebots/solvers/nmcs"
)

// Board is a snake or a coil in progress. It is used by one goroutine at a time.
type Board struct {
	rules   Rules
	blocked []uint64 // the vertices of the path, and the neighbours of all of them but the head
	head    uint32
	length  int    // edges
	allowed uint32 // dimensions that may be used next, as bits
	closed  bool   // the coil is complete
}

var (
	_ nmcs.Game[*Board] = (*Board)(nil)
	_ nmcs.Playouter    = (*Board)(nil)
	_ nmcs.MoveCoder    = (*Board)(nil)
)

// New returns a path without edges. The rules must be valid.
func New(r Rules) *Board {
	b := &Board{rules: r, blocked: make([]uint64, r.Words()), allowed: r.Allowed(0)}
	b.blocked[0] = 1
	return b
}

// NewAfter returns a board after a sequence. The error is that of the rules, or a [*Fault] of
// the sequence, which must be canonical unless the rules are free.
func NewAfter(r Rules, s Sequence) (*Board, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if err := check(Rules{Dimension: r.Dimension}, s); err != nil {
		return nil, err
	}
	b := New(r)
	for i, m := range s {
		if b.allowed>>m&1 == 0 {
			return nil, &Fault{Edge: i + 1, Vertex: b.head ^ 1<<m, Reason: "uses a dimension before all lower ones"}
		}
		b.Play(nmcs.Move(m))
	}
	return b, nil
}

// Head returns the last vertex.
func (b *Board) Head() uint32 { return b.head }

// Allowed returns the dimensions that may be used next, as bits, whether or not the head
// can move there.
func (b *Board) Allowed() uint32 { return b.allowed }

// Blocked returns the set of vertices that no move may enter, a bit each. The caller must
// not change it.
func (b *Board) Blocked() []uint64 { return b.blocked }

// Score returns the length, or 0 for a coil that is not closed.
func (b *Board) Score() int {
	if b.rules.Coil && !b.closed {
		return 0
	}
	return b.length
}

// CopyFrom makes the board a copy of another one of the same rules.
func (b *Board) CopyFrom(from *Board) {
	words := b.blocked
	*b = *from
	b.blocked = words
	copy(words, from.blocked)
}

func (b *Board) isBlocked(v uint32) bool { return b.blocked[v>>6]>>(v&63)&1 != 0 }

// moves returns the dimensions in which the head can move, as bits.
func (b *Board) moves() uint32 {
	if b.closed {
		return 0
	}
	moves := uint32(0)
	for left := b.allowed; left != 0; left &= left - 1 {
		if bit := left & -left; !b.isBlocked(b.head ^ bit) {
			moves |= bit
		}
	}
	return moves
}

// AppendMoves appends the dimensions in which the head can move, in ascending order.
func (b *Board) AppendMoves(moves []nmcs.Move) []nmcs.Move {
	for left := b.moves(); left != 0; left &= left - 1 {
		moves = append(moves, nmcs.Move(bits.TrailingZeros32(left)))
	}
	return moves
}

// Play moves the head in a dimension. The move must be legal.
func (b *Board) Play(m nmcs.Move) {
	to := b.head ^ 1<<m
	if b.rules.Coil && b.length == 0 {
		// The neighbours of vertex 0 stay free, as the coil closes through one of them.
		b.block(to)
	} else {
		b.blockNeighbours(b.head)
	}
	b.closed = b.rules.Coil && b.length > 0 && to&(to-1) == 0
	b.head = to
	b.length++
	if b.closed {
		b.length++ // the edge back to vertex 0
	}
	b.allowed |= 2 << m & (1<<b.rules.Dimension - 1)
}

func (b *Board) block(v uint32) { b.blocked[v>>6] |= 1 << (v & 63) }

func (b *Board) blockNeighbours(v uint32) {
	for i := range b.rules.Dimension {
		b.block(v ^ 1<<i)
	}
}

// NumCodes returns the number of codes.
func (b *Board) NumCodes() int { return b.rules.Vertices() * 16 }

// Code returns a number made of the head and the dimension of a move.
func (b *Board) Code(m nmcs.Move) int { return int(b.head)<<4 | int(m) }
