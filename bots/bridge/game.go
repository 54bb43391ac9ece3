package bridge

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// game is one that the bridge plays.
type game struct {
	b        *Bridge
	id, tag  string
	seat     int
	opponent string
	log      *slog.Logger
	wake     chan struct{}

	mu     sync.Mutex
	now    *wire.Game // replaced, never changed: engines read it
	states int        // full ones that came
	stale  bool       // a full state is needed
	doubts int        // how often that was found
	lines  []wire.Line

	// Of the goroutine that runs.
	engine   hexproto.Engine
	failures int
	task     *task     // what the engine does
	ready    *decision // what is to be sent
	sending  chan error
	asking   chan error // for a state
	asked    doubt      // what was last asked about
	answered map[wire.Standing]bool
	hopeless int // moves in a row that the engine rated below the limit
	last     hexproto.Decision
	greeted  bool
	waited   *time.Timer
}

// doubt is a reason to ask for a state: one is asked for once in a connection.
type doubt struct{ doubts, connection int }

// task is an engine at work on a position, or pondering.
type task struct {
	on     *wire.Game
	ponder bool
	cancel context.CancelFunc
	hung   <-chan time.Time     // the engine has not ended when it should have
	opened chan hexproto.Engine // the engine that was opened for it, at once
	done   chan outcome
}

type outcome struct {
	engine   hexproto.Engine // that was opened for the task
	decision hexproto.Decision
	err      error
}

// decision is one that is to be sent, once.
type decision struct {
	on     *wire.Game
	states int // how many full states had come when it was sent, -1 before
	hexproto.Decision
}

func newGame(b *Bridge, m *wire.Game) *game {
	g := &game{
		b: b, id: m.Game, tag: m.Tag, seat: m.You, opponent: m.Seats[1-m.You].Name,
		log:  b.Log.With("game", m.Game, "against", m.Seats[1-m.You].Name),
		wake: make(chan struct{}, 1), now: m, answered: map[wire.Standing]bool{},
	}
	g.log.Info("game", "seat", g.seat, "tag", g.tag, "options", m.Options)
	return g
}

func (g *game) signal() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// change replaces the state by a changed copy.
func (g *game) change(f func(*wire.Game)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	next := *g.now
	f(&next)
	g.now = &next
	g.signal()
}

// full takes a full state, which is the truth.
func (g *game) full(m *wire.Game) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now, g.stale = m, false
	g.states++
	g.signal()
}

// doubt has the state asked for.
func (g *game) doubt() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stale = true
	g.doubts++
	g.signal()
}

func (g *game) moved(m *wire.Moved) {
	g.mu.Lock()
	turn := g.now.Turn
	g.mu.Unlock()
	switch {
	case m.Turn < turn:
	case m.Turn > turn:
		g.doubt()
	default:
		g.change(func(s *wire.Game) {
			s.Moves = append(slices.Clip(s.Moves), m.Moves...)
			s.Turn, s.ToMove, s.Time, s.Swap, s.Mine, s.Offers = m.Turn+1, m.ToMove, m.Time, m.Swap, "", nil
		})
	}
}

func (g *game) over(m *wire.Over) {
	g.change(func(s *wire.Game) { s.Result, s.Time = &m.Result, m.Time })
}

func (g *game) offered(m *wire.Offered) {
	g.change(func(s *wire.Game) {
		s.Offers = slices.DeleteFunc(slices.Clone(s.Offers), func(o wire.Standing) bool { return o.Offer == m.Offer })
		if !m.No {
			s.Offers = append(s.Offers, wire.Standing{Seat: m.Seat, Offer: m.Offer, Turn: s.Turn})
		}
	})
}

func (g *game) heard(line wire.Line) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lines = append(g.lines, line)
	g.signal()
}

// same says whether two states have the same position, with the same player to
// move.
func same(a, b *wire.Game, seat int) bool {
	return a.Turn == b.Turn && a.Result == nil && b.Result == nil &&
		slices.Contains(a.ToMove, seat) == slices.Contains(b.ToMove, seat) &&
		slices.EqualFunc(a.Moves, b.Moves, func(x, y wire.Move) bool { return x.Move == y.Move && x.Seat == y.Seat })
}

// run plays the game to its end, or the bridge's.
func (g *game) run() {
	defer g.close()
	for {
		g.mu.Lock()
		now, states, stale, lines, asks := g.now, g.states, g.stale, g.lines, doubt{doubts: g.doubts}
		g.lines = nil
		g.mu.Unlock()
		g.b.mu.Lock()
		settings := g.b.settings
		asks.connection = g.b.connections
		g.b.mu.Unlock()
		if now.Result != nil && !stale {
			g.finish(now, &settings)
			return
		}
		g.talk(lines, now, &settings)
		if stale && g.asking == nil && g.asked != asks {
			g.asked = asks
			g.ask()
		}
		g.step(now, states, stale, &settings)
		if !g.await() {
			return
		}
	}
}

