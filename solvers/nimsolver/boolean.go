package nimsolver

import (
	"context"

	"gamebots/hexproto/nim"
)

// A boolSearch is one thread's search of AND/OR trees: of what a player can force.
type boolSearch struct {
	ctx   context.Context
	rules nim.Rules
	limit uint64
	nodes uint64
	check uint64             // the number of nodes at which ctx is checked next
	moves [MaxDepth + 1]move // moves[n] is the current move on the path with n plies left
}

// A move takes sticks from the heap that begins at a bit. The zero value comes before
// the first move.
type move struct{ shift, take uint64 }

// next advances to the next move and reports whether there is one.
func (m *move) next(heaps, limit uint64) bool {
	m.take++
	for m.take > limit || m.take > heaps>>m.shift&nim.MaxSize {
		m.shift, m.take = m.shift+4, 1
		if heaps>>m.shift == 0 { // also 0 beyond the last heap
			return false
		}
	}
	return true
}

// play makes the n-th move, counted from 0 in the order of moves, and reports whether
// there is one.
func (b *boolSearch) play(heaps *uint64, n int) bool {
	left := uint64(n)
	for shift, rest := 0, *heaps; rest != 0; shift, rest = shift+4, rest>>4 {
		moves := min(rest&nim.MaxSize, b.limit)
		if left < moves {
			*heaps -= (left + 1) << shift
			return true
		}
		left -= moves
	}
	return false
}

// forced reports whether the player to move can force a win within a depth, or, if not
// win, whether he loses whatever he does. The plies of a tree alternate between the
// two: one move is enough to win, and one is enough not to lose. Once ctx has ended
// the answer is meaningless.
func (b *boolSearch) forced(heaps uint64, depth int, win bool) bool {
	if heaps == 0 {
		return win == b.rules.Misere
	}
	if depth == 0 {
		return false
	}
	left := depth
	b.moves[left] = move{}
	for {
		result := !win // unless a move decides
		if left == 1 {
			result = b.lastPly(heaps, win)
		} else if m := &b.moves[left]; m.next(heaps, b.limit) {
			b.nodes++
			child := heaps - m.take<<m.shift
			if child != 0 {
				heaps, win = child, !win
				left--
				b.moves[left] = move{}
				continue
			}
			if (!win == b.rules.Misere) != win {
				continue
			}
			result = win
		}
		if b.nodes >= b.check {
			if b.ctx.Err() != nil {
				return false
			}
			b.check = b.nodes + checkNodes
		}
		for {
			if left == depth {
				return result
			}
			left++
			win = !win
			heaps += b.moves[left].take << b.moves[left].shift
			if result != win {
				break // it does not decide: the next move
			}
		}
	}
}

// lastPly is forced at depth 1.
func (b *boolSearch) lastPly(heaps uint64, win bool) bool {
	for shift, rest := 0, heaps; rest != 0; shift, rest = shift+4, rest>>4 {
		child, oneStick := heaps, uint64(1)<<shift
		moves := min(rest&nim.MaxSize, b.limit)
		for take := uint64(1); take <= moves; take++ {
			child -= oneStick
			if child != 0 && win {
				continue
			}
			if child != 0 || (!win == b.rules.Misere) == win {
				b.nodes += take
				return win // the game continues, or ends well
			}
		}
		b.nodes += moves
	}
	return !win
}
