package boards

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
	"gamebots/solvers/playout"
)

var _ server.Analyst = Havannah{}

// mostGames is how many random games after each move are enough.
const mostGames = 1024

// Analyse rates moves by random games.
func (Havannah) Analyse(ctx context.Context, game server.Game) (string, []wire.Rated, error) {
	g, ok := game.(*havannahGame)
	if !ok {
		return "", nil, errors.New("not a game of Havannah")
	}
	sum, err := playout.RateUntil(ctx, g.board, playout.Options{Playouts: mostGames, Threads: 1})
	if err != nil {
		return "", nil, err
	}
	rated := make([]wire.Rated, len(sum))
	for i, r := range sum {
		rated[i] = wire.Rated{Move: g.grid().Format(r.Move), Value: r.Score(), Work: int64(r.Playouts())}
	}
	slices.SortStableFunc(rated, func(a, b wire.Rated) int { return cmp.Compare(b.Value, a.Value) })
	return "playouts", rated, nil
}