// await waits for something to happen. It is false when the bridge ends.
func (g *game) await() bool {
	var done chan outcome
	var hung, waited <-chan time.Time
	if g.task != nil {
		done, hung = g.task.done, g.task.hung
	}
	if g.waited != nil {
		waited = g.waited.C
	}
	select {
	case <-g.wake:
	case o := <-done:
		g.thought(o)
	case <-hung:
		g.fail(errors.New("the engine hangs"))
	case err := <-g.sending:
		g.sent(err)
	case <-g.asking:
		g.asking = nil // the state has come by the handler, or is asked for again
	case <-waited:
		g.waited = nil
		g.b.spawn(&wire.Abort{Game: g.id}, nil)
	case <-g.b.ctx.Done():
		return false
	}
	return true
}

// ask asks for the state, which the handler gets. A game that the server has
// forgotten is over.
func (g *game) ask() {
	asking := make(chan error, 1)
	g.asking = asking
	g.b.spawn(&wire.Watch{Game: g.id}, func(_ wire.Message, err error) {
		if e := refusalOf(err); e != nil && e.Code == wire.NotFound {
			g.over(&wire.Over{Result: wire.Result{Winner: -1, How: wire.Aborted}})
			g.mu.Lock()
			g.stale = false
			g.mu.Unlock()
		}
		asking <- err
	})
}

// step does what the state asks for.
func (g *game) step(now *wire.Game, states int, stale bool, s *configs.Board) {
	mine := slices.Contains(now.ToMove, g.seat)
	if g.task != nil && (!same(g.task.on, now, g.seat) || g.task.ponder && mine) {
		g.task.cancel()
	}
	if g.ready != nil && g.sending == nil && !same(g.ready.on, now, g.seat) {
		g.ready = nil
	}
	g.offers(now, s)
	switch {
	case g.ready != nil:
		if g.sending == nil && g.ready.states != states {
			g.ready.states = states
			g.send(g.ready)
		}
	case g.task != nil:
	case mine && !stale:
		g.think(now, s)
	case !mine && s.Engine.Ponder && g.engine != nil:
		g.ponder(now)
	}
	// A first move that does not come.
	first := !mine && len(now.Moves) < 2 && !slices.ContainsFunc(now.Moves, func(m wire.Move) bool { return m.Seat != g.seat })
	if first && s.Conduct.AbortAfter > 0 && g.waited == nil {
		g.waited = time.NewTimer(s.Conduct.AbortAfter)
	} else if !first && g.waited != nil {
		g.waited.Stop()
		g.waited = nil
	}
}

// think has the engine decide, and opens it where there is none.
func (g *game) think(now *wire.Game, s *configs.Board) {
	budget, limit := g.budget(now, s)
	ctx, cancel := context.WithTimeout(g.b.ctx, limit)
	t := &task{on: now, cancel: cancel, opened: make(chan hexproto.Engine, 1), done: make(chan outcome, 1), hung: time.After(limit + engineSlack)}
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

// thinkingTime is the longest that an engine may take where nothing else limits
// it: a turn without a clock ends some time too.
const thinkingTime = 10 * time.Minute

// budget is what the engine may plan with, and when it is taken for dead: while
// there is still time to start it again.
func (g *game) budget(now *wire.Game, s *configs.Board) (hexproto.Budget, time.Duration) {
	overhead := max(s.Time.Overhead, g.b.Client.Latency()*2+20*time.Millisecond)
	budget := hexproto.NewBudget(now, g.seat, g.b.Client.Now(), overhead)
	limit := thinkingTime
	if !budget.None() {
		limit = max(budget.PerMove*3/4, budget.Left/2)
	}
	if most := s.Time.MaxThink; most > 0 {
		limit = min(limit, most)
		if budget.None() {
			budget.Left, budget.Share = most, most
		}
		budget.Share = min(budget.Share, most)
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
		<-ctx.Done() // one that has seen all there is to see is not asked again
		t.done <- outcome{engine: engine}
	})
}

// thought takes what an engine has come to.
func (g *game) thought(o outcome) {
	t := g.task
	g.task = nil
	g.engine = o.engine
	g.mu.Lock()
	now := g.now
	g.mu.Unlock()
	switch {
	case t.ponder:
	case !same(t.on, now, g.seat):
		// For another position than there is; an error is that of being stopped.
		if o.err != nil && !errors.Is(o.err, context.Canceled) {
			g.fail(o.err)
		}
	case g.b.ctx.Err() != nil:
	case o.err != nil:
		g.fail(o.err)
	case o.decision.Move == "" && !o.decision.Resign:
		g.fail(errors.New("the engine made no move"))
	default:
		g.decided(t.on, o.decision)
	}
}

