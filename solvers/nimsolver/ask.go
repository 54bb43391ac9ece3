package nimsolver

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"gamebots/hexproto/nim"
	"gamebots/internal/parallel"
)

// askWords is how many words hold a bit for each move of a position.
const askWords = (nim.MaxHeaps*nim.MaxSize + 31) / 32

// askPart is how many moves of the third ply a thread takes at a time.
const askPart = 8

// stage is a range of answers, moves of the second ply, that are tried at the
// same time. One is most often enough to refute a first move.
type stage struct{ from, to int }

// stages returns the ranges for a number of moves.
func stages(moves int) (s []stage) {
	for from, to := 0, 1; from < moves; from, to = to, 2*to {
		s = append(s, stage{from, min(to, moves)})
	}
	return s
}

// inquiry is a question at work: for each first move, a bit for each second one
// that does not refute it.
type inquiry struct {
	question
	moves []nim.Move
	won   [][askWords]atomic.Uint32
}

// ask answers questions on a number of threads.
func ask(ctx context.Context, r nim.Rules, questions []question, threads int) (first []int, nodes uint64, err error) {
	all := make([]inquiry, len(questions))
	most := 0
	for i, q := range questions {
		moves := r.AppendMoves(q.heaps, nil)
		all[i] = inquiry{q, moves, make([][askWords]atomic.Uint32, len(moves))}
		most = max(most, len(moves))
	}
	walkers := make([]*walker, max(threads, 1)) // each made by its thread
	for _, s := range stages(most) {
		// An item is a question, moves of the first two plies, and some moves of the
		// third.
		parts := (most + askPart - 1) / askPart
		items := len(questions) * (s.to - s.from) * most * parts
		parallel.For(threads, items, func(worker, i int) {
			if ctx.Err() != nil {
				return
			}
			w := walkers[worker]
			if w == nil {
				w = &walker{ctx: ctx, rules: r, limit: uint64(r.Limit())}
				walkers[worker] = w
			}
			third, i := i%parts*askPart, i/parts
			one, i := i%most, i/most
			two, i := s.from+i%(s.to-s.from), i/(s.to-s.from)
			for ; third < most && w.item(&all[i], s, one, two, third); third++ {
				if (third+1)%askPart == 0 {
					break
				}
			}
		})
		if err := context.Cause(ctx); err != nil {
			return nil, 0, err
		}
		if !slices.ContainsFunc(all, func(q inquiry) bool { return q.pending(r, s.to) }) {
			break
		}
	}
	first = make([]int, len(questions))
	for i := range all {
		first[i] = all[i].first(r)
	}
	for _, w := range walkers {
		if w != nil {
			nodes += w.nodes
		}
	}
	return first, nodes, nil
}

// pending says whether there is a move that the first so many answers do not
// refute, and that has more.
func (q *inquiry) pending(r nim.Rules, answers int) bool {
	for one, m := range q.moves {
		if len(r.AppendMoves(q.heaps.Take(m), nil)) > answers && q.holds(one, answers) {
			return true
		}
	}
	return false
}

// first returns the first move that no answer refutes.
func (q *inquiry) first(r nim.Rules) int {
	for i, m := range q.moves {
		after := q.heaps.Take(m)
		switch {
		case after == 0:
			if over(r) == Loss {
				return i
			}
		case q.depth > 1 && q.holds(i, len(r.AppendMoves(after, nil))):
			return i
		}
	}
	return -1
}

// holds says whether none of the first so many answers to a move refutes it.
func (q *inquiry) holds(one, answers int) bool {
	for word := 0; answers > 0; word, answers = word+1, answers-32 {
		if bits.TrailingZeros32(^q.won[one][word].Load()) < min(answers, 32) {
			return false
		}
	}
	return true
}

// item finds out whether after moves of the first two plies that of the third
// wins. It says whether other moves of the third ply matter still.
func (w *walker) item(q *inquiry, s stage, one, two, third int) bool {
	word, bit := two/32, uint32(1)<<(two%32)
	if one >= len(q.moves) || !q.holds(one, s.from) || q.won[one][word].Load()&bit != 0 {
		return false
	}
	heaps := uint64(q.heaps.Take(q.moves[one]))
	if two == 0 && third == 0 {
		w.nodes++
	}
	if heaps == 0 || q.depth == 1 || !w.take(&heaps, two) {
		return false
	}
	if third == 0 {
		w.nodes++
	}
	wins := false
	switch {
	case heaps == 0:
		wins = w.rules.Misere
	case q.depth == 2 || !w.take(&heaps, third):
		return false
	default:
		w.nodes++
		wins = w.force(heaps, q.depth-3, false)
	}
	if wins {
		q.won[one][word].Or(bit)
	}
	return !wins
}
