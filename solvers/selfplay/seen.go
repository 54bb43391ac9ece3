package selfplay

import (
	"math"
	"sync/atomic"

	"gamebots/solvers/hexnet"
)

// seen keeps the planes of recorded positions. Each position is drawn several times, and finding
// its threats takes longer than the rest of drawing it. Several goroutines may use it.
type seen struct {
	size     int // bytes of a position
	bytes    []uint8
	ordinals []atomic.Uint64 // ordinals, from 1, of the positions whose planes are kept; 0 for none
}

// coming is the ordinal of a position whose planes are being written.
const coming = math.MaxUint64

func newSeen(numCells, capacity int) *seen {
	size := numCells * hexnet.Planes
	return &seen{size: size, bytes: make([]uint8, size*capacity), ordinals: make([]atomic.Uint64, capacity)}
}

// planes returns the planes of a position, or nil if there are none.
func (s *seen) planes(at int, ordinal uint64) []uint8 {
	if s.ordinals[at].Load() != ordinal {
		return nil
	}
	return s.bytes[at*s.size:][:s.size]
}

// keep keeps the planes of a position, unless another goroutine does.
func (s *seen) keep(at int, ordinal uint64, planes []uint8) {
	if old := s.ordinals[at].Load(); old != ordinal && old != coming && s.ordinals[at].CompareAndSwap(old, coming) {
		copy(s.bytes[at*s.size:], planes)
		s.ordinals[at].Store(ordinal)
	}
}