// decided makes a decision the one to be sent.
func (g *game) decided(on *wire.Game, d hexproto.Decision) {
	g.b.mu.Lock()
	conduct := g.b.settings.Conduct
	g.b.mu.Unlock()
	g.last = d
	if len(d.Rated) > 0 && d.Rated[0].Value < conduct.ResignBelow {
		if g.hopeless++; g.hopeless >= int(conduct.ResignAfter) {
			d.Resign = true
		}
	} else {
		g.hopeless = 0
	}
	g.log.Debug("decided", "turn", on.Turn, "move", d.Move, "resign", d.Resign)
	g.ready = &decision{on: on, states: -1, Decision: d}
	if conduct.Tell && len(d.Rated) > 0 {
		g.b.spawn(&wire.Analysis{Game: g.id, Turn: on.Turn, Moves: d.Rated[:min(len(d.Rated), mostTold)]}, nil)
	}
	g.signal()
}

// mostTold is how many moves spectators are told of.
const mostTold = 20

// send sends a decision; sent takes the answer.
func (g *game) send(d *decision) {
	var m wire.Message = &wire.Play{Game: g.id, Turn: d.on.Turn, Move: d.Move}
	if d.Resign {
		m = &wire.Resign{Game: g.id}
	}
	g.sending = make(chan error, 1)
	sending := g.sending
	if d.Draw && !d.Resign {
		g.b.spawn(&wire.Offer{Game: g.id, Offer: wire.OfferDraw}, nil)
	}
	g.b.spawn(m, func(_ wire.Message, err error) { sending <- err })
}

func (g *game) sent(err error) {
	g.sending = nil
	d := g.ready
	e := refusalOf(err)
	switch {
	case err == nil:
		// Nothing is to be done until the turn is played.
		g.log.Debug("acknowledged", "turn", d.on.Turn, "move", d.Move)
		g.ready = nil
		g.change(func(s *wire.Game) {
			if s.Turn == d.on.Turn {
				s.Mine = d.Move
				s.ToMove = slices.DeleteFunc(slices.Clone(s.ToMove), func(seat int) bool { return seat == g.seat })
			}
		})
	case e == nil:
		// Lost: the next full state says whether the move was made. It may have come
		// before this was noticed.
		g.log.Debug("waiting for the state", "error", err)
		g.signal()
	case e.Code == wire.Illegal:
		g.ready = nil
		g.fail(e)
	default:
		g.log.Warn("move refused", "error", e)
		g.ready = nil
		g.doubt()
	}
}

// fail ends an engine that does not work. There will be another one, unless that
// was the last: then the game is given up.
func (g *game) fail(err error) {
	g.failures++
	g.log.Error("the engine failed", "error", err, "failures", g.failures)
	if t := g.task; t != nil {
		t.cancel()
		g.task = nil
		if g.engine == nil {
			g.b.wait.Go(func() { t.discard() })
		}
	}
	g.closeEngine()
	g.b.mu.Lock()
	restarts := g.b.settings.Engine.Restarts
	g.b.mu.Unlock()
	if g.failures > int(restarts) {
		g.mu.Lock()
		now := g.now
		g.mu.Unlock()
		g.ready = &decision{on: now, states: -1, Decision: hexproto.Decision{Resign: true}}
	}
	g.signal()
}

// discard closes the engine that is opened for a task, also if it works or is
// not there yet.
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

func (g *game) closeEngine() {
	if e := g.engine; e != nil {
		g.engine = nil
		g.b.wait.Go(func() {
			if err := e.Close(); err != nil {
				g.log.Debug("closing the engine", "error", err)
			}
		})
	}
}

// offers answers the other's offers, each once. An engine that is to be asked
// stops pondering for it, and decides first what it is about to.
func (g *game) offers(now *wire.Game, s *configs.Board) {
	for _, o := range now.Offers {
		if o.Seat == g.seat || g.answered[o] {
			continue
		}
		yes := o.Offer == wire.OfferTakeback && s.Conduct.Takebacks || o.Offer == wire.OfferDraw && s.Conduct.Draws == "always"
		judge, asked := g.engine.(hexproto.Judge)
		if o.Offer == wire.OfferDraw && s.Conduct.Draws == "engine" && asked {
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

// finish ends with a game that is over.
func (g *game) finish(now *wire.Game, s *configs.Board) {
	how := "lost"
	switch now.Result.Winner {
	case g.seat:
		how = "won"
	case -1:
		how = "drawn"
	}
	g.log.Info("game over", "result", how, "how", now.Result.How, "turns", now.Turn)
	if s.Conduct.Farewell != "" {
		g.b.spawn(&wire.Chat{Game: g.id, Text: s.Conduct.Farewell}, nil)
	}
	if err := writeRecord(s.Files.Records, now); err != nil {
		g.log.Error("the record is not written", "error", err)
	}
	g.b.ended(g, now)
}

// close ends the engine, in a moment where it works too.
func (g *game) close() {
	if t := g.task; t != nil {
		t.cancel()
		select {
		case o := <-t.done:
			g.engine = o.engine
		case <-time.After(engineSlack):
			g.fail(errors.New("the engine does not stop"))
		}
	}
	if g.waited != nil {
		g.waited.Stop()
	}
	g.closeEngine()
}
