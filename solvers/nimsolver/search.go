package nimsolver

import (
	"context"

	"gamebots/hexproto/nim"
)

// infinite is outside of all values.
const infinite = 2

// frame is a position on the way from the root to where the search is.
type frame struct {
	heaps             uint64
	key               uint64 // for the table
	shift, take       uint8  // the move tried last: its heap's first bit, and its sticks
	best              int8   // value so far
	alpha, beta       int8
	floor             int8 // alpha at the start
	bestShift, bestBy uint8
}

// Search looks ahead from a position by alpha-beta with an infinite window. With
// tableBits above 0 it remembers up to 2^tableBits positions in 16 bytes each,
// whose heaps may be in any order. The error is ErrInput, or the context's cause.
func Search(ctx context.Context, p Position, depth, tableBits int) (Result, error) {
	if err := p.check(depth); err != nil {
		return Result{}, err
	}
	if p.Heaps == 0 {
		return Result{Value: over(p.Rules)}, nil
	}
	s := searcher{ctx: ctx, limit: uint8(p.Rules.Limit()), ended: -int8(over(p.Rules))}
	if tableBits > 0 {
		s.table = newTable(tableBits)
	}
	f := &s.stack[depth]
	f.open(uint64(p.Heaps), -infinite, infinite)
	f.key = tableKey(f.heaps)
	if err := s.run(depth); err != nil {
		return Result{}, err
	}
	return Result{Move: nim.Move{Heap: f.bestShift / 4, Take: f.bestBy}, Value: Value(f.best), Nodes: s.nodes}, nil
}

// searcher is a search. Of its stack, element d is the position that looks d
// plies ahead.
type searcher struct {
	ctx   context.Context
	stack [MaxDepth + 1]frame
	table *table
	nodes uint64
	check uint64 // nodes at which the context is asked
	limit uint8
	ended int8 // the value of the last stick, for who takes it
}

// checkNodes is how many nodes are looked at before the context is asked.
const checkNodes = 1 << 20

func (f *frame) open(heaps uint64, alpha, beta int8) {
	f.heaps, f.shift, f.take = heaps, 0, 0
	f.alpha, f.beta, f.floor, f.best = alpha, beta, alpha, -infinite
}

// next goes to a position's next move and says whether there is one.
func (f *frame) next(limit uint8) bool {
	f.take++
	for f.take > limit || uint64(f.take) > f.heaps>>f.shift&nim.MaxSize {
		f.shift, f.take = f.shift+4, 1
		if f.heaps>>f.shift == 0 { // 0 too where there are no more heaps
			return false
		}
	}
	return true
}

// found notes the value of the move tried last.
func (f *frame) found(value int8) {
	if value > f.best {
		f.best, f.bestShift, f.bestBy = value, f.shift, f.take
		f.alpha = max(f.alpha, value)
	}
}

// run searches the position at a depth of the stack.
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

// lastPly looks at all moves of a position beyond which nothing is known.
func (s *searcher) lastPly(f *frame) {
	nodes, best := s.nodes, f.best
moves:
	for shift, rest := uint8(0), f.heaps; rest != 0; shift, rest = shift+4, rest>>4 {
		child, stick := f.heaps, uint64(1)<<shift
		for take := uint8(1); take <= min(uint8(rest&nim.MaxSize), s.limit); take++ {
			nodes++
			child -= stick
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
