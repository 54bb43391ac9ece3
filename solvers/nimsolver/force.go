package nimsolver

import (
	"context"

	"gamebots/hexproto/nim"
)

// Force finds the value and the move that Search finds, on as many threads as are
// given: see the package's manual. It is the twin of version 5 of a Device.
func Force(ctx context.Context, p Position, depth, threads int) (Result, error) {
	return force(p, depth, func(questions []question) ([]int, uint64, error) {
		return ask(ctx, p.Rules, questions, threads)
	})
}

// A question is which is the first move that forces a win within a depth of 1 at
// least, from a position that is not over. The answer is the move's number in
// the order of moves, or -1.
type question struct {
	heaps nim.Heaps
	depth int
}

// force puts together what answers to questions say of a position.
func force(p Position, depth int, ask func([]question) ([]int, uint64, error)) (Result, error) {
	if err := p.check(depth); err != nil {
		return Result{}, err
	}
	moves := p.Rules.AppendMoves(p.Heaps, nil)
	if len(moves) == 0 {
		return Result{Value: over(p.Rules)}, nil
	}
	// Can a win be forced, and if not, which is the first move after which the
	// opponent cannot force one? Most often it is the very first move, which is
	// therefore asked for together with the former.
	first, rest := answers(p, depth, moves[:1]), answers(p, depth, moves[1:])
	wins, nodes, err := ask(append([]question{{p.Heaps, depth}}, first.questions...))
	r := Result{Move: moves[0], Value: Loss, Nodes: nodes}
	switch {
	case err != nil:
		return Result{}, err
	case wins[0] >= 0:
		r.Move, r.Value = moves[wins[0]], Win
		return r, nil
	case first.holds(wins[1:]) == 0:
		r.Value = Unknown
		return r, nil
	}
	wins = nil
	if len(rest.questions) > 0 {
		if wins, nodes, err = ask(rest.questions); err != nil {
			return Result{}, err
		}
		r.Nodes += nodes
	}
	if i := rest.holds(wins); i >= 0 {
		r.Move, r.Value = moves[1+i], Unknown
	}
	return r, nil
}

// A reply is what is known of a move before anything is asked.
type reply uint8

const (
	asked  reply = iota // it is one of the questions
	holds               // the opponent cannot force a win
	losing              // the move ends the game badly
)

// An inquest is about some moves, which the opponent answers.
type inquest struct {
	replies   []reply
	questions []question
}

// answers returns what has to be asked to know what the opponent can force after
// moves none of which wins.
func answers(p Position, depth int, moves []nim.Move) (q inquest) {
	for _, m := range moves {
		after := p.Heaps.Take(m)
		switch {
		case after == 0:
			q.replies = append(q.replies, losing)
		case depth == 1:
			q.replies = append(q.replies, holds)
		default:
			q.replies = append(q.replies, asked)
			q.questions = append(q.questions, question{after, depth - 1})
		}
	}
	return q
}

// holds returns the first move after which no win can be forced, or -1.
func (q inquest) holds(wins []int) int {
	for i, r := range q.replies {
		switch r {
		case holds:
			return i
		case asked:
			if wins[0] < 0 {
				return i
			}
			wins = wins[1:]
		}
	}
	return -1
}
