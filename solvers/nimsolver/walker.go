package nimsolver

import (
	"context"

	"gamebots/hexproto/nim"
)

// walker is one thread's search for what can be forced.
type walker struct {
	ctx   context.Context
	rules nim.Rules
	limit uint64
	nodes uint64
	check uint64             // nodes at which the context is asked
	moves [MaxDepth + 1]move // tried last, of the position that looks so far ahead
}

// move takes sticks from the heap that begins at a bit. The zero value is before
// the first.
type move struct{ shift, take uint64 }

// next goes to the next move and says whether there is one.
func (m *move) next(heaps, limit uint64) bool {
	m.take++
	for m.take > limit || m.take > heaps>>m.shift&nim.MaxSize {
		m.shift, m.take = m.shift+4, 1
		if heaps>>m.shift == 0 { // 0 too where there are no more heaps
			return false
		}
	}
	return true
}

// take makes the move of a number in the order of moves, where there is one.
func (w *walker) take(heaps *uint64, number int) bool {
	left := uint64(number)
	for shift, rest := 0, *heaps; rest != 0; shift, rest = shift+4, rest>>4 {
		most := min(rest&nim.MaxSize, w.limit)
		if left < most {
			*heaps -= (left + 1) << shift
			return true
		}
		left -= most
	}
	return false
}

// force says whether the player to move can force a win within a depth, or, where
// it is not about winning, whether he loses whatever he does. Plies take turns in
// what they are about: one move is enough to win, and one not to lose. Once the
// context has ended the answer means nothing.
func (w *walker) force(heaps uint64, depth int, win bool) bool {
	if heaps == 0 {
		return win == w.rules.Misere
	}
	if depth == 0 {
		return false
	}
	at := depth
	w.moves[at] = move{}
	for {
		result := !win // if no move decides
		if at == 1 {
			result = w.lastPly(heaps, win)
		} else if m := &w.moves[at]; m.next(heaps, w.limit) {
			w.nodes++
			child := heaps - m.take<<m.shift
			if child != 0 {
				heaps, win = child, !win
				at--
				w.moves[at] = move{}
				continue
			}
			if (!win == w.rules.Misere) != win {
				continue
			}
			result = win
		}
		if w.nodes >= w.check {
			if w.ctx.Err() != nil {
				return false
			}
			w.check = w.nodes + checkNodes
		}
		for {
			if at == depth {
				return result
			}
			at++
			win = !win
			heaps += w.moves[at].take << w.moves[at].shift
			if result != win {
				break // it decides nothing: the next move
			}
		}
	}
}

// lastPly is force at depth 1.
func (w *walker) lastPly(heaps uint64, win bool) bool {
	for shift, rest := 0, heaps; rest != 0; shift, rest = shift+4, rest>>4 {
		child, stick := heaps, uint64(1)<<shift
		most := min(rest&nim.MaxSize, w.limit)
		for take := uint64(1); take <= most; take++ {
			child -= stick
			if child != 0 && win {
				continue
			}
			if child != 0 || (!win == w.rules.Misere) == win {
				w.nodes += take
				return win // the game goes on, or ends well
			}
		}
		w.nodes += most
	}
	return !win
}
