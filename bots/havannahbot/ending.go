package havannahbot

import (
	"context"
	"errors"

	"gamebots/hexproto/game"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

// Limits of the searches that extend the line of a proved move: bytes of the tree, and simulations for all lines of a
// position together.
const (
	endingMemory      = 4 << 20
	endingSimulations = 2000
)

// extendLines extends the lines of proved moves to the end of the game. A line from the tree ends before that where the
// last moves follow from the board, or from a proof elsewhere in the tree.
func (a Analysis) extendLines(ctx context.Context, board *havannah.Board, rated []game.Rated) (err error) {
	budget := endingSimulations
	for i := range rated[:min(len(rated), maxLines)] {
		if r := &rated[i]; r.Proof == game.ProvedWin || r.Proof == game.ProvedLoss {
			if r.Line, err = a.extendLine(ctx, *board, r.Line, &budget); err != nil {
				return err
			}
		}
	}
	return nil
}

// extendLine extends a proved line from a position to the end of the game. A line that would exceed the remaining
// budget of simulations stays truncated.
func (a Analysis) extendLine(
	ctx context.Context, at havannah.Board, line []string, budget *int,
) ([]string, error) {
	for more := line; ; line = append(line, more...) {
		for _, move := range more {
			m, err := at.Grid().Parse(move)
			if err == nil {
				err = at.Play(m)
			}
			if err != nil {
				return nil, err
			}
		}
		if at.Over() {
			return line, nil
		}
		var err error
		if more, err = a.solve(ctx, &at, budget); more == nil || err != nil {
			return line, err
		}
	}
}

// solve returns the best line of a position if a search proves who wins, else nil. It takes its simulations from the
// budget.
func (a Analysis) solve(ctx context.Context, board *havannah.Board, budget *int) ([]string, error) {
	g := hexsearch.NewGame(board)
	eval := hexsearch.NewEvaluator(g, 1, a.Seed)
	search := mcts.New(g, eval, mcts.Options{ProofAfter: 1, Memory: endingMemory})
	err := search.Run(ctx, *budget)
	if err = errors.Join(err, eval.Close()); err != nil {
		return nil, err
	}
	*budget -= search.Simulations()
	if p := search.Proof(); p != mcts.Win && p != mcts.Loss {
		return nil, nil
	}
	return rate(search, g)[0].Line, nil
}
