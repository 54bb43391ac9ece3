package serverbot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// engine is one game of the program. At the server, this process plays the other
// seat, with the moves of the game that the engine is asked about.
type engine struct {
	conn *connection
	tag  string
	seat int // the program's

	// Guarded by the connection's lock.
	id     string
	moves  []wire.Move // as the server has them
	result *wire.Result
}

// Open challenges the program until it accepts.
func (b *Bot) Open(ctx context.Context, game *wire.Game, seat int) (hexproto.Engine, error) {
	if slices.ContainsFunc(game.Moves, func(m wire.Move) bool { return m.Seat == seat }) {
		return nil, fmt.Errorf("bot %s plays at a server, where games have no opening", b.Name)
	}
	c, err := b.connect(ctx)
	if err != nil {
		return nil, err
	}
	e := &engine{conn: c, tag: fmt.Sprintf("%s-%d-%d", game.Game, seat, time.Now().UnixNano()), seat: seat}
	c.mu.Lock()
	c.games[e.tag] = e
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, b.patience())
	defer cancel()
	challenge := &wire.Challenge{
		Rules: game.Rules, Options: game.Options, Clock: game.Clock,
		Seat: []string{"second", "first"}[seat], To: c.name, Tag: e.tag,
	}
	for {
		if _, err := c.client.Call(ctx, challenge); err != nil {
			e.forget()
			return nil, fmt.Errorf("challenge bot %s: %w", b.Name, err)
		}
		declined := ""
		err := e.wait(ctx, func() bool {
			declined = c.declined[e.tag]
			delete(c.declined, e.tag)
			return e.id != "" || declined != ""
		})
		if err == nil && declined == "" {
			return e, nil
		}
		if err == nil {
			select { // it pauses between games, or is busy
			case <-time.After(retryAfter):
				continue
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		e.forget()
		if declined != "" {
			err = errors.New(declined)
		}
		return nil, fmt.Errorf("bot %s does not accept a challenge: %w", b.Name, err)
	}
}

// retryAfter is the pause before a declined challenge is repeated.
const retryAfter = 50 * time.Millisecond

// forget removes the game from the connection.
func (e *engine) forget() {
	e.conn.mu.Lock()
	delete(e.conn.games, e.tag)
	e.conn.mu.Unlock()
}

// wait waits until a condition holds, which it evaluates under the connection's
// lock.
func (e *engine) wait(ctx context.Context, condition func() bool) error {
	for {
		e.conn.mu.Lock()
		changed, holds, lost := e.conn.changed, condition(), e.conn.lost
		e.conn.mu.Unlock()
		switch {
		case holds:
			return nil
		case lost != nil:
			return lost
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Decide plays the other seat's moves at the server, and waits for the program's
// move.
func (e *engine) Decide(ctx context.Context, game *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	if err := e.follow(ctx, game); err != nil {
		return hexproto.Decision{}, err
	}
	var d hexproto.Decision
	var result *wire.Result
	err := e.wait(ctx, func() bool {
		for _, m := range e.moves {
			if m.Turn == game.Turn && m.Seat == e.seat {
				d.Move = m.Move
			}
		}
		result = e.result
		return d.Move != "" || result != nil
	})
	switch {
	case err != nil || d.Move != "":
		return d, err
	case result.Winner == 1-e.seat && result.How == wire.Resigned:
		return hexproto.Decision{Resign: true}, nil
	}
	return d, fmt.Errorf("the game at the server has ended: %s", result.How)
}

// follow plays the moves of the other seat that the server does not have yet.
func (e *engine) follow(ctx context.Context, game *wire.Game) error {
	for _, m := range game.Moves {
		if m.Seat == e.seat {
			continue
		}
		e.conn.mu.Lock()
		known := slices.ContainsFunc(e.moves, func(k wire.Move) bool { return k.Turn == m.Turn && k.Seat == m.Seat })
		e.conn.mu.Unlock()
		if known {
			continue
		}
		if _, err := e.conn.client.Call(ctx, &wire.Play{Game: e.id, Turn: m.Turn, Move: m.Move}); err != nil {
			return err
		}
	}
	return nil
}

// Over plays the last move at the server, so that the program sees the result.
func (e *engine) Over(ctx context.Context, game *wire.Game) {
	if e.follow(ctx, game) == nil {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_ = e.wait(ctx, func() bool { return e.result != nil })
	}
}

// Close resigns a game that is not over.
func (e *engine) Close() error {
	e.conn.mu.Lock()
	over := e.result != nil || e.id == ""
	e.conn.mu.Unlock()
	defer e.forget()
	if over {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := e.conn.client.Call(ctx, &wire.Resign{Game: e.id})
	return err
}
