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
// proof elsewhere in the tree. A line that would take too many simulations stays short.
func (a Analysis) goOn(ctx context.Context, board *havannah.Board, rated []wire.Rated) error {
	left := endingSimulations
	for i := range rated[:min(len(rated), maxLines)] {
		r := &rated[i]
		if r.Proof != wire.ProvedWin && r.Proof != wire.ProvedLoss {
			continue
		}
		at, line := *board, r.Line
		for {
			for _, move := range line {
				m, err := at.Grid().Parse(move)
				if err == nil {
					err = at.Play(m)
				}
				if err != nil {
					return err
				}
			}
			if at.Over() {
				break
			}
			var err error
			if line, err = a.solve(ctx, &at, &left); err != nil {
				return err
			}
			if line == nil {
				break
			}
			r.Line = append(r.Line, line...)
		}
	}
	return nil
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
