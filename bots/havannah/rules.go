package havannah

import (
	"context"
	"errors"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// Rules are the rules of Havannah with an analyst that rates moves by playouts.
type Rules struct{ boards.Havannah }

var _ game.Analyst = Rules{}

// analysisPlayouts after each move are enough to show.
const analysisPlayouts = 1024

// Analyse rates moves by playouts.
func (Rules) Analyse(ctx context.Context, g game.Game) (string, []wire.Rated, error) {
	board, ok := boards.HavannahBoard(g)
	if !ok {
		return "", nil, errors.New("not a game of Havannah")
	}
	rated, err := Rate(ctx, board, analysisPlayouts, 0)
	return "playouts", rated, err
}
