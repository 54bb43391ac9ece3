package server

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// enginesAtOnce is how many of the server's bots think at a time.
var enginesAtOnce = max(1, runtime.GOMAXPROCS(0)/2)

// builtinMoveTime is what a bot of the server may take for a move.
const builtinMoveTime = 2 * time.Second

// driver plays a seat for a bot of the server.
type driver struct {
	s    *Server
	t    *table
	seat int
	wake chan struct{}
}

// addBuiltinBots gives the server's bots their accounts, which nobody has tokens of.
func (s *Server) addBuiltinBots() error {
	for i := range s.Bots {
		h := &s.Bots[i]
		a := s.accounts[key(h.Name)]
		if a == nil {
			a = newAccount(h.Name, true, firstRating, 0)
			if err := CheckName(h.Name); err != nil {
				return fmt.Errorf("bot %q: %w", h.Name, err)
			}
			s.accounts[key(h.Name)] = a
			var st step
			st.write(addAccount+` ON CONFLICT DO NOTHING`, a.name, nil, true, firstRating, now())
			s.store.do(st)
		}
		for _, other := range s.tokens {
			if other == a {
				return fmt.Errorf("bot %s: a player has its name", h.Name)
			}
		}
		a.builtin = h
	}
	return nil
}

// drive starts the drivers of a table's seats.
func (s *Server) drive(st *step, t *table) {
	for seat, a := range t.seats {
		if a.builtin != nil {
			t.drivers[seat] = &driver{s, t, seat, make(chan struct{}, 1)}
			s.drivers.Go(t.drivers[seat].run)
		}
	}
	s.wakeDrivers(st, t)
}

// wakeDrivers has the server's bots look at a game once a step is written.
func (s *Server) wakeDrivers(st *step, t *table) {
	for _, d := range t.drivers {
		if d != nil {
			st.after = append(st.after, func() {
				select {
				case d.wake <- struct{}{}:
				default:
				}
			})
		}
	}
}

// run plays until the game is over. A bot that fails resigns.
func (d *driver) run() {
	ctx, cancel := context.WithCancel(d.s.ctx)
	defer cancel()
	a := d.t.seats[d.seat]
	var engine hexproto.Engine
	for {
		select {
		case <-d.wake:
		case <-ctx.Done():
			return
		}
		state := d.state()
		if state.Result != nil {
			break
		}
		var err error
		if engine == nil {
			if engine, err = a.builtin.Bot.Open(ctx, state, d.seat); err == nil {
				defer engine.Close()
			}
		}
		if err == nil {
			err = d.act(ctx, engine, state)
		}
		if err != nil && ctx.Err() == nil {
			d.s.log.Error("a bot of the server fails", "error", err, "game", d.t.id, "bot", a.name)
			d.s.locked(func(st *step) { d.s.resign(st, a, &wire.Resign{Game: d.t.id}) })
			return
		}
	}
}

// state is the game as it stands, for the bot.
func (d *driver) state() *wire.Game {
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	return d.t.state(d.t.seats[d.seat], false)
}

// act answers offers and moves, if it is the bot's turn.
func (d *driver) act(ctx context.Context, engine hexproto.Engine, state *wire.Game) error {
	a := d.t.seats[d.seat]
	for _, o := range state.Offers {
		if o.Seat != d.seat {
			judge, ok := engine.(hexproto.Judge)
			// Taking back is for those who learn: the server's bots allow it.
			yes := o.Offer == wire.OfferTakeback || ok && judge.Accept(ctx, state, o.Offer)
			d.s.locked(func(st *step) { d.s.offer(st, a, &wire.Offer{Game: d.t.id, Offer: o.Offer, No: !yes}) })
		}
	}
	// One wake may stand for an offer and for the turn before it, so the bot goes
	// on with what its answers left.
	if len(state.Offers) > 0 {
		state = d.state()
	}
	if !slices.Contains(state.ToMove, d.seat) {
		return nil
	}
	select {
	case d.s.thinking <- struct{}{}:
		defer func() { <-d.s.thinking }()
	case <-ctx.Done():
		return nil
	}
	decision, err := d.decide(ctx, engine, state)
	if err != nil {
		return err
	}
	d.s.locked(func(st *step) {
		var e *wire.Error
		switch {
		case decision.Resign:
			e = d.s.resign(st, a, &wire.Resign{Game: d.t.id})
		default:
			e = d.s.play(st, a, &wire.Play{Game: d.t.id, Turn: state.Turn, Move: decision.Move}, time.Now())
			if len(decision.Rated) > 0 && e == nil {
				d.s.publish(st, a, &wire.Analysis{Game: d.t.id, Turn: state.Turn, Moves: decision.Rated})
			}
		}
		if e != nil && e.Code == wire.Illegal {
			err = e
		}
	})
	return err
}

func (d *driver) decide(ctx context.Context, engine hexproto.Engine, state *wire.Game) (hexproto.Decision, error) {
	budget := hexproto.NewBudget(state, d.seat, time.Now(), 0)
	limit := builtinMoveTime
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
