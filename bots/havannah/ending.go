package havannah

import (
	"context"
	"errors"

	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	"gamebots/solvers/mcts"
	mctshavannah "gamebots/solvers/mcts/havannah"
)

// The limits of the searches that go on where the line of a proved move ends: bytes of
// the tree, and simulations for all lines of a position together.
const (
	endingMemory      = 4 << 20
	endingSimulations = 2000
)

// goOn appends to the lines of proved moves what is missing until the end of the game. A
// line ends early where the tree does: the last moves follow from the board, or from a
// proof elsewhere in the tree.
func (a Analysis) goOn(ctx context.Context, board *havannah.Board, rated []wire.Rated) (err error) {
	left := endingSimulations
	for i := range rated[:min(len(rated), maxLines)] {
		if r := &rated[i]; r.Proof == wire.ProvedWin || r.Proof == wire.ProvedLoss {
			if r.Line, err = a.toEnd(ctx, *board, r.Line, &left); err != nil {
				return err
			}
		}
	}
	return nil
}

// toEnd returns a proved line from a position to the end of the game. One that would take
// more than the simulations that are left stays short.
func (a Analysis) toEnd(ctx context.Context, at havannah.Board, line []string, left *int) ([]string, error) {
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
		if more, err = a.solve(ctx, &at, left); more == nil || err != nil {
			return line, err
		}
	}
}

// solve returns the best line of a position if it proves who wins, or nil. It takes what
// it needs from the simulations that are left.
func (a Analysis) solve(ctx context.Context, board *havannah.Board, left *int) ([]string, error) {
	g := mctshavannah.NewGame(board, mctshavannah.DefaultParams)
	eval := mctshavannah.NewEvaluator(g, 1, a.Seed)
	search := mcts.New(g, eval, mcts.Options{ProofAfter: 1, Memory: endingMemory})
	err := search.Run(ctx, *left)
	if err = errors.Join(err, eval.Close()); err != nil {
		return nil, err
	}
	*left -= search.Simulations()
	if p := search.Proof(); p != mcts.Win && p != mcts.Loss {
		return nil, nil
	}
	return rate(search, g)[0].Line, nil
}
