package nimbot

import (
	"context"
	"math/rand/v2"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/nim"
)

var (
	_    hexproto.CheckedPlayer = (*Minimax)(nil)
	_, _ hexproto.QuickPlayer   = (*Minimax)(nil), XOR{}
)

// XOR plays a move that wins by the XOR rule, or a random move if none does.
type XOR struct {
	Seed uint64
	// Slips is the share of turns in which it plays a random legal move: with 1 that is all it does.
	Slips float64
}

// Bot returns the bot of a player that knows Nim.
func Bot(p hexproto.Player) hexproto.Bot { return hexproto.PlayerBot{Rules: boards.Nim{}, Player: p} }

// Open returns the player itself.
func (x XOR) Open(context.Context, hexproto.Position) (hexproto.Decider, error) { return x, nil }

// Quick returns true.
func (XOR) Quick(game.Game) bool { return true }

// Decide draws a move, and plays it if it slips or no move wins.
func (x XOR) Decide(_ context.Context, at hexproto.Position, _ time.Duration) (hexproto.Decision, error) {
	board := boards.NimBoard(at.Game)
	if board.Over() {
		return hexproto.Decision{}, nim.ErrOver
	}
	rng, move := drawn(x.Seed, at)
	if best, wins := board.Rules().Best(board.Heaps()); wins && rng.Float64() >= x.Slips {
		move = best
	}
	return hexproto.Decision{Move: nim.OpenSpiel.Format(move)}, nil
}

// drawn returns the random choices of a turn, and a move by the first of them.
func drawn(seed uint64, at hexproto.Position) (*rand.Rand, nim.Move) {
	moves := boards.NimBoard(at.Game).AppendMoves(nil)
	rng := rand.New(rand.NewPCG(seed^at.Seed, uint64(at.Turn)))
	return rng, moves[rng.IntN(len(moves))]
}

// Close does nothing.
func (XOR) Close() error { return nil }
