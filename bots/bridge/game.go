package bridge

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// game is a game that the bridge plays. Apart from its state, it belongs to the
// goroutine of run.
type game struct {
	b        *Bridge
	id, tag  string
	seat     int
	opponent string
	log      *slog.Logger
	state    *gameState

	engine   hexproto.Engine // nil while none is open
	failures int             // engines that have failed
	task     *task           // the engine's present work, or nil
	decision *decision       // to be sent or acknowledged, or nil
	sent     chan error      // the answer to the decision, or nil

	request   chan error // the answer to the last request for a state, or nil
	requested request    // the reason of that request
	answered  map[wire.Standing]bool
	greeted   bool
	abort     *time.Timer       // runs while the opponent's first move is awaited
	hopeless  int               // decisions in a row with a value below the limit
	last      hexproto.Decision // for questions in the chat
}

// request is a reason to request a state. There is one request for each reason in
// each connection.
type request struct{ staleCount, connection int }

// decision is an engine's decision, which is sent once.
type decision struct {
	on       *wire.Game
	received int  // full states when it was sent last, -1 before
	abort    bool // instead of a resignation
	hexproto.Decision
}

func newGame(b *Bridge, m *wire.Game) *game {
	opponent := m.Seats[0].Name // the first one, if there are several
	if m.You == 0 {
		opponent = m.Seats[1].Name
	}
	g := &game{
		b: b, id: m.Game, tag: m.Tag, seat: m.You, opponent: opponent,
		log:      b.Log.With("game", m.Game, "against", opponent),
		state:    &gameState{make(chan struct{}, 1), parallel.Guard(snapshot{game: m})},
		answered: map[wire.Standing]bool{},
	}
	g.log.Info("game", "seat", g.seat, "tag", g.tag, "options", m.Options)
	return g
}

// run plays until the game ends, or the bridge.
func (g *game) run() {
	defer g.close()
	for {
		now := g.state.take()
		settings, connection := g.b.current()
		if now.game.Result != nil && !now.stale {
			g.finish(now.game, &settings)
			return
		}
		g.talk(now.lines, now.game, &settings)
		if r := (request{now.staleCount, connection}); now.stale && g.request == nil && g.requested != r {
			g.requested = r
			g.requestState()
		}
		g.act(now, &settings)
		if !g.wait() {
			return
		}
	}
}

// wait waits for an event and handles it. It returns false when the bridge ends.
func (g *game) wait() bool {
	var done chan outcome
	var hung, abort <-chan time.Time
	if g.task != nil {
		done, hung = g.task.done, g.task.hung
	}
	if g.abort != nil {
		abort = g.abort.C
	}
	select {
	case <-g.state.changed:
	case o := <-done:
		g.finishTask(o)
	case <-hung:
		g.engineFailed(errors.New("the engine hangs"))
	case err := <-g.sent:
		g.acknowledged(err)
	case err := <-g.request:
		if err != nil {
			g.log.Debug("the state did not come", "error", err)
		}
		g.request = nil // the handler got the state, or it is requested again
	case <-abort:
		g.abort = nil
		g.b.spawn(&wire.Abort{Game: g.id}, nil)
	case <-g.b.ctx.Done():
		return false
	}
	return true
}

// requestState requests the state, which comes to the handler. A game that the
// server has forgotten is over.
func (g *game) requestState() {
	done := make(chan error, 1)
	g.request = done
	g.b.spawn(&wire.Watch{Game: g.id}, func(_ wire.Message, err error) {
		if e := refusalOf(err); e != nil && e.Code == wire.NotFound {
			g.state.forgotten()
		}
		done <- err
	})
}

// act does what the state requires.
func (g *game) act(now snapshot, s *configs.BoardBot) {
	toMove := slices.Contains(now.game.ToMove, g.seat)
	if g.task != nil && (!samePosition(g.task.on, now.game, g.seat) || g.task.ponder && toMove) {
		g.task.cancel()
	}
	if g.decision != nil && g.sent == nil && !samePosition(g.decision.on, now.game, g.seat) {
		g.decision = nil
	}
	g.answerOffers(now.game, s)
	switch {
	case g.decision != nil:
		if g.sent == nil && g.decision.received != now.received {
			g.decision.received = now.received
			g.send(g.decision)
		}
	case g.task != nil:
	case toMove && !now.stale:
		g.think(now.game, s)
	case !toMove && s.Engine.Ponder && g.engine != nil:
		g.ponder(now.game)
	}
	g.setAbort(now.game, s)
}

