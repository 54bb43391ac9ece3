package hexproto

import (
	"context"
	"fmt"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// Bot plays any number of games at a time. Open is called from many goroutines.
type Bot interface {
	// Open returns an engine for a seat of a game as it stands. It returns an error
	// if the bot cannot play the game, because of its rules or options. The context
	// bounds Open only; the engine lives until it is closed.
	Open(ctx context.Context, game *wire.Game, seat int) (Engine, error)
}

// UnableError is the error of a bot that cannot do what a game asks of it, such as to play
// on a board of its size. Another attempt would not change that.
type UnableError struct{ Err error }

func (e *UnableError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UnableError) Unwrap() error { return e.Err }

// Checker is implemented by bots that may be unable to play at all, because they need
// another program or a GPU.
type Checker interface {
	// Check returns why the bot cannot play. Game is a game at its start, or nil if
	// the game is not known yet.
	Check(ctx context.Context, game *wire.Game) error
}

// checkTimeout is how long a bot may take to check itself.
const checkTimeout = time.Minute

// Check returns why a bot cannot play, if it is a Checker. Callers check bots before
// the first game, rather than lose all games.
func Check(ctx context.Context, b Bot, game *wire.Game) error {
	c, ok := b.(Checker)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, checkTimeout, fmt.Errorf("no answer within %v", checkTimeout))
	defer cancel()
	return c.Check(ctx, game)
}

// Engine plays one seat of one game. It is called from one goroutine at a time, except
// for Close, which may be called at any time and ends other calls. An engine does not
// modify the games that it is given.
type Engine interface {
	// Decide returns the decision of the seat, which is to move. When ctx ends time
	// is up.
	Decide(ctx context.Context, game *wire.Game, budget Budget) (Decision, error)
	// Close frees the engine. No other call follows.
	Close() error
}

// Decision is an engine's answer.
type Decision struct {
	Move   string // as the rules write it
	Resign bool   // instead of a move
	Draw   bool   // offer a draw with the move

	// Rated are the moves that the engine has rated, best first. It may be empty.
	Rated []wire.Rated
}

// Ponderer is an engine that thinks in the opponent's time.
type Ponderer interface {
	// Ponder thinks until ctx ends, or returns earlier if there is nothing left to
	// search. Decide follows with a later state, or Close.
	Ponder(ctx context.Context, game *wire.Game)
}

// Judge is an engine that answers offers.
type Judge interface {
	// Accept reports whether to accept an offer of the opponent: "draw" or
	// "takeback". It is not called during Decide or Ponder.
	Accept(ctx context.Context, game *wire.Game, offer string) bool
}

// ByRules is a bot that plays several games. It has a bot for the name of each
// game's rules.
type ByRules map[string]Bot

var _ interface {
	Bot
	QuickBot
} = ByRules{}

// Quick reports whether the bot of the rules is quick.
func (b ByRules) Quick(rules string, g game.Game) bool { return Quick(b[rules], rules, g) }

// Open opens the game with the bot of its rules.
func (b ByRules) Open(ctx context.Context, game *wire.Game, seat int) (Engine, error) {
	bot, ok := b[game.Rules]
	if !ok {
		return nil, fmt.Errorf("%s is not one of the games that this bot plays", game.Rules)
	}
	return bot.Open(ctx, game, seat)
}

// QuickBot is a bot that plays some games in next to no time and memory. A server does
// not make them wait for those that search.
type QuickBot interface {
	// Quick reports whether opening a game of these rules and each decision in it take a
	// millisecond or so. It only reads the game.
	Quick(rules string, g game.Game) bool
}

// Quick reports whether a bot is a QuickBot that plays a game quickly.
func Quick(b Bot, rules string, g game.Game) bool {
	q, ok := b.(QuickBot)
	return ok && q.Quick(rules, g)
}
