package bench

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
	"golang.org/x/sync/errgroup"
)

// hoard is what four hostile accounts do to make a server hold as much as they can, and a fifth to make it
// store.
type hoard struct {
	lasts   time.Duration // each of them tries for so long
	actions int           // actions of a player in their matrix games
	settles time.Duration // until the log of the database is copied into it
}

var hoarders = hoard{lasts: 20 * time.Second, actions: 60, settles: 5 * time.Second}

// run measures what the server holds and stores for the accounts.
func (h hoard) run(ctx context.Context, s served, emit func(Row)) error {
	f := newFlood(s.address, s.pid)
	var conns [5]*websocket.Conn
	token := "" // token of the last one, which stores
	for i := range conns {
		ws, w, err := f.join(fmt.Sprintf("hoarder-%d", i), "")
		if err != nil {
			return err
		}
		defer ws.Close()
		conns[i], token = ws, w.Token
	}
	idle, err := memoryOf(s.pid, "VmRSS:")
	if err != nil {
		return err
	}
	games := 0
	for i := 0; i < 2; i++ { // two pairs
		n, err := h.hold(ctx, conns[2*i], conns[2*i+1])
		if games += n; err != nil {
			return err
		}
	}
	held, err := memoryOf(s.pid, "VmRSS:")
	if err != nil {
		return err
	}
	before, err := os.Stat(s.database)
	if err != nil {
		return err
	}
	stored, err := h.store(ctx, f, token)
	if err != nil {
		return err
	}
	time.Sleep(h.settles)
	after, err := os.Stat(s.database)
	if err != nil {
		return err
	}
	for _, r := range []Row{
		{Metric: "games of 4 accounts", Value: float64(games), Unit: "games"},
		{Metric: "memory above idle", Value: held - idle, Unit: "MiB"},
		{Metric: "games of one account", Value: float64(stored), Unit: "games"},
		{Metric: "database", Value: float64(after.Size()-before.Size()) / 1e6, Unit: "MB"},
	} {
		r.Case, r.Threads = "hoarders", runtime.NumCPU()
		emit(r)
	}
	return nil
}

// hold has two accounts begin games until they are refused for good, and returns how many.
func (h hoard) hold(ctx context.Context, a, b *websocket.Conn) (games int, err error) {
	clock := wire.Clock{Main: 3600000}
	large := true // as long as the server reads more texts
	for end := time.Now().Add(h.lasts); time.Now().Before(end) && ctx.Err() == nil; {
		var made, begun reply
		c := &wire.Challenge{Rules: boards.HavannahName, Clock: clock}
		if large {
			c.Rules, c.Options = boards.MatrixName, textGame(fmt.Sprint(games), h.actions, "1 ")
		}
		if err := ask(a, c, &made); err != nil {
			return games, err
		}
		switch made.Code {
		case "":
		case wire.TooMany:
			return games, nil
		default:
			large = false
			time.Sleep(pause)
			continue
		}
		if err := ask(b, &wire.Accept{Challenge: made.Challenge}, &begun); err != nil {
			return games, err
		}
		if begun.Game != "" {
			games++
		}
	}
	return games, ctx.Err()
}

// reply is an answer to a challenge.
type reply struct {
	Code, Game, Challenge string
}

// store has an account play and resign games with a bot of the server over many connections, as
// fast as it can. It returns how many.
func (h hoard) store(ctx context.Context, f *flood, token string) (games int64, err error) {
	var all errgroup.Group
	var ended atomic.Int64
	for range 8 {
		ws, _, err := f.join("", token)
		if err != nil {
			return 0, err
		}
		defer ws.Close()
		all.Go(func() error {
			for end := time.Now().Add(h.lasts); time.Now().Before(end) && ctx.Err() == nil; {
				var begun, resigned reply
				err := ask(ws, &wire.Challenge{Rules: boards.HavannahName, To: "random", Seat: "first"}, &begun)
				if err == nil && begun.Code == "" {
					err = ask(ws, &wire.Resign{Game: begun.Game}, &resigned)
					ended.Add(1)
				}
				if err != nil {
					return err
				}
				if begun.Code+resigned.Code != "" {
					time.Sleep(pause)
				}
			}
			return ctx.Err()
		})
	}
	err = all.Wait()
	return ended.Load(), err
}

// pause is how long a hostile account waits after a refusal, so that it is not cut off.
const pause = 200 * time.Millisecond
