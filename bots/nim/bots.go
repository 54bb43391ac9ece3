package nim

import (
	"context"
	"math/rand/v2"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/nim"
	"gamebots/hexproto/wire"
)

// Random plays a random legal move.
type Random struct{ Seed uint64 }

// XOR plays a move that wins by the XOR rule, or a random move if none does.
type XOR struct {
	Seed uint64
	// Slips is the share of turns in which it plays a random move.
	Slips float64
}

var (
	_ hexproto.Bot      = Random{}
	_ hexproto.QuickBot = Random{}
	_ hexproto.Bot      = XOR{}
	_ hexproto.QuickBot = XOR{}
)

// Open returns an error for a game that is not Nim.
func (r Random) Open(_ context.Context, game *wire.Game, _ int) (hexproto.Engine, error) {
	_, err := boards.NimPosition(game)
	return engine{r.Seed, 1}, err
}

// Open returns an error for a game that is not Nim.
func (x XOR) Open(_ context.Context, game *wire.Game, _ int) (hexproto.Engine, error) {
	_, err := boards.NimPosition(game)
	return engine{x.Seed, x.Slips}, err
}

// Quick returns true.
func (Random) Quick(*wire.Game) bool { return true }

// Quick returns true.
func (XOR) Quick(*wire.Game) bool { return true }

type engine struct {
	seed  uint64
	slips float64 // the share of turns with a random move
}

func (e engine) Decide(_ context.Context, game *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	board, err := boards.NimPosition(game)
	if err != nil {
		return hexproto.Decision{}, err
	}
	moves := board.AppendMoves(nil)
	if len(moves) == 0 {
		return hexproto.Decision{}, nim.ErrOver
	}
	rng := rand.New(rand.NewPCG(boards.Seed(e.seed, game), uint64(game.Turn)))
	move := moves[rng.IntN(len(moves))]
	if best, wins := board.Rules().Best(board.Heaps()); wins && rng.Float64() >= e.slips {
		move = best
	}
	return hexproto.Decision{Move: nim.OpenSpiel.Format(move)}, nil
}

func (engine) Close() error { return nil }
