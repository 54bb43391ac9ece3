package server

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// maxThinking is how many of the server's bots think at a time.
var maxThinking = max(1, runtime.GOMAXPROCS(0)/2)

// maxMoveTime is how long a bot of the server may think about a move.
const maxMoveTime = 2 * time.Second

// botPlayer plays a seat for a bot of the server, in a goroutine of its own.
type botPlayer struct {
	games *games
	table *table
	seat  int
	wake  chan struct{}
}

// startBots starts the server's bots of a game.
func (t *table) startBots(tx *transaction) {
	for seat, a := range t.seats {
		if a.builtin != nil {
			t.bots[seat] = &botPlayer{t.games, t, seat, make(chan struct{}, 1)}
			t.games.players.Go(t.bots[seat].run)
		}
	}
	t.wakeBots(tx)
}

// wakeBots has the server's bots look at the game once the transaction is stored.
func (t *table) wakeBots(tx *transaction) {
	for _, p := range t.bots {
		if p != nil {
			tx.after = append(tx.after, func() {
				select {
				case p.wake <- struct{}{}:
				default:
				}
			})
		}
	}
}

// run plays until the game is over. A bot that fails resigns; the game of one that
// panics is aborted.
func (p *botPlayer) run() {
	defer func() {
		if fault := recover(); fault != nil {
			p.games.failed(p.table, fault)
			p.games.locked(p.table.giveUp)
		}
	}()
	ctx, cancel := context.WithCancel(p.games.ctx)
	defer cancel()
	a := p.table.seats[p.seat]
	var engine hexproto.Engine
	for {
		select {
		case <-p.wake:
		case <-ctx.Done():
			return
		}
		state := p.state()
		if state.Result != nil {
			break
		}
		var err error
		if engine == nil {
			if engine, err = a.builtin.Bot.Open(ctx, state, p.seat); err == nil {
				defer engine.Close()
			}
		}
		if err == nil {
			err = p.act(ctx, engine, state)
		}
		if err != nil && ctx.Err() == nil {
			p.games.log.Error("a bot of the server fails", "error", err, "game", p.table.id, "bot", a.name)
			p.games.locked(func(tx *transaction) { p.games.resign(tx, a, &wire.Resign{Game: p.table.id}) })
			return
		}
	}
}

// state returns the game as the bot sees it.
func (p *botPlayer) state() *wire.Game {
	p.games.mu.Lock()
	defer p.games.mu.Unlock()
	return p.table.state(p.table.seats[p.seat], false)
}

// act answers offers, and moves if it is the bot's turn.
func (p *botPlayer) act(ctx context.Context, engine hexproto.Engine, state *wire.Game) error {
	a, id := p.table.seats[p.seat], p.table.id
	for _, o := range state.Offers {
		if o.Seat != p.seat {
			judge, ok := engine.(hexproto.Judge)
			// The server's bots allow takebacks, for those who learn.
			yes := o.Offer == wire.OfferTakeback || ok && judge.Accept(ctx, state, o.Offer)
			p.games.locked(func(tx *transaction) {
				p.games.offer(tx, a, &wire.Offer{Game: id, Offer: o.Offer, No: !yes})
			})
		}
	}
	// One wake may stand for an offer and for the turn before it, so the bot goes
	// on with the state that its answers left.
	if len(state.Offers) > 0 {
		state = p.state()
	}
	if !slices.Contains(state.ToMove, p.seat) {
		return nil
	}
	select {
	case p.games.thinking <- struct{}{}:
		defer func() { <-p.games.thinking }()
	case <-ctx.Done():
		return nil
	}
	decision, err := p.decide(ctx, engine, state)
	if err != nil {
		return err
	}
	p.games.locked(func(tx *transaction) {
		var e *wire.Error
		switch {
		case decision.Resign:
			e = p.games.resign(tx, a, &wire.Resign{Game: id})
		default:
			e = p.games.play(tx, a, &wire.Play{Game: id, Turn: state.Turn, Move: decision.Move}, clock())
			if len(decision.Rated) > 0 && e == nil {
				p.games.publish(tx, a, &wire.Analysis{Game: id, Turn: state.Turn, Moves: decision.Rated})
			}
		}
		if e != nil && e.Code == wire.Illegal {
			err = e
		}
	})
	return err
}

func (p *botPlayer) decide(ctx context.Context, engine hexproto.Engine, state *wire.Game) (hexproto.Decision, error) {
	budget := hexproto.NewBudget(state, p.seat, time.UnixMilli(now()), 0)
	limit := maxMoveTime
	if !budget.None() {
		limit = min(limit, budget.Share)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	decision, err := engine.Decide(ctx, state, budget)
	if err == nil && decision.Move == "" && !decision.Resign {
		err = errors.New("no move")
	}
	return decision, err
}
