package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// guestGame is a game of a guest: at its server somebody plays the other seat who
// makes the moves that are made here. All but seat is guarded by the visit.
type guestGame struct {
	visit *visit
	tag   string
	seat  int // the guest's

	id     string
	moves  []wire.Move // as the server has them
	result *wire.Result
}

// Open challenges the guest, again where it is busy, until it has accepted.
func (g *Guest) Open(ctx context.Context, game *wire.Game, seat int) (hexproto.Engine, error) {
	if slices.ContainsFunc(game.Moves, func(m wire.Move) bool { return m.Seat == seat }) {
		return nil, fmt.Errorf("bot %s plays at a server, where games have no opening", g.Name)
	}
	v, err := g.come(ctx)
	if err != nil {
		return nil, err
	}
	e := &guestGame{visit: v, tag: fmt.Sprintf("%s-%d-%d", game.Game, seat, time.Now().UnixNano()), seat: seat}
	v.mu.Lock()
	v.games[e.tag] = e
	v.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, g.patience())
	defer cancel()
	challenge := &wire.Challenge{Rules: game.Rules, Options: game.Options, Clock: game.Clock, Seat: []string{"second", "first"}[seat], To: v.name, Tag: e.tag}
	for {
		if _, err := v.client.Call(ctx, challenge); err != nil {
			e.forget()
			return nil, fmt.Errorf("challenge bot %s: %w", g.Name, err)
		}
		said := ""
		err := e.wait(ctx, func() bool {
			said = v.said[e.tag]
			delete(v.said, e.tag)
			return e.id != "" || said != ""
		})
		if err == nil && said == "" {
			return e, nil
		}
		if err == nil {
			select { // it has a pause between two games, or is busy
			case <-time.After(retryAfter):
				continue
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		e.forget()
		if said != "" {
			err = errors.New(said)
		}
		return nil, fmt.Errorf("bot %s does not accept a challenge: %w", g.Name, err)
	}
}

// retryAfter is how long a refused challenge waits.
const retryAfter = 50 * time.Millisecond

// forget takes the game off the visit's list.
func (e *guestGame) forget() {
	e.visit.mu.Lock()
	delete(e.visit.games, e.tag)
	e.visit.mu.Unlock()
}

// wait waits until something is so, which is looked at under the visit's lock.
func (e *guestGame) wait(ctx context.Context, so func() bool) error {
	for {
		e.visit.mu.Lock()
		wake, is, gone := e.visit.wake, so(), e.visit.gone
		e.visit.mu.Unlock()
		switch {
		case is:
			return nil
		case gone != nil:
			return gone
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Decide makes the other seat's moves at the server, and waits for the guest's.
func (e *guestGame) Decide(ctx context.Context, game *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
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

// follow makes the moves of the other seat that the server does not have yet.
func (e *guestGame) follow(ctx context.Context, game *wire.Game) error {
	for _, m := range game.Moves {
		if m.Seat == e.seat {
			continue
		}
		e.visit.mu.Lock()
		known := slices.ContainsFunc(e.moves, func(k wire.Move) bool { return k.Turn == m.Turn && k.Seat == m.Seat })
		e.visit.mu.Unlock()
		if known {
			continue
		}
		if _, err := e.visit.client.Call(ctx, &wire.Play{Game: e.id, Turn: m.Turn, Move: m.Move}); err != nil {
			return err
		}
	}
	return nil
}

// Over makes the last move, for the guest to see how it ended.
func (e *guestGame) Over(ctx context.Context, game *wire.Game) {
	if e.follow(ctx, game) == nil {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_ = e.wait(ctx, func() bool { return e.result != nil })
	}
}

// Close gives up what is not over.
func (e *guestGame) Close() error {
	e.visit.mu.Lock()
	over := e.result != nil || e.id == ""
	e.visit.mu.Unlock()
	defer e.forget()
	if over {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := e.visit.client.Call(ctx, &wire.Resign{Game: e.id})
	return err
}
