package nimsolver

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"gamebots/hexproto/nim"
	"gamebots/internal/parallel"
)

// moveWords is how many words have a bit for each move of a position.
const moveWords = (nim.MaxHeaps*nim.MaxSize + 31) / 32

// chunk is how many moves of the third ply a thread takes at a time.
const chunk = 8

// A stage is a range of moves of the second ply that are tried at the same time. Most
// often one of them suffices to refute a first move.
type stage struct{ from, to int }

// stages returns the stages for some moves.
func stages(moves int) (s []stage) {
	for from, to := 0, 1; from < moves; from, to = to, 2*to {
		s = append(s, stage{from, min(to, moves)})
	}
	return s
}

// A queryState is a query that is being run.
type queryState struct {
	query
	moves []nim.Move
	// failed has, by first move, a bit for each reply that does not refute it.
	failed [][moveWords]atomic.Uint32
}

func newQueryState(r nim.Rules, q query) queryState {
	moves := r.AppendMoves(q.heaps, nil)
	return queryState{q, moves, make([][moveWords]atomic.Uint32, len(moves))}
}

// runQueries answers queries on threads of the CPU.
func runQueries(
	ctx context.Context, r nim.Rules, queries []query, threads int,
) (answers []int, nodes uint64, err error) {
	states := make([]queryState, len(queries))
	maxMoves := 0
	for i, q := range queries {
		states[i] = newQueryState(r, q)
		maxMoves = max(maxMoves, len(states[i].moves))
	}
	threads = max(threads, 1)
	total := uint64(0)
	for _, s := range stages(maxMoves) {
		searches := make([]*boolSearch, threads)
		// A task is a query, a move of each of the first two plies, and a chunk of moves
		// of the third.
		chunks := (maxMoves + chunk - 1) / chunk
		tasks := len(queries) * (s.to - s.from) * maxMoves * chunks
		parallel.For(threads, tasks, func(worker, i int) {
			if ctx.Err() != nil {
				return
			}
			b := searches[worker]
			if b == nil {
				b = &boolSearch{ctx: ctx, rules: r, limit: uint64(r.Limit())}
				searches[worker] = b
			}
			third, i := i%chunks*chunk, i/chunks
			first, i := i%maxMoves, i/maxMoves
			second, i := s.from+i%(s.to-s.from), i/(s.to-s.from)
			for ; third < maxMoves && b.try(&states[i], s, first, second, third); third++ {
				if (third+1)%chunk == 0 {
					break
				}
			}
		})
		for _, b := range searches {
			if b != nil {
				total += b.nodes
			}
		}
		if err := context.Cause(ctx); err != nil {
			return nil, 0, err
		}
		if !slices.ContainsFunc(states, func(q queryState) bool { return q.pending(r, s.to) }) {
			break
		}
	}
	answers = make([]int, len(queries))
	for i := range states {
		answers[i] = states[i].answer(r)
	}
	return answers, total, nil
}

// pending reports whether some move has more than n replies, and none of the first n
// refutes it.
func (q *queryState) pending(r nim.Rules, n int) bool {
	for first, m := range q.moves {
		if len(r.AppendMoves(q.heaps.Take(m), nil)) > n && q.unrefuted(first, n) {
			return true
		}
	}
	return false
}

// answer returns the first move that no reply refutes, or -1.
func (q *queryState) answer(r nim.Rules) int {
	for i, m := range q.moves {
		after := q.heaps.Take(m)
		switch {
		case after == 0:
			if terminalValue(r) == Loss {
				return i
			}
		case q.depth > 1 && q.unrefuted(i, len(r.AppendMoves(after, nil))):
			return i
		}
	}
	return -1
}

// unrefuted reports whether none of the first n replies to a move refutes it.
func (q *queryState) unrefuted(first, n int) bool {
	for word := 0; n > 0; word, n = word+1, n-32 {
		if bits.TrailingZeros32(^q.failed[first][word].Load()) < min(n, 32) {
			return false
		}
	}
	return true
}

// try searches the position after moves of the first three plies. It reports whether
// further moves of the third ply matter.
func (b *boolSearch) try(q *queryState, s stage, first, second, third int) bool {
	word, bit := second/32, uint32(1)<<(second%32)
	if first >= len(q.moves) || !q.unrefuted(first, s.from) || q.failed[first][word].Load()&bit != 0 {
		return false
	}
	heaps := uint64(q.heaps.Take(q.moves[first]))
	if second == 0 && third == 0 {
		b.nodes++
	}
	if heaps == 0 || q.depth == 1 || !b.play(&heaps, second) {
		return false
	}
	if third == 0 {
		b.nodes++
	}
	wins := false
	switch {
	case heaps == 0:
		wins = b.rules.Misere
	case q.depth == 2 || !b.play(&heaps, third):
		return false
	default:
		b.nodes++
		wins = b.forced(heaps, q.depth-3, false)
	}
	if wins {
		q.failed[first][word].Or(bit)
	}
	return !wins
}

// A boolSearch is one thread's search of AND/OR trees: of what a player can force.
type boolSearch struct {
	ctx   context.Context
	rules nim.Rules
	limit uint64
	nodes uint64
	check uint64 // the number of nodes at which ctx is checked next
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
	switch {
	case heaps == 0:
		return win == b.rules.Misere
	case depth == 0:
		return false
	case depth == 1:
		return b.lastPly(heaps, win)
	case b.nodes >= b.check:
		if b.ctx.Err() != nil {
			return false
		}
		b.check = b.nodes + checkNodes
	}
	for shift, rest := 0, heaps; rest != 0; shift, rest = shift+4, rest>>4 {
		child, oneStick := heaps, uint64(1)<<shift
		for range min(rest&nim.MaxSize, b.limit) {
			b.nodes++
			child -= oneStick
			if b.forced(child, depth-1, !win) == win {
				return win
			}
		}
	}
	return !win
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
