package havannah

import (
	"context"
	"math"
	"slices"

	"gamebots/hexproto"
	"gamebots/hexproto/wire"
	"gamebots/solvers/mcts"
)

var _ hexproto.Judge = (*mctsEngine)(nil)

const (
	// drawBelow is the score below which a draw is a gain, with a margin for the
	// error of random games.
	drawBelow = 0.4
	// drawSimulations are enough to estimate the score.
	drawSimulations = 1000
)

// Accept accepts a draw if the search expects to lose.
func (e *mctsEngine) Accept(ctx context.Context, game *wire.Game, offer string) bool {
	if offer != wire.OfferDraw || e.follow(game) != nil || e.run(ctx, drawSimulations) != nil {
		return false
	}
	best := e.search.Stats()[0]
	if best.Proof == mcts.Draw {
		return true
	}
	score := value(best) // for the seat to move
	if !slices.Contains(game.ToMove, game.You) {
		score = 1 - score
	}
	return !math.IsNaN(score) && score < drawBelow
}
