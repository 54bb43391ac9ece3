package selfplay

import (
	"context"

	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

// Match is some games between a network and the tree search of package mcts without one,
// from positions of two stones: each is played twice, with exchanged colours.
type Match struct {
	Side        int
	Games       int // an even number
	Evaluations int // evaluations for a move of the network
	Simulations int // simulations for a move of the tree search
	Seed        uint64
	Threads     int
}

// MatchEvaluations is the usual number of evaluations of a match's moves.
const MatchEvaluations = 64

// opponentMemory is enough for the trees of a few thousand simulations.
const opponentMemory = 16 << 20

// Play plays the match and returns the points of the network: 1 for a win, 1/2 for a draw. When ctx ends it returns the
// cause.
func (m Match) Play(ctx context.Context, n *hexnet.Net) (float64, error) {
	grid, err := havannah.GridOf(m.Side)
	if err != nil {
		return 0, err
	}
	points := make([]float64, m.Games)
	err = parallel.Try(m.Threads, m.Games, func(i int) error {
		random := rng.Stream(rng.At(m.Seed, uint64(i/2)))
		board, err := boardAfter(grid, []uint16{randomOrbit(grid, &random)})
		if err != nil {
			return err
		}
		for reply := board.Turn(); board.Turn() == reply; {
			_ = board.Play(havannah.Move(random.IntN(grid.NumCells))) // a taken cell is refused
		}
		points[i], err = m.play(ctx, n, board, havannah.White+havannah.Colour(i%2), random.Uint64())
		return err
	})
	sum := 0.0
	for _, p := range points {
		sum += p
	}
	return sum, err
}

// play plays a game, in which the network has a colour and the tree search a seed, and returns its points.
func (m Match) play(
	ctx context.Context, n *hexnet.Net, board havannah.Board, colour havannah.Colour, seed uint64,
) (float64, error) {
	grid := board.Grid()
	s, outputs := hexsearch.NewSearch(grid), hexnet.Outputs{}
	evaluator := hexnet.NewEvaluator(n, hexsearch.ShapeOf(grid), 1)
	for !board.Over() {
		if err := context.Cause(ctx); err != nil {
			return 0, err
		}
		var move havannah.Move
		if board.Turn() == colour {
			for s.Start(&board, m.Evaluations, nil); s.Next(); s.Set(&outputs, 0) {
				if err := evaluator.Evaluate(s.Planes(), &outputs); err != nil {
					return 0, err
				}
			}
			move = s.Move(s.Best())
		} else {
			g := hexsearch.NewGame(&board)
			e := hexsearch.NewEvaluator(g, 1, seed)
			tree := mcts.New(g, e, mcts.Options{Memory: opponentMemory})
			if err := tree.Run(ctx, m.Simulations); err != nil {
				return 0, err
			}
			move = g.Move(tree.Best())
		}
		if err := board.Play(move); err != nil {
			return 0, err
		}
	}
	switch board.Winner() {
	case colour:
		return 1, nil
	case havannah.NoColour:
		return 0.5, nil
	}
	return 0, nil
}
