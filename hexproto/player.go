package hexproto

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// Player plays one kind of game, and knows its positions but neither messages nor clocks. [PlayerBot] makes a [Bot] of
// it. Open is called from many goroutines.
//
// A Player may also be a [CheckedPlayer], a [QuickPlayer], [Sized] and an [io.Closer]: its PlayerBot calls their
// methods.
type Player interface {
	// Open returns a decider for a game. It returns an error if the player cannot play it. The
	// context bounds Open only; the decider lives until it is closed.
	Open(ctx context.Context, at Position) (Decider, error)
}

// CheckedPlayer is a player that may be unable to play at all, as a [Checker] is. Check is called from many goroutines.
type CheckedPlayer interface{ Check() error }

// QuickPlayer is a player that plays some games in next to no time and memory, as a [QuickBot] does.
type QuickPlayer interface{ Quick(g game.Game) bool }

// Sized is a bot or player that knows how many bytes of memory a game takes, 0 if it does not know.
type Sized interface{ Bytes() int64 }

// Decider plays one seat of one game for a [Player]. It is called as an [Engine] is.
type Decider interface {
	// Decide returns the decision of the seat, which is to move. Within is the time for the move, 0 in a
	// game without clocks. When ctx ends time is up, too. After a takeback the position has fewer turns
	// than the last one.
	Decide(ctx context.Context, at Position, within time.Duration) (Decision, error)
	// Close frees the decider. No other call follows.
	Close() error
}

// PonderingDecider is a Decider that thinks in the opponent's time, as a [Ponderer] does.
type PonderingDecider interface {
	Ponder(ctx context.Context, at Position)
}

// DrawDecider is a Decider that answers offers of a draw.
type DrawDecider interface {
	// AcceptDraw reports whether to accept the opponent's offer. It is called when [Judge.Accept] is.
	AcceptDraw(ctx context.Context, at Position) bool
}

// Position is where a game stands, for the seat of a bot.
type Position struct {
	Game game.Game // may be read until the call ends
	Seat int
	Turn int    // turns played so far
	Seed uint64 // random seed of the game, another one in each
}

// PlayerBot is the bot of a player. It keeps the position of each game up to date with the moves, and divides the time.
type PlayerBot struct {
	Rules  game.Rules // the kind of game that the player knows
	Player Player
}

// Open returns an error for a game of other rules, and if the player does.
func (b PlayerBot) Open(ctx context.Context, state *wire.Game, seat int) (Engine, error) {
	e := &playerEngine{rules: b.Rules, seat: seat}
	at, err := e.follow(state)
	if err == nil {
		e.Decider, err = b.Player.Open(ctx, at)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Check returns why the player cannot play.
func (b PlayerBot) Check(context.Context, *wire.Game) error {
	if c, ok := b.Player.(CheckedPlayer); ok {
		return c.Check()
	}
	return nil
}

// Quick reports whether the player is quick.
func (b PlayerBot) Quick(_ string, g game.Game) bool {
	q, ok := b.Player.(QuickPlayer)
	return ok && q.Quick(g)
}

// Bytes returns the memory that a game of the player takes, 0 if it does not know.
func (b PlayerBot) Bytes() int64 {
	if m, ok := b.Player.(Sized); ok {
		return m.Bytes()
	}
	return 0
}

// Close closes the player.
func (b PlayerBot) Close() error {
	if c, ok := b.Player.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// playerEngine is a decider with the position of its game.
type playerEngine struct {
	Decider
	rules game.Rules
	seat  int
	game  game.Game   // nil if it has to be made again
	moves []wire.Move // moves that the game has
}

// follow returns the position of a state. It plays the moves that are new, or all of them if some were taken back.
func (e *playerEngine) follow(state *wire.Game) (at Position, err error) {
	if n := len(e.moves); e.game == nil || n > len(state.Moves) || !slices.Equal(e.moves, state.Moves[:n]) {
		if name := e.rules.About().Name; state.Rules != name {
			return at, fmt.Errorf("%s is not %s", state.Rules, name)
		}
		if e.game, err = e.rules.New(state.Options); err != nil {
			return at, &UnableError{err}
		}
		e.moves = nil
	}
	g, to := e.game, e.game.ToMove()
	turn := make([]string, len(to))
	e.game = nil // unless all moves are played
	for i := len(e.moves); i < len(state.Moves); i++ {
		m := state.Moves[i]
		if m.Seat < 0 || m.Seat >= len(to) || !to[m.Seat] {
			return at, fmt.Errorf("move %d, %s: it is not the turn of seat %d", i+1, m.Move, m.Seat)
		}
		turn[m.Seat], to[m.Seat] = m.Move, false
		if slices.Contains(to, true) {
			continue
		}
		if err := g.Play(turn); err != nil {
			return at, fmt.Errorf("move %d, %s: %w", i+1, m.Move, err)
		}
		clear(turn)
		to = g.ToMove()
	}
	e.game, e.moves = g, slices.Clone(state.Moves)
	h := fnv.New64a()
	h.Write([]byte(cmp.Or(state.Tag, state.Game)))
	return Position{g, e.seat, state.Turn, h.Sum64()}, nil
}

func (e *playerEngine) Decide(ctx context.Context, state *wire.Game, budget Budget) (Decision, error) {
	at, err := e.follow(state)
	if err != nil {
		return Decision{}, err
	}
	return e.Decider.Decide(ctx, at, budget.ForMove(at.Game))
}

func (e *playerEngine) Ponder(ctx context.Context, state *wire.Game) {
	p, ok := e.Decider.(PonderingDecider)
	if at, err := e.follow(state); ok && err == nil { // Decide returns the same error
		p.Ponder(ctx, at)
	}
}

func (e *playerEngine) Accept(ctx context.Context, state *wire.Game, offer string) bool {
	d, ok := e.Decider.(DrawDecider)
	at, err := e.follow(state)
	return ok && err == nil && offer == wire.OfferDraw && d.AcceptDraw(ctx, at)
}
