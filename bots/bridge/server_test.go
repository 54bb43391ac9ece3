package bridge

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/client"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"
)

// realServer is this module's server, at an address that it keeps.
type realServer struct {
	t        *testing.T
	database string
	address  string
	stop     func()
}

func newReal(t *testing.T) *realServer {
	r := &realServer{t: t, database: filepath.Join(t.TempDir(), "games.db"), address: testkit.FreeAddress(t)}
	t.Cleanup(func() { r.stop() })
	r.start()
	return r
}

// start serves, and returns since when it did.
func (r *realServer) start() time.Time {
	r.t.Helper()
	config := server.Config{
		Database: r.database, Open: true, Loopback: true,
		Bots: []engines.Bot{{Name: "random", Rules: []string{"havannah"}, Bot: havannahbot.Bot(havannahbot.Random{})}},
	}
	config.Rules = append(config.Rules, boards.Havannah{}) // its type is not named: game is a type of this package
	s, err := server.New(config)
	if err != nil {
		r.t.Fatal(err)
	}
	l, err := net.Listen("tcp", r.address)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, "", "") }()
	r.stop = sync.OnceFunc(func() {
		cancel()
		if err := take(r.t, ended); err != nil {
			r.t.Error(err)
		}
		if err := s.Close(); err != nil {
			r.t.Error(err)
		}
	})
	return time.Now()
}

// bridge returns a bot that makes an account here. Set changes its settings.
func (r *realServer) bridge(name string, bot hexproto.Bot, set func(*configs.BoardBot)) *Bridge {
	s := settings()
	set(&s)
	c := &client.Client{
		URL: "ws://" + r.address + "/ws", Hello: wire.Hello{Name: name, Bot: true},
		SaveToken: func(string) error { return nil },
	}
	return New(c, bot, s, slog.New(slog.DiscardHandler))
}

// With no overhead in the settings and hardly any time on the clock, no game is
// lost on time: the bot measures the way, and leaves some time in reserve. Where others
// take all processors for a moment one may be: then there is twice the time in the next game.
func TestNoOverhead(t *testing.T) {
	const tries = 6
	for _, c := range []struct {
		name  string
		clock wire.Clock
	}{
		{"an increment", wire.Clock{Main: 500, Increment: 100}},
		{"a time a move", wire.Clock{PerMove: 300}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			final := &wire.Game{Result: &wire.Result{How: wire.TimeOut}}
			for try := 0; try < tries && final.Result.How == wire.TimeOut; try++ {
				final = hastyGame(t, wire.Clock{
					Main: c.clock.Main << try, Increment: c.clock.Increment << try, PerMove: c.clock.PerMove << try,
				})
			}
			if how := final.Result.How; how == wire.TimeOut || how == wire.Aborted {
				t.Errorf("after %d turns: %+v", final.Turn, final.Result)
			}
			var thought int64
			for _, m := range final.Moves[min(2, len(final.Moves)):] {
				if m.Seat == final.You {
					thought = max(thought, m.Ms)
				}
			}
			t.Logf("%d turns, %s; at most %d ms for a move", final.Turn, final.Result.How, thought)
		})
	}
}

// hastyGame plays a game of a bot without overhead, with a clock.
func hastyGame(t *testing.T, clock wire.Clock) (final *wire.Game) {
	t.Helper()
	b := newReal(t).bridge("thinker", havannahbot.Bot(havannahbot.MCTS{Memory: 16 << 20}), func(s *configs.BoardBot) {
		s.Time.Overhead = 0
		s.Challenge.Enabled, s.Challenge.Games, s.Challenge.Opponents = true, 1, []string{"random"}
		s.Challenge.Options, s.Challenge.Seat = `{"side":5}`, "first"
		ms := time.Millisecond
		s.Challenge.Main, s.Challenge.Increment = time.Duration(clock.Main)*ms, time.Duration(clock.Increment)*ms
		s.Challenge.PerMove = time.Duration(clock.PerMove) * ms
	})
	b.OnEnd = func(g *wire.Game) { final = g }
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := b.Run(ctx, ctx); err != nil {
		t.Fatal(err)
	}
	if final == nil {
		t.Fatal("no game was played")
	}
	return final
}

// Both bots come back to a server that was away for a while, and play their game
// to its end. How soon they come back is logged: docs/benchmarks/hexproto.md.
func TestServerComesBack(t *testing.T) {
	r := newReal(t)
	const downs = 3
	turn := make(chan int, 1000)
	slow := &stub{}
	slow.decide = func(ctx context.Context, g *wire.Game) (hexproto.Decision, error) {
		select {
		case turn <- g.Turn:
		default:
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return hexproto.Decision{}, ctx.Err()
		}
		e, err := havannahbot.Bot(havannahbot.Random{}).Open(ctx, g, g.You)
		if err != nil {
			return hexproto.Decision{}, err
		}
		return e.Decide(ctx, g, hexproto.Budget{})
	}
	anna := r.bridge("anna", slow, func(s *configs.BoardBot) {
		s.Challenge.Enabled, s.Challenge.Games, s.Challenge.Opponents = true, 1, []string{"bert"}
		s.Challenge.Options, s.Challenge.Tag = `{"side":6}`, "t"
	})
	bert := r.bridge("bert", slow, func(*configs.BoardBot) {})
	run(t, bert)
	ended := make(chan *wire.Game, 1)
	anna.OnEnd = func(g *wire.Game) { ended <- g }
	run(t, anna)
	for down := range downs {
		for waiting := true; waiting; {
			select {
			case n := <-turn:
				waiting = n < 4*down
			case <-time.After(patience):
				t.Fatal("no bot moves")
			}
		}
		before := [2]int{anna.lives(), bert.lives()}
		r.stop()
		time.Sleep(time.Duration(down) * 500 * time.Millisecond)
		began := r.start()
		for i, b := range []*Bridge{anna, bert} {
			for b.lives() == before[i] {
				if time.Since(began) > patience {
					t.Fatalf("bots do not come back")
				}
				time.Sleep(time.Millisecond)
			}
		}
		t.Logf("both bots are back %v after the server", time.Since(began).Round(time.Millisecond))
	}
	select {
	case g := <-ended:
		if g.Result.How == wire.TimeOut || g.Result.How == wire.Resigned || g.Result.How == wire.Aborted {
			t.Errorf("%+v", g.Result)
		}
	case <-time.After(patience):
		t.Fatal("the game does not end")
	}
	if opened, _, _ := slow.counts(); opened != 2 {
		t.Errorf("%d engines for two seats", opened)
	}
}

// lives is how often a bridge was welcomed.
func (b *Bridge) lives() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.connections
}
