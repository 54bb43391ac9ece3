package havannahbot

import (
	"context"
	"math"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/solvers/mcts"
)

const (
	// drawBelow is the score below which a draw is a gain, with a margin for the
	// error of random games.
	drawBelow = 0.4
	// drawSimulations are enough to estimate the score.
	drawSimulations = 1000
	// drawEvaluations are so for a network.
	drawEvaluations = 16
)

// AcceptDraw accepts if the search expects to lose.
func (e *mctsEngine) AcceptDraw(ctx context.Context, at hexproto.Position) bool {
	if e.follow(at) != nil || e.run(ctx, drawSimulations) != nil {
		return false
	}
	best := e.search.Stats()[0]
	return best.Proof == mcts.Draw || drawIsGain(at, value(best))
}

// AcceptDraw accepts if the network expects to lose.
func (e *gumbelEngine) AcceptDraw(ctx context.Context, at hexproto.Position) bool {
	board := boards.HavannahBoard(at.Game)
	if board.Over() {
		return false
	}
	as := Gumbel{Evaluations: drawEvaluations}
	if _, err := e.run(ctx, board, as, 0); err != nil {
		return false
	}
	return e.search.Proof() == mcts.Draw || drawIsGain(at, (1+e.search.Value())/2)
}

// drawIsGain reports whether a draw is better for the bot than a score of the seat to move.
func drawIsGain(at hexproto.Position, score float64) bool {
	if !at.Game.ToMove()[at.Seat] {
		score = 1 - score
	}
	return !math.IsNaN(score) && score < drawBelow
}
