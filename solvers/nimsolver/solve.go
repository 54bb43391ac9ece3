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
	first, rest := newReplies(p, depth, moves[:1]), newReplies(p, depth, moves[1:])
	wins, nodes, err := run(append([]query{{p.Heaps, depth}}, first.queries...))
	r := Result{Move: moves[0], Value: Loss, Nodes: nodes}
	switch {
	case err != nil:
		return Result{}, err
	case wins[0] >= 0:
		r.Move, r.Value = moves[wins[0]], Win
		return r, nil
	case first.safe(wins[1:]) == 0:
		r.Value = Unknown
		return r, nil
	}
	wins = nil
	if len(rest.queries) > 0 {
		if wins, nodes, err = run(rest.queries); err != nil {
			return Result{}, err
		}
		r.Nodes += nodes
	}
	if i := rest.safe(wins); i >= 0 {
		r.Move, r.Value = moves[1+i], Unknown
	}
	return r, nil
}

// replies are the queries about the opponent's replies to some moves.
type replies struct {
	known   []replyKind // what is known about the reply to each move
	queries []query     // queries for the moves that are not known, in order
}

// A replyKind classifies a move that needs no query.
type replyKind uint8

const (
	queried replyKind = iota // nothing: there is a query
	safe                     // the opponent cannot force a win
	losing                   // the move ends the game and loses
)

// newReplies returns the queries for moves that do not win at once.
func newReplies(p Position, depth int, moves []nim.Move) (q replies) {
	for _, m := range moves {
		after := p.Heaps.Take(m)
		switch {
		case after == 0:
			q.known = append(q.known, losing)
		case depth == 1:
			q.known = append(q.known, safe)
		default:
			q.known = append(q.known, queried)
			q.queries = append(q.queries, query{after, depth - 1})
		}
	}
	return q
}

// safe returns the first move after which the opponent cannot force a win, given the
// answers to the queries, or -1.
func (q replies) safe(wins []int) int {
	for i, k := range q.known {
		switch k {
		case safe:
			return i
		case queried:
			if wins[0] < 0 {
				return i
			}
			wins = wins[1:]
		}
	}
	return -1
}
