package nimsolver

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"gamebots/hexproto/nim"
)

// infinite bounds all values.
const infinite = 2

// A frame is a position on the path from the root to the current node.
type frame struct {
	heaps             uint64
	key               uint64 // key in the transposition table
	shift, take       uint8  // the current move: the first bit of its heap, and its sticks
	best              int8   // value of the moves so far
	alpha, beta       int8
	floor             int8 // the initial alpha
	bestShift, bestBy uint8
}

// Search searches a position to a depth by alpha-beta with an infinite window. With
// tableBits above 0 it has a transposition table of 2^tableBits positions, 16 bytes
// each, that ignores the order of heaps. The error is ErrInput, or the cause of ctx.
func Search(ctx context.Context, p Position, depth, tableBits int) (Result, error) {
	if err := p.check(depth); err != nil {
		return Result{}, err
	}
	if p.Heaps == 0 {
		return Result{Value: terminalValue(p.Rules)}, nil
	}
	s := searcher{ctx: ctx, limit: uint8(p.Rules.Limit()), ended: -int8(terminalValue(p.Rules))}
	if tableBits > 0 {
		s.table = newTranspositions(tableBits)
	}
	f := &s.stack[depth]
	f.open(uint64(p.Heaps), -infinite, infinite)
	f.key = sizesKey(f.heaps)
	if s.search(depth); s.err != nil {
		return Result{}, s.err
	}
	return Result{Move: nim.Move{Heap: f.bestShift / 4, Take: f.bestBy}, Value: Value(f.best), Nodes: s.nodes}, nil
}

// A searcher is an alpha-beta search. Element d of its stack is the position with d
// plies left.
type searcher struct {
	ctx   context.Context
	stack [MaxDepth + 1]frame
	table *transpositions
	nodes uint64
	check uint64 // the number of nodes at which ctx is checked next
	limit uint8
	ended int8  // the value of taking the last stick
	err   error // the cause of ctx, once it has ended
}

// checkNodes is the number of nodes between checks of a context.
const checkNodes = 1 << 20

// open begins the search of a position.
func (f *frame) open(heaps uint64, alpha, beta int8) {
	f.heaps, f.shift, f.take = heaps, 0, 0
	f.alpha, f.beta, f.floor, f.best = alpha, beta, alpha, -infinite
}

// next advances to the next move and reports whether there is one.
func (f *frame) next(limit uint8) bool {
	f.take++
	for f.take > limit || uint64(f.take) > f.heaps>>f.shift&nim.MaxSize {
		f.shift, f.take = f.shift+4, 1
		if f.heaps>>f.shift == 0 { // also 0 beyond the last heap
			return false
		}
	}
	return true
}

// found records the value of the current move.
func (f *frame) found(value int8) {
	if value > f.best {
		f.best, f.bestShift, f.bestBy = value, f.shift, f.take
		f.alpha = max(f.alpha, value)
	}
}

// search searches the position with some plies left, which must be open. Once ctx has
// ended the answer is meaningless.
func (s *searcher) search(depth int) {
	f := &s.stack[depth]
	if s.nodes >= s.check {
		if s.err = context.Cause(s.ctx); s.err != nil {
			return
		}
		s.check = s.nodes + checkNodes
	}
	if depth == 1 {
		s.lastPly(f)
	}
	for depth > 1 && f.alpha < f.beta && f.next(s.limit) {
		s.nodes++
		heaps := f.heaps - uint64(f.take)<<f.shift
		if heaps == 0 {
			f.found(s.ended)
			continue
		}
		child := &s.stack[depth-1]
		child.open(heaps, -f.beta, -f.alpha)
		if s.table != nil {
			child.key = moveKey(f.key, uint8(f.heaps>>f.shift&nim.MaxSize), f.take)
			if value, ok := s.table.find(child.key, depth-1, child.alpha, child.beta); ok {
				f.found(-value)
				continue
			}
		}
		s.search(depth - 1)
		f.found(-child.best)
	}
	if s.table != nil {
		s.table.put(f, depth)
	}
}

