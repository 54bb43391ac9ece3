package hexproto

import (
	"context"
	"fmt"
	"time"

	"gamebots/hexproto/wire"
)

// Bot plays any number of games at a time. Open is called from many goroutines.
type Bot interface {
	// Open returns an engine for a seat of a game as it stands. An error means
	// that the bot cannot play it: other rules, options that it does not know.
	// The context is that of opening; the engine lives until it is closed.
	Open(ctx context.Context, game *wire.Game, seat int) (Engine, error)
}

// Checker is a Bot that may not be able to play at all, as one that is another
// program or wants a GPU. Check says why not; game is one at its beginning, or nil
// if what will be played is not known.
type Checker interface {
	Check(ctx context.Context, game *wire.Game) error
}

// checkTimeout is how long a program may take to start and to answer.
const checkTimeout = time.Minute

// Check has a bot that may not be able to play say so. It is better known before
// any games than by losing them all.
func Check(ctx context.Context, b Bot, game *wire.Game) error {
	c, ok := b.(Checker)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, checkTimeout, fmt.Errorf("no answer within %v", checkTimeout))
	defer cancel()
	return c.Check(ctx, game)
}

// Engine plays one seat of one game. It is called from one goroutine at a time,
// but for Close, which may come at any time and ends what goes on. What it is
// given belongs to others and is not changed by them during the call.
type Engine interface {
	// Decide returns what the seat does in the game as it stands, where it is to
	// move. When ctx ends time is up.
	Decide(ctx context.Context, game *wire.Game, budget Budget) (Decision, error)
	// Close frees what the engine has. No other call follows.
	Close() error
}

// Budget is the time that an engine has, after the overhead of sending a move.
// All zero is a game without clocks.
type Budget struct {
	Left      time.Duration // for this turn at most; with it the clock is at zero
	Increment time.Duration // what is added after it
	PerMove   time.Duration // of Left, what is gone if it is not used
	Share     time.Duration // a fair share of it, for engines without a plan of their own
	Overhead  time.Duration // of every turn, of which Left has this one's
}

// None says whether there are no clocks.
func (b Budget) None() bool { return b.Left == 0 }

// plannedTurns is how many more turns a player plans for.
const plannedTurns = 20

// NewBudget is the time of a seat in a game, at a time of the server, of which
// overhead is lost on the way. It is never quite nothing: an engine that is given
// no time at all thinks for ever.
func NewBudget(game *wire.Game, seat int, now time.Time, overhead time.Duration) Budget {
	if game.Clock.None() {
		return Budget{}
	}
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	b := Budget{Increment: ms(game.Clock.Increment), PerMove: ms(game.Clock.PerMove), Overhead: overhead}
	gone := overhead
	if game.Time.Running[seat] {
		gone += max(0, now.Sub(time.UnixMilli(game.Time.Since[seat])))
	}
	left := ms(game.Time.Left[seat])
	b.Left = max(left+b.PerMove-gone, minTime)
	b.PerMove = max(0, b.PerMove-gone)
	b.Share = max(min(b.Left, b.PerMove+b.Increment*3/4+left/plannedTurns), minTime)
	return b
}

const minTime = time.Millisecond

// Decision is what an engine wants to do.
type Decision struct {
	Move   string // as the rules write it
	Resign bool   // instead of a move
	Draw   bool   // offer a draw with the move

	// Rated are the moves that were thought about, best first, if the engine
	// tells.
	Rated []wire.Rated
}

// Ponderer is an engine that thinks in the other's time.
type Ponderer interface {
	// Ponder thinks until ctx ends, or there is nothing more to find out; when ctx ends
	// it returns at once. Decide follows with a later state, or Close.
	Ponder(ctx context.Context, game *wire.Game)
}

// Judge is an engine that answers offers.
type Judge interface {
	// Accept says whether to accept an offer of the other player, "draw" or
	// "takeback". It is not asked while the engine decides or ponders.
	Accept(ctx context.Context, game *wire.Game, offer string) bool
}

// ResultObserver is an engine that is told how its game went, where somebody plays it
// without a server that would.
type ResultObserver interface {
	// Over is called once with the finished game, before Close.
	Over(ctx context.Context, game *wire.Game)
}
