package minimax

import (
	"context"
	"sync/atomic"

	"gamebots/internal/parallel"
)

// split searches each move of the root by itself, but for those of a Keyed game
// that lead to what is the same position to a table: they share its score, at no
// nodes. Moves after the first proven win are given up, and what they have found
// is not counted.
func split[G Game[M], M any](ctx context.Context, newGame func() G, o Options) (Result[M], error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	moves, twin := rootMoves[G, M](newGame(), o)
	ratings := make([]Rating[M], len(moves))
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	o.Progress.Moves.Store(int64(len(moves)))
	var won atomic.Int64 // the first move that wins
	won.Store(int64(len(moves)))
	games := make([]*G, max(o.Threads, 1))
	parallel.For(o.Threads, len(moves), func(worker, i int) {
		if int64(i) > won.Load() && !o.Every || ctx.Err() != nil {
			return
		}
		if twin[i] < i {
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
		ratings[i] = r
		o.Progress.Done.Add(1)
		for w := won.Load(); r.Score >= Win && int64(i) < w && !won.CompareAndSwap(w, int64(i)); w = won.Load() {
		}
	})
	if err := context.Cause(ctx); err != nil {
		return Result[M]{}, err
	}
	for i, t := range twin {
		if t < i {
			ratings[i] = ratings[t]
			ratings[i].Move, ratings[i].Nodes = moves[i], 0
		}
	}
	if w := int(won.Load()); w < len(moves) && !o.Every {
		ratings = ratings[:w+1]
	}
	return best(ratings, o), nil
}

// rootMoves returns the moves of the root, and of each the first that leads to
// the same position.
func rootMoves[G Game[M], M any](g G, o Options) (moves []M, twin []int) {
	moves = g.AppendMoves(nil)
	twin = make([]int, len(moves))
	first := map[uint64]int{}
	for i, m := range moves {
		twin[i] = i
		if o.TableBits == 0 {
			continue
		}
		g.Make(m)
		key := any(g).(Keyed).Key()
		g.Unmake()
		if j, ok := first[key]; ok {
			twin[i] = j
		} else {
			first[key] = i
		}
	}
	return moves, twin
}

// best returns the result of rated moves.
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

// rate searches the position after a move, with a table of its own, and takes
// the move back.
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
