package server

import (
	"context"
	"errors"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/server/internal/limit"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

const (
	// maxMoveTime is how long a bot of the server may think about a move while no other
	// bot waits, and how long it may take to open a game. minMoveTime is how long it may
	// think however many wait.
	maxMoveTime = time.Second
	minMoveTime = 100 * time.Millisecond
	// fixedMoveTime is that of bots whose work is fixed, and bounds it on the largest boards.
	fixedMoveTime = 5 * time.Second
	// maxWaiting is how many bots may wait for their turn, for each that thinks,
	// before no more games with them begin.
	maxWaiting = 64
	// busyRetry is when to try again then.
	busyRetry = 5 * time.Second
)

// botPlayer plays a seat for a bot of the server, in a goroutine of its own.
type botPlayer struct {
	core   *core
	table  tableRef
	seats  players
	seat   int
	wake   chan struct{}
	engine *engines.Seat
	quick  bool // decides in no time, so it does not wait for its turn
}

// startBots starts the server's bots of a game.
func (t *table) startBots(tx *transaction) {
	t.bots = make([]*botPlayer, len(t.seats))
	for seat, a := range t.seats {
		if a.builtin == nil {
			continue
		}
		p := &botPlayer{core: t.core, table: t.ref(), seats: t.seats, seat: seat, wake: make(chan struct{}, 1)}
		p.quick = hexproto.Quick(a.builtin.Bot, t.rulesName, t.game)
		p.engine = t.core.memory.Seat(a.builtin.Memory,
			func(ctx context.Context, state *wire.Game) (hexproto.Engine, error) {
				ctx, cancel := context.WithTimeout(ctx, maxMoveTime)
				defer cancel()
				return a.builtin.Bot.Open(ctx, state, seat)
			})
		t.bots[seat] = p
		t.core.players.Go(p.run)
	}
	t.wakeBots(tx)
}

// run plays until the game is over. A game in which the bot fails is aborted: it would
// be a cheap win.
func (p *botPlayer) run() {
	defer p.recovered()
	ctx, cancel := context.WithCancel(p.core.ctx)
	defer cancel()
	defer p.engine.Close()
	for parallel.Wait(ctx, p.wake) == nil {
		state := p.state()
		if state.Result != nil {
			return
		}
		if err := p.act(ctx, state); err != nil && ctx.Err() == nil {
			a := p.seats[p.seat]
			p.core.log.Error("a bot of the server fails", "error", err, "game", state.Game, "bot", a.name)
			p.core.locked(func(tx *transaction) {
				if t := p.table.Under(&tx.games); t.result == nil {
					t.end(tx, t.aborted(a.name+" failed"))
				}
			})
			return
		}
	}
}

// recovered gives the game up if the goroutine panics, when it is deferred.
func (p *botPlayer) recovered() {
	if fault := recover(); fault != nil {
		p.core.locked(func(tx *transaction) {
			t := p.table.Under(&tx.games)
			p.core.failed(t, fault)
			t.giveUp(tx)
		})
	}
}

// state returns the game as the bot sees it.
func (p *botPlayer) state() *wire.Game {
	return parallel.Get(&p.core.state, func(st *state) *wire.Game {
		t := p.table.Under(&st.games)
		if t.asleep() { // its bots are woken with it
			return &wire.Game{Game: t.id, Result: t.result}
		}
		return t.state(p.seat, false)
	})
}

// act answers offers, and moves if it is the bot's turn. A bot does not think about a
// game without clocks while its opponent is away.
func (p *botPlayer) act(ctx context.Context, state *wire.Game) error {
	// The server's bots allow takebacks, for those who learn.
	if slices.ContainsFunc(state.Offers,
		func(o wire.Standing) bool { return o.Seat != p.seat && o.Offer == wire.OfferTakeback }) {
		p.answer(wire.OfferTakeback, true)
		state = p.state()
	}
	if !p.wanted(state) {
		return nil
	}
	share := 1.0
	if !p.quick {
		part, done, err := p.core.turns.Wait(ctx, p.seats.person(state.Gone), !state.Clock.None())
		if err != nil {
			return err
		}
		defer done()
		share = part
		if state = p.state(); !p.wanted(state) {
			return nil
		}
	}
	engine, err := p.engine.Use(ctx, state)
	if err != nil {
		return err
	}
	defer p.engine.Rest()
	// One wake may stand for an offer and for the turn before it, so the bot goes on
	// with the state that its answer left.
	if drawOffered(state, p.seat) {
		judge, ok := engine.(hexproto.Judge)
		p.answer(wire.OfferDraw, ok && judge.Accept(ctx, state, wire.OfferDraw))
		state = p.state()
	}
	if !slices.Contains(state.ToMove, p.seat) {
		return nil
	}
	return p.move(ctx, engine, state, share)
}

// wanted reports whether the game waits for the bot, and its opponent for the game.
func (p *botPlayer) wanted(state *wire.Game) bool {
	return (slices.Contains(state.ToMove, p.seat) || drawOffered(state, p.seat)) &&
		(!state.Clock.None() || p.seats.attended(state.Present, state.Gone))
}

// drawOffered reports whether a seat's opponent offers a draw.
func drawOffered(state *wire.Game, seat int) bool {
	return slices.ContainsFunc(state.Offers,
		func(o wire.Standing) bool { return o.Seat != seat && o.Offer == wire.OfferDraw })
}

// payers returns who pays for what the bot does: a person at the table.
func (p *botPlayer) payers(gone []int) []limit.Payer {
	if person := p.seats.person(gone); person != nil {
		return []limit.Payer{person.payer()}
	}
	return nil
}

// answer answers an offer of the opponent.
func (p *botPlayer) answer(offer string, yes bool) {
	p.core.locked(func(tx *transaction) {
		t := p.table.Under(&tx.games)
		tx.payers = p.payers(t.gone)
		_ = tx.games.offer(tx, p.seats[p.seat], &wire.Offer{Game: t.id, Offer: offer, No: !yes})
	})
}

// move thinks for a share of the usual time, and moves.
func (p *botPlayer) move(ctx context.Context, engine hexproto.Engine, state *wire.Game, share float64) error {
	decision, err := p.decide(ctx, engine, state, share)
	if err != nil {
		return err
	}
	current := func(gs *games) *position { return &p.table.Under(gs).position }
	shown := len(decision.Rated) > 0 && !state.Rated && !p.core.helped(state.Rules, current)
	p.core.locked(func(tx *transaction) {
		tx.game = p.table
		t := p.table.Under(&tx.games)
		tx.payers = p.payers(t.gone)
		switch {
		case t.result != nil || t.hasLeft(p.seat) || t.asleep():
		case decision.Resign:
			t.leave(tx, p.seat, wire.Resigned)
		default:
			e := t.playMove(tx, p.seat, &wire.Play{Game: t.id, Turn: state.Turn, Move: decision.Move}, clock())
			if shown && e == nil && t.result == nil && p.core.showsTooMuch(t.id, tx.payers) == nil {
				t.publish(tx, t.seats[p.seat], &wire.Analysis{Game: t.id, Turn: state.Turn, Moves: decision.Rated})
			}
			if e != nil && e.Code == wire.Illegal {
				err = e
			}
		}
	})
	return err
}

func (p *botPlayer) decide(ctx context.Context, engine hexproto.Engine, state *wire.Game,
	share float64) (hexproto.Decision, error) {
	budget := hexproto.NewBudget(state, p.seat, time.UnixMilli(now()), 0)
	limit := max(minMoveTime, time.Duration(share*float64(maxMoveTime)))
	if p.seats[p.seat].builtin.Fixed {
		limit = fixedMoveTime
	}
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

// botLimit returns an error if an account may not begin another game with one of the
// server's bots.
func (gs *games) botLimit(a, bot *account) *wire.Error {
	n := 0
	for game := range a.tables {
		if game.Under(gs).withBots() {
			n++
		}
	}
	if n >= gs.limits.BotGames {
		return refusal(wire.TooMany, "",
			"%s plays %d games with bots of the server, the limit: finish or resign one", a.name, n)
	}
	if gs.turns.Waiting() >= maxWaiting*engines.MaxThinking() {
		busy := refusal(wire.Refused, "", "%s and the other bots of the server are busy just now", bot.name)
		return later(busyRetry, busy)
	}
	return nil
}