// lastPly searches a position with one ply left.
func (s *searcher) lastPly(f *frame) {
	nodes, best := s.nodes, f.best
moves:
	for shift, rest := uint8(0), f.heaps; rest != 0; shift, rest = shift+4, rest>>4 {
		child, oneStick := f.heaps, uint64(1)<<shift
		for take := uint8(1); take <= min(uint8(rest&nim.MaxSize), s.limit); take++ {
			nodes++
			child -= oneStick
			if child != 0 && best >= int8(Unknown) {
				continue
			}
			value := int8(Unknown)
			if child == 0 {
				value = s.ended
			}
			if value > best {
				best, f.bestShift, f.bestBy = value, shift, take
				f.alpha = max(f.alpha, value)
			}
			if f.alpha >= f.beta {
				break moves
			}
		}
	}
	f.best, s.nodes = best, nodes
}

// A Position is heaps under rules. It does not have the player to move.
type Position struct {
	Rules nim.Rules
	Heaps nim.Heaps
}

// Value is the result of a position for the player to move.
type Value int8

// The values.
const (
	Loss    Value = -1
	Unknown Value = 0 // the depth is not enough
	Win     Value = 1
)

func (v Value) String() string { return [...]string{"loss", "unknown", "win"}[v+1] }

// A Result is the value of a position and a best move.
type Result struct {
	Move  nim.Move // the first of the best; takes nothing if the game is over
	Value Value
	Nodes uint64
}

// MaxDepth is the largest depth of a search, in plies.
const MaxDepth = 63

// DefaultDepth is the depth of Fiorella's program, in plies.
const DefaultDepth = 7

// ErrInput is wrapped by errors about a position, a depth or a version, which name
// the field.
var ErrInput = errors.New("nim")

// check returns an error for a position or depth that cannot be searched.
func (p Position) check(depth int) error {
	if err := p.Rules.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if depth < 1 || depth > MaxDepth {
		return fmt.Errorf("%w: depth: %d is not from 1 to %d", ErrInput, depth, MaxDepth)
	}
	return nil
}

// terminalValue is the value of a position without sticks.
func terminalValue(r nim.Rules) Value {
	if r.Misere {
		return Win
	}
	return Loss
}

// sizesKey returns the number of heaps of each size, four bits a size, so that the
// order of heaps does not matter. Sixteen heaps of a size overflow into the next;
// only a root position has them, and that is never looked up.
func sizesKey(heaps uint64) (key uint64) {
	for ; heaps != 0; heaps >>= 4 {
		key = moveKey(key, 0, uint8(-(heaps & 15)))
	}
	return key
}

// moveKey returns the key after sticks are taken from a heap.
func moveKey(key uint64, size, take uint8) uint64 {
	return key - sizeUnit[size&15] + sizeUnit[(size-take)&15]
}

// sizeUnit has the key of a heap of each size. A position's key is their sum.
var sizeUnit = func() (unit [16]uint64) {
	for size := 1; size < len(unit); size++ {
		unit[size] = 1 << (4 * (size - 1))
	}
	return unit
}()

// TableBits returns a good size of Search's transposition table for a depth: large
// enough to lose little, and quick to allocate.
func TableBits(depth int) int { return min(max(12+depth, 16), 24) }

// SearchBytes returns the size of Search's transposition table in bytes.
func SearchBytes(bits int) int64 { return int64(unsafe.Sizeof(entry{})) << bits }

// transpositions is a table of values, in which the newest entry always stays.
type transpositions struct {
	slots []entry
	shift uint
}

type entry struct {
	key   uint64
	depth uint8 // 0: empty
	low   int8  // bounds of the value
	high  int8
}

func newTranspositions(bits int) *transpositions {
	return &transpositions{make([]entry, 1<<bits), uint(64 - bits)}
}

func (t *transpositions) slot(key uint64, depth int) *entry {
	const golden, other = 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9
	return &t.slots[(key^uint64(depth)*other)*golden>>t.shift]
}

// find returns a value that is as good as the true one for a window.
func (t *transpositions) find(key uint64, depth int, alpha, beta int8) (int8, bool) {
	e := t.slot(key, depth)
	if e.key != key || int(e.depth) != depth {
		return 0, false
	}
	switch {
	case e.low >= beta || e.low == e.high:
		return e.low, true
	case e.high <= alpha:
		return e.high, true
	}
	return 0, false
}

// put stores the result of the search of a position.
func (t *transpositions) put(f *frame, depth int) {
	e := entry{f.key, uint8(depth), f.best, f.best}
	switch {
	case f.best <= f.floor:
		e.low = -infinite
	case f.best >= f.beta:
		e.high = infinite
	}
	*t.slot(f.key, depth) = e
}
