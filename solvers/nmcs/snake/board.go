package snake

import (
	"math/bits"
)

// Board is a snake in progress. It is used by one goroutine at a time.
type Board struct {
	dimension int
	blocked   []uint64 // the vertices of the path, and the neighbours of all of them but the head
	head      uint32
	length    int    // edges
	allowed   uint32 // dimensions that may be used next, as bits
}

// NewBoard returns a path without edges. The dimension must be in range. There is room for at least four words of
// vertices, the least that playouts are written for.
func NewBoard(dimension int) *Board {
	b := &Board{dimension: dimension, blocked: make([]uint64, max(4, 1<<dimension/64)), allowed: 1}
	b.blocked[0] = 1
	return b
}

// NewBoardAfter returns a board after a sequence. The error is that of the dimension, or a [*Fault] of
// the sequence, which must be canonical.
func NewBoardAfter(dimension int, s Sequence) (*Board, error) {
	if err := Check(Rules{Dimension: dimension}, s); err != nil {
		return nil, err
	}
	b := NewBoard(dimension)
	for i, m := range s {
		if b.allowed>>m&1 == 0 {
			return nil, &Fault{Edge: i + 1, Vertex: b.head ^ 1<<m, Reason: "uses a dimension before all lower ones"}
		}
		b.Play(Move(m))
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

// Score returns the length.
func (b *Board) Score() int { return b.length }

// CopyFrom makes the board a copy of another one of the same dimension.
func (b *Board) CopyFrom(from *Board) {
	words := b.blocked
	*b = *from
	b.blocked = words
	copy(words, from.blocked)
}

func (b *Board) isBlocked(v uint32) bool { return b.blocked[v>>6]>>(v&63)&1 != 0 }

// AppendMoves appends the dimensions in which the head can move, in ascending order.
func (b *Board) AppendMoves(moves []Move) []Move {
	for left := b.allowed; left != 0; left &= left - 1 {
		if !b.isBlocked(b.head ^ left&-left) {
			moves = append(moves, Move(bits.TrailingZeros32(left)))
		}
	}
	return moves
}

// Play moves the head in a dimension. The move must be legal.
func (b *Board) Play(m Move) {
	for i := range b.dimension {
		v := b.head ^ 1<<i
		b.blocked[v>>6] |= 1 << (v & 63)
	}
	b.head ^= 1 << m
	b.length++
	b.allowed |= 2 << m & (1<<b.dimension - 1)
}
