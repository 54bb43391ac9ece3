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
	// drawBelow is the score up to which a draw is a gain, also where random games
	// are wrong by a little.
	drawBelow = 0.4
	// drawSimulations are enough to tell that.
	drawSimulations = 1000
)

// Accept takes a draw where the search expects to lose.
func (e *mctsEngine) Accept(ctx context.Context, game *wire.Game, offer string) bool {
	if offer != wire.OfferDraw || e.follow(game) != nil || e.run(ctx, drawSimulations) != nil {
		return false
	}
	best := e.search.Stats()[0]
	if best.Proof == mcts.Draw {
		return true
	}
	score := value(best) // to who is to move
	if !slices.Contains(game.ToMove, game.You) {
		score = 1 - score
	}
	return !math.IsNaN(score) && score < drawBelow
}
