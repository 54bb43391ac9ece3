package minimax

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// A Space is all positions of a game, numbered from 0. Moves may form cycles.
type Space interface {
	// Positions returns the number of positions, at most 2^31-1.
	Positions() int
	// AppendNext appends the positions that the moves of a position lead to. The game
	// is over where there are none.
	AppendNext(position int, next []int32) []int32
	// Score returns the result of a position without moves, for the player to move:
	// Win, Loss or 0.
	Score(position int) Score
}

// Solved has the value of every position of a space, for the player to move.
type Solved struct {
	values []int8
	plies  []uint16
}

// Score returns Win, Loss or 0, where neither player can force a win.
func (s *Solved) Score(position int) Score { return Score(s.values[position]) * Win }

// Plies returns the length of the game from a won or lost position: the winner plays
// to shorten it and the loser to prolong it. It saturates at 65,535.
func (s *Solved) Plies(position int) int { return int(s.plies[position]) }

// Backward evaluates all positions of a space by retrograde analysis: a position is won
// if a move leads to a lost one, and lost if all lead to won ones. It takes about 4
// bytes per move and 15 per position. The error is ErrOptions or the cause of ctx.
func Backward(ctx context.Context, s Space) (*Solved, error) {
	n := s.Positions()
	if n < 0 || n > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d positions are too many", ErrOptions, n)
	}
	moves := make([]int32, n)  // moves of each position that are not known to lose
	starts := make([]int, n+2) // where the list of each position's predecessors starts
	solved := &Solved{make([]int8, n), make([]uint16, n)}
	var next, queue []int32
	for p := range n {
		if p%checkNodes == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		next = s.AppendNext(p, next[:0])
		moves[p] = int32(len(next))
		for _, q := range next {
			if q < 0 || int(q) >= n {
				return nil, fmt.Errorf("%w: a move of position %d leads to %d, of %d", ErrOptions, p, q, n)
			}
			starts[q+2]++
		}
		if len(next) == 0 && s.Score(p) != 0 {
			solved.values[p] = 1
			if s.Score(p) < 0 {
				solved.values[p] = -1
			}
			queue = append(queue, int32(p))
		}
	}
	for p := range n {
		starts[p+2] += starts[p+1]
	}
	predecessors := make([]int32, starts[n+1])
	for p := range n {
		next = s.AppendNext(p, next[:0])
		for _, q := range next {
			if starts[q+1] >= len(predecessors) {
				return nil, errors.New("minimax: the moves of a position have changed")
			}
			predecessors[starts[q+1]] = int32(p)
			starts[q+1]++
		}
	}
	for at := 0; at < len(queue); at++ {
		if at%checkNodes == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		q := queue[at]
		for _, p := range predecessors[starts[q]:starts[q+1]] {
			if solved.values[p] != 0 {
				continue
			}
			moves[p]--
			switch {
			case solved.values[q] < 0:
				solved.values[p] = 1
			case moves[p] == 0:
				solved.values[p] = -1
			default:
				continue
			}
			solved.plies[p] = max(solved.plies[q], solved.plies[q]+1) // saturates
			queue = append(queue, p)
		}
	}
	return solved, nil
}
