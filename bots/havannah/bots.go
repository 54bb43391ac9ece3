package havannah

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	"gamebots/solvers/playout"
)

// Random plays a random legal move.
type Random struct{ Seed uint64 }

// Playouts plays the move that wins most random games.
type Playouts struct {
	Seed  uint64
	Games int // after each move; 0 is 256
}

var (
	_ hexproto.Bot      = Random{}
	_ hexproto.QuickBot = Random{}
	_ hexproto.Bot      = Playouts{}
)

const defaultGames = 256

// Open returns an error for a game that is not Havannah.
func (r Random) Open(_ context.Context, game *wire.Game, _ int) (hexproto.Engine, error) {
	if _, err := boards.HavannahPosition(game); err != nil {
		return nil, err
	}
	return randomEngine{r.Seed}, nil
}

// Quick returns true.
func (Random) Quick(*wire.Game) bool { return true }

type randomEngine struct{ seed uint64 }

func (e randomEngine) Decide(_ context.Context, game *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	board, err := boards.HavannahPosition(game)
	if err != nil {
		return hexproto.Decision{}, err
	}
	moves := board.AppendMoves(nil)
	if len(moves) == 0 {
		return hexproto.Decision{}, havannah.ErrOver
	}
	rng := rand.New(rand.NewPCG(boards.Seed(e.seed, game), uint64(game.Turn)))
	return hexproto.Decision{Move: board.Grid().Format(moves[rng.IntN(len(moves))])}, nil
}

func (randomEngine) Close() error { return nil }

// Open returns an error for a game that is not Havannah.
func (p Playouts) Open(_ context.Context, game *wire.Game, _ int) (hexproto.Engine, error) {
	if _, err := boards.HavannahPosition(game); err != nil {
		return nil, err
	}
	return playoutEngine{p.Seed, cmp.Or(p.Games, defaultGames)}, nil
}

type playoutEngine struct {
	seed  uint64
	games int
}

func (e playoutEngine) Decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	if !budget.None() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, budget.Share)
		defer cancel()
	}
	board, err := boards.HavannahPosition(game)
	if err != nil {
		return hexproto.Decision{}, err
	}
	rated, err := Rate(ctx, board, e.games, boards.Seed(e.seed, game)+uint64(game.Turn)<<32)
	if err != nil {
		return hexproto.Decision{}, err
	}
	return hexproto.Decision{Move: rated[0].Move, Rated: rated[:min(len(rated), maxRated)]}, nil
}

// maxRated is how many rated moves a decision has.
const maxRated = 20

func (playoutEngine) Close() error { return nil }

// Rate rates each legal move by random games after it, best first. It plays fewer
// games if the context ends, but always a few.
func Rate(ctx context.Context, board *havannah.Board, games int, seed uint64) ([]wire.Rated, error) {
	sum, err := playout.RateUntil(ctx, board, playout.Options{Playouts: uint64(games), Seed: seed, Threads: 1})
	if err != nil {
		return nil, fmt.Errorf("random games: %w", err)
	}
	rated := make([]wire.Rated, len(sum))
	for i := range sum {
		rated[i] = wire.Rated{
			Move: board.Grid().Format(sum[i].Move), Value: sum[i].Score(), Work: int64(sum[i].Playouts()),
		}
	}
	slices.SortStableFunc(rated, func(a, b wire.Rated) int { return cmp.Compare(b.Value, a.Value) })
	return rated, nil
}
