package hexproto

import (
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// Budget is the time that an engine has for a move, without the overhead of sending
// it. The zero value is that of a game without clocks.
type Budget struct {
	Left      time.Duration // until the clock runs out
	Increment time.Duration // added after the turn
	PerMove   time.Duration // the part of Left that cannot be saved for later turns
	Share     time.Duration // a fair share of Left, for engines without time management
	Overhead  time.Duration // lost in each turn; this turn's is deducted from Left
}

// None reports whether the game has no clocks.
func (b Budget) None() bool { return b.Left == 0 }

// plannedTurns is the number of turns to come for which Share saves time.
const plannedTurns = 20

// NewBudget returns the budget of a seat at a time of the server's clock. Overhead is
// the time that the turn takes outside of the engine. With clocks Left is never zero,
// which would mean a game without clocks.
func NewBudget(game *wire.Game, seat int, now time.Time, overhead time.Duration) Budget {
	if game.Clock.None() {
		return Budget{}
	}
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	b := Budget{Increment: ms(game.Clock.Increment), PerMove: ms(game.Clock.PerMove), Overhead: overhead}
	gone := overhead
	if of(game.Time.Running, seat) {
		gone += max(0, now.Sub(time.UnixMilli(of(game.Time.Since, seat))))
	}
	left := ms(of(game.Time.Left, seat))
	b.Left = max(left+b.PerMove-gone, minTime)
	b.PerMove = max(0, b.PerMove-gone)
	b.Share = max(min(b.Left, b.PerMove+b.Increment*3/4+left/plannedTurns), minTime)
	if game.Clock.Correspondence() {
		b.Left = min(b.Left, mostTime)
		b.Increment, b.PerMove, b.Share = 0, b.Left, b.Left
	}
	return b
}

const (
	minTime  = time.Millisecond
	mostTime = time.Minute // bounds an engine where people have days
)

// of returns the entry of a seat, or the zero value if the game's list lacks it.
func of[T any](list []T, seat int) (entry T) {
	if seat < len(list) {
		entry = list[seat]
	}
	return entry
}

// ForMove returns how long to think about a move of a seat, 0 without clocks. Where the rules bound the turns to come,
// it divides the time left evenly among them, and uses nearly all of the increment and of the time that cannot be
// saved. Most of these games end with half of the turns; the overhead of each turn is reserved for all. Elsewhere it
// is the budget's share.
func (b Budget) ForMove(g game.Game) time.Duration {
	bounded, ok := g.(game.Bounded)
	if b.None() || !ok {
		return b.Share
	}
	turns := float64(bounded.MaxTurns())
	expected := max(6, 0.5*turns)
	pool := float64(b.Left - b.PerMove)
	lost := float64(max(b.Overhead, minOverhead))
	pool = max(pool-lost*max(0, turns-1), pool/200)
	allowed := time.Duration(pool/expected) + b.Increment*9/10 + b.PerMove*95/100
	return min(allowed, b.Left*9/10)
}

// minOverhead is the time of a turn outside of the engine, at least.
const minOverhead = 3 * time.Millisecond
