package havannah

import (
	"context"
	"math"
	"slices"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"
	"gamebots/solvers/mcts"
)

var (
	_ hexproto.Judge = (*mctsEngine)(nil)
	_ hexproto.Judge = (*gumbelEngine)(nil)
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

// Accept accepts a draw if the search expects to lose.
func (e *mctsEngine) Accept(ctx context.Context, game *wire.Game, offer string) bool {
	if offer != wire.OfferDraw || e.follow(game) != nil || e.run(ctx, drawSimulations) != nil {
		return false
	}
	best := e.search.Stats()[0]
	return best.Proof == mcts.Draw || drawIsGain(game, value(best))
}

// Accept accepts a draw if the network expects to lose.
func (e *gumbelEngine) Accept(ctx context.Context, game *wire.Game, offer string) bool {
	board, err := boards.HavannahPosition(game)
	if offer != wire.OfferDraw || err != nil || board.Over() {
		return false
	}
	as := Gumbel{Evaluations: drawEvaluations}
	if _, err := e.run(ctx, board, as, 0); err != nil {
		return false
	}
	return e.search.Proof() == mcts.Draw || drawIsGain(game, (1+e.search.Value())/2)
}

// drawIsGain reports whether a draw is better for the bot than a score of the seat to move.
func drawIsGain(game *wire.Game, score float64) bool {
	if !slices.Contains(game.ToMove, game.You) {
		score = 1 - score
	}
	return !math.IsNaN(score) && score < drawBelow
}
