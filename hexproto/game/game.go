package game

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"gamebots/hexproto/wire"
)

// Rules are a kind of game. All methods may be called at any time from any
// goroutine.
type Rules interface {
	// About describes the game to players. A server fills in Bots and Analyse.
	About() wire.Rules
	// New starts a game. Options are a JSON object or empty; an option that it
	// leaves out has its default. An error is shown to the challenger and names
	// the option.
	New(options json.RawMessage) (Game, error)
}

// Named returns the rules of a name among some, or nil.
func Named(rules []Rules, name string) Rules {
	if i := slices.IndexFunc(rules, func(r Rules) bool { return r.About().Name == name }); i >= 0 {
		return rules[i]
	}
	return nil
}

// Game is a game in progress, used by one goroutine at a time.
type Game interface {
	// Options returns all options of the game, as New reads them.
	Options() json.RawMessage
	// ToMove reports for each seat whether it has to move in this turn: one has, or
	// both if they move at once, none once the game is over. The list is the caller's.
	ToMove() []bool
	// Parse returns a move of a seat in its canonical form, legal or not.
	Parse(seat int, move string) (string, error)
	// Check returns a move of a seat that is to move in its canonical form, or
	// the reason why the move is illegal.
	Check(seat int, move string) (string, error)
	// Play plays a turn. Moves has the move of each seat to move, as Check
	// returned it.
	Play(moves []string) error
	// CanSwap reports whether "swap" is a legal move.
	CanSwap() bool
	// Result returns the end of a game, nil while the game goes on. Winner is -1
	// for a draw.
	Result() *wire.Result
	// Board returns the part of the position that never changes, View the part
	// that does.
	Board() *wire.Board
	View() *wire.View
	// Record writes the game in a format: "txt", or another one of the rules.
	// About has the names of the seats and the end of a game that the rules did
	// not end, such as a resignation. Record returns false for an unknown format.
	Record(format string, about *wire.Game) (string, bool)
}

// Dealer is implemented by Rules of games with chance, such as cards. Their New starts a
// game that only serves to check options: nothing in it may be played.
type Dealer interface {
	Rules
	// Deal starts a game whose chance comes from a secret seed of [SeedSize] bytes. The
	// same options, seed and moves always give the same game.
	Deal(options json.RawMessage, seed []byte) (Game, error)
}

// SeedSize is the size of a seed in bytes: too many to be guessed.
const SeedSize = 32

// Hidden is implemented by Games whose seats see different things. Their moves are
// public; what a seat knows beyond them is in its view. View is that of a spectator.
type Hidden interface {
	Game
	// ViewOf returns what a seat sees, or a spectator, whose seat is -1: all that is
	// under way, and what has ended in a turn from since on, or in any if that is -1.
	ViewOf(seat, since int) *wire.View
	// Idle returns a legal move for who is to move, and reports whether it is free: it gives up
	// nothing, such as a check. The server makes it for a seat whose player is away or has left, and for that of a
	// program whose time is up if it is free.
	Idle() (move string, free bool)
	// End returns the result if the game ends now. Gone are the seats that have left it, in
	// that order: none of them wins. How is that of the result.
	End(gone []int, how string) *wire.Result
}

// Poker is implemented by Games of poker, for lists.
type Poker interface {
	// Hand returns the hand that is played.
	Hand() *wire.PokerHand
}

// Restarter is implemented by Games that New takes long to start, because their options have much to
// read.
type Restarter interface {
	// Restart returns the game as New has returned it, before the first turn.
	Restart() Game
}

// Reader is implemented by Rules that read records of games which other programs have written.
type Reader interface {
	// Reads reports whether a text is surely a record of this kind. The first rules read what is of none surely.
	Reads(text string) bool
	// Read reads the first game of a text. An error is shown to people, unless it is [ErrOther] and others can read it.
	Read(text string) (*Foreign, error)
}

// Foreign is a game that was played elsewhere.
type Foreign struct {
	// Game is the game before its first move where Options do not tell that, as the cards of poker, else nil. It is a
	// [Restarter].
	Game     Game
	Options  json.RawMessage
	Moves    []string // legal ones in their order, each by who is to move
	Players  []string // names by seat, "" for one who has none
	Resigned int      // the seat that resigned, or -1
	Record   string   // a text from which Read reads the same
}

// ErrOther is the error of a [Reader] for a record of another game of its kind.
var ErrOther = errors.New("it is of no game that is played here: one has the name in its first line, or the players, " +
	"cards, blinds, bets and stacks of its hands")

// Measured is implemented by Games that may take more than [DefaultBytes] of memory, so that
// a server can bound what its games take.
type Measured interface {
	// Bytes returns about how many bytes of memory the game takes until its end, at most,
	// with [MoveBytes] for each of its moves.
	Bytes() int
}

// The bytes of memory that servers count for a game that is not [Measured], and for a move.
const (
	DefaultBytes = 16 << 10
	MoveBytes    = 56
)

// Sized is implemented by Games whose players have a rating for each size of the board.
type Sized interface {
	Size() int
}

// Bounded is implemented by Games whose rules bound the turns to come.
type Bounded interface {
	// MaxTurns returns how many turns a seat that is to move has left at most, with this one.
	MaxTurns() int
}

// Rated is a move with its value.
type Rated = wire.Rated

// The proofs of a [Rated] move.
const (
	ProvedWin  = wire.ProvedWin
	ProvedLoss = wire.ProvedLoss
	ProvedDraw = wire.ProvedDraw
)

// Analyst is implemented by Rules that can rate moves.
type Analyst interface {
	// Methods names the methods of Analyse, the default first.
	Methods() []string
	// Analyse rates the moves of a position by one of the methods, best first. It stops
	// when the context ends, with what it has found until then.
	Analyse(ctx context.Context, game Game, method string) ([]Rated, error)

	// Outline returns what there is to analyse in a position, such as the stones on the board, in a few
	// hundred bytes. A server may keep it of many games.
	Outline(game Game) string
	// Helps reports whether an analysis of a studied position would help in a game that has come to a played
	// one, both as Outline returns them, because they are the same or nearly so.
	Helps(studied, played string) bool
}
