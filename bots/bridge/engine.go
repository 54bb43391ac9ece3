package bridge

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// task is the work of an engine on a position, in a goroutine of its own: a
// decision, or pondering.
type task struct {
	on     *wire.Game
	ponder bool
	cancel context.CancelFunc
	hung   <-chan time.Time     // fires if the engine does not end in time
	opened chan hexproto.Engine // receives the engine as soon as it is open, if the task opens it
	done   chan outcome
}

type outcome struct {
	engine   hexproto.Engine
	decision hexproto.Decision
	err      error
}

// think has the engine decide, and opens it first if there is none.
func (g *game) think(now *wire.Game, s *configs.BoardBot) {
	budget, limit := g.budget(now, s)
	ctx, cancel := context.WithTimeout(g.b.ctx, limit)
	t := &task{
		on: now, cancel: cancel, opened: make(chan hexproto.Engine, 1), done: make(chan outcome, 1),
		hung: time.After(limit + engineSlack),
	}
	g.task = t
	engine := g.engine
	g.b.wait.Go(func() {
		defer cancel()
		o := outcome{engine: engine}
		if o.engine == nil {
			if o.engine, o.err = g.open(ctx, now); o.err == nil {
				t.opened <- o.engine
			}
		}
		if o.err == nil {
			o.decision, o.err = o.engine.Decide(ctx, now, budget)
		}
		t.done <- o
	})
}

// engineSlack is how long an engine may take to notice that its time is up.
const engineSlack = 250 * time.Millisecond

// maxThinking bounds a turn that has no clock and no limit in the settings.
const maxThinking = 10 * time.Minute

// budget returns the engine's budget, and the time after which it counts as
// failed. That leaves time on the clock to start it again.
func (g *game) budget(now *wire.Game, s *configs.BoardBot) (hexproto.Budget, time.Duration) {
	overhead := max(s.Time.Overhead, g.b.Client.Latency()*2+20*time.Millisecond)
	budget := hexproto.NewBudget(now, g.seat, g.b.Client.Now(), overhead)
	limit := maxThinking
	if !budget.None() {
		limit = max(budget.PerMove*3/4, budget.Left/2)
	}
	if m := s.Time.MaxThink; m > 0 {
		limit = min(limit, m)
		if budget.None() {
			budget.Left, budget.Share = m, m
		}
		budget.Share = min(budget.Share, m)
	}
	return budget, limit
}

func (g *game) open(ctx context.Context, now *wire.Game) (hexproto.Engine, error) {
	select {
	case g.b.opening <- struct{}{}:
		defer func() { <-g.b.opening }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	g.log.Debug("opening an engine")
	return g.b.Bot.Open(ctx, now, g.seat)
}

// ponder has the engine think in the opponent's time, if it can.
func (g *game) ponder(now *wire.Game) {
	p, ok := g.engine.(hexproto.Ponderer)
	if !ok {
		return
	}
	ctx, cancel := context.WithCancel(g.b.ctx)
	t := &task{on: now, ponder: true, cancel: cancel, done: make(chan outcome, 1)}
	g.task = t
	engine := g.engine
	g.b.wait.Go(func() {
		p.Ponder(ctx, now)
		<-ctx.Done() // one task a position, even if the engine ends early
		t.done <- outcome{engine: engine}
	})
}

// finishTask takes the outcome of a task.
func (g *game) finishTask(o outcome) {
	t := g.task
	g.task = nil
	g.engine = o.engine
	switch {
	case t.ponder:
	case !samePosition(t.on, g.state.current(), g.seat):
		// The position has changed; a task that was stopped is no failure.
		if o.err != nil && !errors.Is(o.err, context.Canceled) {
			g.engineFailed(o.err)
		}
	case g.b.ctx.Err() != nil:
	case o.err != nil:
		g.engineFailed(o.err)
	case o.decision.Move == "" && !o.decision.Resign:
		g.engineFailed(errors.New("the engine made no move"))
	default:
		g.decide(t.on, o.decision)
	}
}

// maxPublished is how many rated moves spectators are shown.
const maxPublished = 20

// decide makes a decision the one to be sent.
func (g *game) decide(on *wire.Game, d hexproto.Decision) {
	settings, _ := g.b.current()
	conduct := &settings.Conduct
	g.last = d
	if len(d.Rated) > 0 && d.Rated[0].Value < conduct.ResignBelow {
		if g.hopeless++; g.hopeless >= int(conduct.ResignAfter) {
			d.Resign = true
		}
	} else {
		g.hopeless = 0
	}
	g.log.Debug("decided", "turn", on.Turn, "move", d.Move, "resign", d.Resign)
	g.decision = &decision{on: on, received: -1, Decision: d}
	if conduct.Tell && len(d.Rated) > 0 {
		g.b.spawn(&wire.Analysis{Game: g.id, Turn: on.Turn, Moves: d.Rated[:min(len(d.Rated), maxPublished)]}, nil)
	}
	g.state.signal()
}

// engineFailed ends an engine that does not work. The game opens another one. If the
// settings allow no more, or another would be no better, the game is given up: aborted
// if a seat has not moved yet, and resigned otherwise.
func (g *game) engineFailed(err error) {
	g.failures++
	unable := errors.As(err, new(*hexproto.UnableError))
	switch {
	case !unable:
		g.log.Error("the engine failed", "error", err, "failures", g.failures)
	case g.b.firstTime(err.Error()):
		g.log.Error("the engine cannot play this game", "error", err)
	default:
		g.log.Debug("the engine cannot play this game either", "error", err)
	}
	if t := g.task; t != nil {
		t.cancel()
		g.task = nil
		if g.engine == nil {
			g.b.wait.Go(func() { t.discard() })
		}
	}
	g.closeEngine()
	settings, _ := g.b.current()
	if unable || g.failures > int(settings.Engine.Restarts) {
		on := g.state.current()
		g.decision = &decision{
			on: on, received: -1, abort: unable && !allMoved(on), Decision: hexproto.Decision{Resign: true},
		}
	}
	g.state.signal()
}

// allMoved reports whether all seats have moved, after which a game cannot be aborted.
func allMoved(g *wire.Game) bool {
	moved := map[int]bool{}
	for _, m := range g.Moves {
		moved[m.Seat] = true
	}
	return len(moved) == len(g.Seats)
}

// discard closes the engine that a task opens, at work or not open yet.
func (t *task) discard() {
	select {
	case e := <-t.opened:
		e.Close()
		<-t.done
	case o := <-t.done:
		if o.engine != nil {
			o.engine.Close()
		}
	}
}

// closeEngine closes the engine without waiting for it, and gives its memory back to the
// system, which the runtime alone does minutes later in an idle bot.
func (g *game) closeEngine() {
	if e := g.engine; e != nil {
		g.engine = nil
		g.b.wait.Go(func() {
			if err := e.Close(); err != nil {
				g.log.Debug("closing the engine", "error", err)
			}
			e = nil
			debug.FreeOSMemory()
		})
	}
}