// setAbort starts the timer of an opponent who has not made a first move, and stops
// it after the move.
func (g *game) setAbort(now *wire.Game, s *configs.BoardBot) {
	first := !slices.Contains(now.ToMove, g.seat) && len(now.Moves) < 2 &&
		!slices.ContainsFunc(now.Moves, func(m wire.Move) bool { return m.Seat != g.seat })
	if first && s.Conduct.AbortAfter > 0 && g.abort == nil {
		g.abort = time.NewTimer(s.Conduct.AbortAfter)
	} else if !first && g.abort != nil {
		g.abort.Stop()
		g.abort = nil
	}
}

// send sends a decision; acknowledged takes the answer.
func (g *game) send(d *decision) {
	var m wire.Message = &wire.Play{Game: g.id, Turn: d.on.Turn, Move: d.Move}
	switch {
	case d.abort:
		m = &wire.Abort{Game: g.id}
	case d.Resign:
		m = &wire.Resign{Game: g.id}
	}
	sent := make(chan error, 1)
	g.sent = sent
	if d.Draw && !d.Resign {
		g.b.spawn(&wire.Offer{Game: g.id, Offer: wire.OfferDraw}, nil)
	}
	g.b.spawn(m, func(_ wire.Message, err error) { sent <- err })
}

func (g *game) acknowledged(err error) {
	g.sent = nil
	d := g.decision
	e := refusalOf(err)
	switch {
	case err == nil:
		// Nothing is to be done until the turn is played.
		g.log.Debug("acknowledged", "turn", d.on.Turn, "move", d.Move)
		g.decision = nil
		g.state.update(func(s *wire.Game) {
			if s.Turn == d.on.Turn {
				s.Mine = d.Move
				s.ToMove = slices.DeleteFunc(slices.Clone(s.ToMove), func(seat int) bool { return seat == g.seat })
			}
		})
	case e == nil:
		// The connection was lost. The next full state shows whether the move was
		// made; it may have come already.
		g.log.Debug("waiting for the state", "error", err)
		g.state.signal()
	case e.Code == wire.Illegal:
		g.decision = nil
		g.engineFailed(e)
	default:
		g.log.Warn("move refused", "error", e)
		g.decision = nil
		g.state.markStale()
	}
}

// answerOffers answers each of the opponent's offers once. If the engine is to be
// asked, it stops pondering for that, and finishes a decision first.
func (g *game) answerOffers(now *wire.Game, s *configs.BoardBot) {
	for _, o := range now.Offers {
		if o.Seat == g.seat || g.answered[o] {
			continue
		}
		yes := o.Offer == wire.OfferTakeback && s.Conduct.Takebacks ||
			o.Offer == wire.OfferDraw && s.Conduct.Draws == "always"
		judge, ok := g.engine.(hexproto.Judge)
		if o.Offer == wire.OfferDraw && s.Conduct.Draws == "engine" && ok {
			if g.task != nil {
				if g.task.ponder {
					g.task.cancel()
				}
				continue // until the task is done
			}
			ctx, cancel := context.WithTimeout(g.b.ctx, time.Second)
			yes = judge.Accept(ctx, now, o.Offer)
			cancel()
		}
		g.answered[o] = true
		g.b.spawn(&wire.Offer{Game: g.id, Offer: o.Offer, No: !yes}, nil)
	}
}

// finish logs and records a game that is over.
func (g *game) finish(now *wire.Game, s *configs.BoardBot) {
	result := "lost"
	switch now.Result.Winner {
	case g.seat:
		result = "won"
	case -1:
		result = "drawn"
	}
	g.log.Info("game over", "result", result, "how", now.Result.How, "turns", now.Turn)
	if s.Conduct.Farewell != "" {
		g.b.spawn(&wire.Chat{Game: g.id, Text: s.Conduct.Farewell}, nil)
	}
	if err := writeRecord(s.Files.Records, now); err != nil {
		g.log.Error("the record is not written", "error", err)
	}
	g.b.ended(g, now)
}

// close ends the engine. It waits a moment for an engine that is working.
func (g *game) close() {
	if t := g.task; t != nil {
		t.cancel()
		select {
		case o := <-t.done:
			g.engine = o.engine
		case <-time.After(engineSlack):
			g.engineFailed(errors.New("the engine does not stop"))
		}
	}
	if g.abort != nil {
		g.abort.Stop()
	}
	g.closeEngine()
}
