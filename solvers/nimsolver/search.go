package nimsolver

import (
	"context"
	"errors"
	"fmt"

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
	if err := s.run(depth); err != nil {
		return Result{}, err
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
	ended int8 // the value of taking the last stick
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

// run searches the position at a depth, which must be open.
func (s *searcher) run(depth int) error {
	for at := depth; ; {
		f := &s.stack[at]
		switch {
		case at == 1:
			s.lastPly(f)
		case f.alpha < f.beta && f.next(s.limit):
			s.nodes++
			heaps := f.heaps - uint64(f.take)<<f.shift
			if heaps == 0 {
				f.found(s.ended)
				continue
			}
			child := &s.stack[at-1]
			child.open(heaps, -f.beta, -f.alpha)
			if s.table != nil {
				child.key = moveKey(f.key, uint8(f.heaps>>f.shift&nim.MaxSize), f.take)
				if value, ok := s.table.find(child.key, at-1, child.alpha, child.beta); ok {
					f.found(-value)
					continue
				}
			}
			at--
			continue
		}
		if s.table != nil {
			s.table.put(f, at)
		}
		if at == depth {
			return nil
		}
		at++
		s.stack[at].found(-f.best)
		if s.nodes >= s.check {
			if err := context.Cause(s.ctx); err != nil {
				return err
			}
			s.check = s.nodes + checkNodes
		}
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
