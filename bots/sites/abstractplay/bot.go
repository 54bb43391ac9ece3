package abstractplay

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"gamebots/bots/sites"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"

	"golang.org/x/sync/semaphore"
)

// Bot plays at Abstract Play.
type Bot struct {
	Settings configs.AbstractPlay
	Site     *Site
	Key      ed25519.PublicKey // the site's
	Engine   hexproto.Bot
	Log      *slog.Logger

	slots   int64               // searches at a time
	cores   *semaphore.Weighted // gives them out in the order of asking
	waiting atomic.Int64        // searches that wait
	answers sync.WaitGroup

	mu    sync.Mutex
	ctx   context.Context // ends with Run
	state *state
}

// Run answers what an earlier run has left, and then requests, until the context ends.
func (b *Bot) Run(ctx context.Context, l net.Listener) (err error) {
	if b.state, err = readState(b.Settings.Webhook.State); err != nil {
		return err
	}
	b.slots = int64(max(1, runtime.GOMAXPROCS(0)/max(1, int(b.Settings.Engine.Threads))))
	b.cores = semaphore.NewWeighted(b.slots)
	ctx, cancel := context.WithCancel(ctx)
	b.mu.Lock()
	b.ctx = ctx
	for id, g := range b.state.Games {
		b.start(id, g)
	}
	b.mu.Unlock()
	h := sites.Webhook{Ping: map[string]bool{"operational": true}, Key: b.Key, Take: b.take, Log: b.Log}
	err = h.Serve(ctx, l)
	b.mu.Lock() // a request that is still at work starts no answer from here on
	cancel()
	b.mu.Unlock()
	b.answers.Wait()
	return err
}

const (
	// maxRefusals is how often a move is sent that the site refuses: refusals that pass look like others.
	maxRefusals = 4
	resign      = "resign" // is sent in place of a move
)

// start answers the position of a game, unless that is done. The caller holds the lock.
func (b *Bot) start(id string, g *game) {
	if g.Done != "" || b.ctx.Err() != nil {
		return
	}
	p, log := g.Position, b.Log.With("game", id)
	b.answers.Go(func() {
		for failures := 1; ; failures++ {
			err := b.answer(b.ctx, log, id, p)
			switch {
			case err == nil || b.ctx.Err() != nil:
				return
			case errors.As(err, new(*refusedMoveError)) && failures >= maxRefusals:
				log.Error("the move is given up, unless the site asks again", "error", err)
				b.update(id, p, func(g *game) { g.Done = refused })
				return
			}
			pause := sites.Backoff(2*time.Second, failures)
			log.Warn("no move yet", "error", err, "again_in", pause.Round(time.Second).String())
			if sites.Wait(b.ctx, pause) != nil {
				return
			}
		}
	})
}

// answer takes the steps to a move that are left: to decide, store and send it. None is left once the game has another
// position.
func (b *Bot) answer(ctx context.Context, log *slog.Logger, id string, p position) error {
	now, began := b.update(id, p, nil), time.Now()
	if now.Position != p || now.Done != "" {
		return nil
	}
	state, board, err := p.wire(id)
	if err != nil {
		return err
	}
	var d hexproto.Decision
	decides := now.Move == ""
	if decides {
		if d, err = b.decide(ctx, state, &now); err != nil {
			return err
		}
		if now = b.update(id, p, func(g *game) { b.settle(g, d) }); now.Position != p {
			return nil
		}
	}
	text, became := now.Move, moved
	if move, err := board.Grid().Parse(now.Move); err == nil && board.Play(move) == nil {
		text = havannah.AbstractPlay.Format(board, move)
	} else if now.Move != resign {
		b.update(id, p, func(g *game) { g.Move = "" })
		return fmt.Errorf("the engine's move %.20q is illegal", now.Move)
	}
	if decides {
		log.Info("decided", "move", text, "value", d.Rated[0].Value, "ms", time.Since(began).Milliseconds())
	}
	if err := b.Site.Move(ctx, id, text); err != nil {
		return err
	}
	if now.Move == resign || board.Over() {
		became = over
	}
	b.update(id, p, func(g *game) { g.Done = became })
	log.Info("the site has the move", "move", text, "over", became == over)
	return nil
}

// update changes a game that is still at a position, unless change is nil, stores the state and returns the game; a
// zero one if it is not.
func (b *Bot) update(id string, p position, change func(*game)) game {
	b.mu.Lock()
	defer b.mu.Unlock()
	g := b.state.Games[id]
	if g == nil || g.Position != p {
		return game{}
	}
	if change != nil {
		change(g)
		b.save()
	}
	return *g
}

// save stores the state and reports whether it could. If not, the bot goes on. The caller holds the lock.
func (b *Bot) save() bool {
	err := b.state.save()
	if err != nil {
		b.Log.Error("the state is not stored, and would be lost by a restart", "error", err)
	}
	return err == nil
}

// settle makes a decision the answer of a game, or a resignation.
func (b *Bot) settle(g *game, d hexproto.Decision) {
	g.Move = d.Move
	if g.Hopeless++; d.Rated[0].Value >= b.Settings.Conduct.ResignBelow {
		g.Hopeless = 0
	}
	if d.Resign || g.Hopeless > 0 && g.Hopeless >= b.Settings.Conduct.ResignAfter {
		g.Move = resign
	}
}

// decide lets the engine decide once there is a slot for its search. A move that it has not rated counts as a win.
func (b *Bot) decide(ctx context.Context, state *wire.Game, g *game) (d hexproto.Decision, err error) {
	b.waiting.Add(1)
	err = b.cores.Acquire(ctx, 1)
	waiting := b.waiting.Add(-1)
	if err != nil {
		return d, err
	}
	defer b.cores.Release(1)
	allowed := b.allowed(g, waiting)
	limited, cancel := context.WithTimeout(ctx, allowed+30*time.Second) // after that it hangs
	defer cancel()
	engine, err := b.Engine.Open(limited, state, state.You)
	if err == nil {
		d, err = engine.Decide(limited, state, hexproto.Budget{Left: allowed, PerMove: allowed, Share: allowed})
		d.Rated = append(d.Rated, wire.Rated{Value: 1})
		err = errors.Join(err, engine.Close(), context.Cause(ctx))
	}
	return d, err
}

// A move may take one of so many shares of a clock, which the site may have rounded up by half an hour.
const shares, rounding = 40, hours(0.5)

// allowed returns how long a search may take, at least a second. If others wait for a slot, it is shorter.
func (b *Bot) allowed(g *game, waiting int64) time.Duration {
	left := (g.Left - rounding).duration() - time.Since(g.Asked)
	return min(max(left/shares/time.Duration(1+waiting/b.slots), time.Second), b.Settings.Think.Most)
}
