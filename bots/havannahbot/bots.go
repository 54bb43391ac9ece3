package havannahbot

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/playout"
)

// Random plays a random legal move.
type Random struct{ Seed uint64 }

var (
	_, _, _ hexproto.CheckedPlayer = Best{}, Gumbel{}, MCTS{}
	_, _    hexproto.Sized         = Best{}, MCTS{}
	_       hexproto.QuickPlayer   = Random{}
)

// Playouts plays the move that wins most random games.
type Playouts struct {
	Seed  uint64
	Games int // after each move; 0 is 256
}

const defaultGames = 256

// Bot returns the bot of a player that knows Havannah.
func Bot(p hexproto.Player) hexproto.Bot {
	return hexproto.PlayerBot{Rules: boards.Havannah{}, Player: p}
}

// Open returns the player itself.
func (r Random) Open(context.Context, hexproto.Position) (hexproto.Decider, error) { return r, nil }

// Quick returns true.
func (Random) Quick(game.Game) bool { return true }

// Decide draws a move.
func (r Random) Decide(_ context.Context, at hexproto.Position, _ time.Duration) (hexproto.Decision, error) {
	board := boards.HavannahBoard(at.Game)
	moves := board.AppendMoves(nil)
	if len(moves) == 0 {
		return hexproto.Decision{}, havannah.ErrOver
	}
	rng := rand.New(rand.NewPCG(r.Seed^at.Seed, uint64(at.Turn)))
	return hexproto.Decision{Move: board.Grid().Format(moves[rng.IntN(len(moves))])}, nil
}

// Close does nothing.
func (Random) Close() error { return nil }

// Open returns the player itself.
func (p Playouts) Open(context.Context, hexproto.Position) (hexproto.Decider, error) { return p, nil }

// Decide plays the games, or fewer within a time.
func (p Playouts) Decide(ctx context.Context, at hexproto.Position, within time.Duration) (hexproto.Decision, error) {
	ctx, cancel := limited(ctx, within)
	defer cancel()
	rated, err := Rate(ctx, boards.HavannahBoard(at.Game), cmp.Or(p.Games, defaultGames),
		(p.Seed^at.Seed)+uint64(at.Turn)<<32)
	if err != nil {
		return hexproto.Decision{}, err
	}
	return hexproto.Decision{Move: rated[0].Move, Rated: rated[:min(len(rated), maxRated)]}, nil
}

// limited returns a context that ends within a time, if that is not 0.
func limited(ctx context.Context, within time.Duration) (context.Context, context.CancelFunc) {
	if within == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, within)
}

// maxRated is how many rated moves a decision has.
const maxRated = 20

// Close does nothing.
func (Playouts) Close() error { return nil }

// Rate rates each legal move by random games after it, best first. It plays fewer
// games if the context ends, but always a few.
func Rate(ctx context.Context, board *havannah.Board, games int, seed uint64) ([]game.Rated, error) {
	sum, err := playout.RateUntil(ctx, board, playout.Options{Playouts: uint64(games), Seed: seed, Threads: 1})
	if err != nil {
		return nil, fmt.Errorf("random games: %w", err)
	}
	rated := make([]game.Rated, len(sum))
	for i := range sum {
		rated[i] = game.Rated{
			Move: board.Grid().Format(sum[i].Move), Value: sum[i].Score(), Work: int64(sum[i].Playouts()),
		}
	}
	slices.SortStableFunc(rated, func(a, b game.Rated) int { return cmp.Compare(b.Value, a.Value) })
	return rated, nil
}
