package nimsolver

import (
	"context"

	"gamebots/hexproto/nim"
)

// Solve finds the value and the move that Search finds, by boolean searches on a
// number of threads, as the manual of the package says. It is the CPU reference
// implementation of a Device's SolveVersion. The error is ErrInput, or the cause of
// ctx.
func Solve(ctx context.Context, p Position, depth, threads int) (Result, error) {
	return solve(p, depth, func(queries []query) ([]int, uint64, error) {
		return runQueries(ctx, p.Rules, queries, threads)
	})
}

// A query asks for the first move that forces a win within a depth of at least 1,
// from a position that is not over. The answer is the number of the move in the order
// of moves, or -1.
type query struct {
	heaps nim.Heaps
	depth int
}

// solve searches a position by queries, which run answers.
func solve(p Position, depth int, run func([]query) ([]int, uint64, error)) (Result, error) {
	if err := p.check(depth); err != nil {
		return Result{}, err
	}
	moves := p.Rules.AppendMoves(p.Heaps, nil)
	if len(moves) == 0 {
		return Result{Value: terminalValue(p.Rules)}, nil
	}
	// Can a win be forced, and if not, which is the first move after which the
	// opponent cannot force one? Most often it is the very first move, whose query is
	// therefore run together with the former.
	first, rest := moves[:1], moves[1:]
	wins, nodes, err := run(append([]query{{p.Heaps, depth}}, p.replies(first, depth)...))
	r := Result{Move: moves[0], Value: Loss, Nodes: nodes}
	switch {
	case err != nil:
		return Result{}, err
	case wins[0] >= 0:
		r.Move, r.Value = moves[wins[0]], Win
		return r, nil
	case p.safe(first, depth, wins[1:]) == 0:
		r.Value = Unknown
		return r, nil
	}
	wins = nil
	if queries := p.replies(rest, depth); len(queries) > 0 {
		if wins, nodes, err = run(queries); err != nil {
			return Result{}, err
		}
		r.Nodes += nodes
	}
	if i := p.safe(rest, depth, wins); i >= 0 {
		r.Move, r.Value = rest[i], Unknown
	}
	return r, nil
}

// replies returns the queries for the opponent's replies to moves that do not win at once. None is
// needed where a move ends the game or the depth.
func (p Position) replies(moves []nim.Move, depth int) (queries []query) {
	for _, m := range moves {
		if after := p.Heaps.Take(m); after != 0 && depth > 1 {
			queries = append(queries, query{after, depth - 1})
		}
	}
	return queries
}

// safe returns the first of these moves after which the opponent cannot force a win, given the
// answers to the queries, or -1. A move that ends the game loses.
func (p Position) safe(moves []nim.Move, depth int, wins []int) int {
	for i, m := range moves {
		if p.Heaps.Take(m) == 0 {
			continue
		}
		if depth == 1 || wins[0] < 0 {
			return i
		}
		wins = wins[1:]
	}
	return -1
}
