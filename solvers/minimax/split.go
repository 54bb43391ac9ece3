package minimax

import (
	"context"
	"sync/atomic"

	"gamebots/internal/parallel"
)

// split searches each move of the root by itself. With a table, moves that lead to
// positions with the same key are searched once and share the score, at no nodes.
// Moves after the first proven win are abandoned and not counted. If it is stopped, it
// returns the ratings of the moves that are done with Options.Every.
func split[G Game[M], M any](ctx context.Context, newGame func() G, o Options) (Result[M], error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	moves, same := rootMoves[G, M](newGame(), o)
	ratings, done := make([]Rating[M], len(moves)), make([]bool, len(moves))
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	o.Progress.Moves.Store(int64(len(moves)))
	var won atomic.Int64 // the first winning move
	won.Store(int64(len(moves)))
	games := make([]*G, max(o.Threads, 1))
	parallel.For(o.Threads, len(moves), func(worker, i int) {
		if int64(i) > won.Load() && !o.Every || ctx.Err() != nil {
			return
		}
		if same[i] < i {
			o.Progress.Done.Add(1)
			return
		}
		if games[worker] == nil {
			g := newGame()
			games[worker] = &g
		}
		r, err := rate(ctx, *games[worker], moves[i], o)
		if err != nil {
			stop(err)
			return
		}
		ratings[i], done[i] = r, true
		o.Progress.Done.Add(1)
		for w := won.Load(); r.Score >= Win && int64(i) < w && !won.CompareAndSwap(w, int64(i)); w = won.Load() {
		}
	})
	for i, t := range same {
		if t < i {
			ratings[i], done[i] = ratings[t], done[t]
			ratings[i].Move, ratings[i].Nodes = moves[i], 0
		}
	}
	if err := context.Cause(ctx); err != nil {
		var r Result[M]
		for i, rating := range ratings {
			if done[i] && o.Every {
				r.Ratings = append(r.Ratings, rating)
			}
		}
		return r, err
	}
	if w := int(won.Load()); w < len(moves) && !o.Every {
		ratings = ratings[:w+1]
	}
	return best(ratings, o), nil
}

// rootMoves returns the moves of the root, and for each the first move that leads to
// the same key.
func rootMoves[G Game[M], M any](g G, o Options) (moves []M, same []int) {
	moves = g.AppendMoves(nil)
	same = make([]int, len(moves))
	first := map[uint64]int{}
	for i, m := range moves {
		same[i] = i
		if o.TableBits == 0 {
			continue
		}
		g.Make(m)
		key := any(g).(Keyed).Key()
		g.Unmake()
		if j, ok := first[key]; ok {
			same[i] = j
		} else {
			first[key] = i
		}
	}
	return moves, same
}

// best returns the result for rated moves.
func best[M any](ratings []Rating[M], o Options) Result[M] {
	res := Result[M]{Score: -infinite, Depth: o.Depth}
	proven := true
	for _, r := range ratings {
		res.Nodes += r.Nodes
		proven = proven && r.Proven
		if r.Score > res.Score {
			res.Score, res.Best = r.Score, r.Move
		}
	}
	res.Proven = proven || res.Score >= Win
	if o.Every {
		res.Ratings = ratings
	}
	return res
}

// rate searches the position after a move, with a new table.
func rate[G Game[M], M any](ctx context.Context, g G, m M, o Options) (Rating[M], error) {
	g.Make(m)
	defer g.Unmake()
	score, over := g.Score()
	if over || o.Depth == 1 {
		return Rating[M]{m, -score, over, 1}, nil
	}
	if o.Depth > 0 {
		o.Depth--
	}
	r, err := newSearcher[G, M](ctx, g, o).deepen()
	return Rating[M]{m, -r.Score, r.Proven, r.Nodes + 1}, err
}
