package server

import (
	"context"
	"encoding/json"

	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// Rules are a kind of game. All methods may be called at any time from any
// goroutine.
type Rules interface {
	// About says what players need to know beforehand. Bots and Analyse are
	// filled in by the server.
	About() wire.Rules
	// New starts a game. Options are a JSON object or empty; what it leaves out
	// has its default. An error is for the challenger and names the option.
	New(options json.RawMessage) (Game, error)
}

// Game is a game in progress, used by one goroutine at a time.
type Game interface {
	// Options are all of the game's, as New reads them.
	Options() json.RawMessage
	// ToMove says which seats have to move in this turn: one, both if they move
	// at once, none once the game is over.
	ToMove() [2]bool
	// Check returns a move of a seat that is to move as the rules write it, or
	// why it is not legal.
	Check(seat int, move string) (string, error)
	// Play plays a turn: for each seat to move its move, as Check returned it.
	Play(moves [2]string) error
	// CanSwap says whether "swap" is a legal move.
	CanSwap() bool
	// Result is the end of a game; Winner is -1 for nobody. It is nil while the
	// game goes on.
	Result() *wire.Result
	// Board is the fixed part of the picture, View what changes of it.
	Board() *wire.Board
	View() *wire.View
	// Record writes the game down in a format: "txt", or others of the rules.
	// Seats and end, which the rules do not know, are in about. It is false for a
	// format that there is not.
	Record(format string, about *wire.Game) (string, bool)
}

// Analyst is Rules that can rate moves.
type Analyst interface {
	// Analyse rates the moves of a position, best first, and stops when the
	// context ends.
	Analyse(ctx context.Context, game Game) (by string, moves []wire.Rated, err error)
}

// House is a bot of the server.
type House struct {
	Name  string
	Rules []string // that it plays
	Bot   hexproto.Bot
}
