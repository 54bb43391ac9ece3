package bridge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/client"
	"gamebots/hexproto/wire"
)

// Several challenges at once, and one place.
func TestPlaceIsReservedBeforeAccepting(t *testing.T) {
	f, s := newFake(t), settings()
	s.Accept.Games = 1
	bridgeTo(t, f.web.URL, &stub{}, s)
	f.greeted(1)
	for i := range 5 {
		f.say(challenge(fmt.Sprint("c", i), fmt.Sprint("player", i)))
	}
	accepted, declined := 0, 0
	for range 5 {
		switch h := take(t, f.heard); m := h.m.(type) {
		case *wire.Accept:
			accepted++
			f.answer(h.id, &wire.Ack{Game: "g1"})
		case *wire.Decline:
			declined++
			if m.Reason != "busy" {
				t.Errorf("declined for %q", m.Reason)
			}
		default:
			t.Errorf("%+v", m)
		}
	}
	if accepted != 1 || declined != 4 {
		t.Errorf("%d accepted, %d declined", accepted, declined)
	}
	// The place is taken until the game has ended, also before its state came.
	f.say(challenge("c9", "late"))
	if _, d := next[wire.Decline](f); d.Challenge != "c9" {
		t.Errorf("%+v", d)
	}
	f.say(state("g1", "a1"))
	over := state("g1", "a1")
	over.Result = &wire.Result{Winner: 0, How: "resign"}
	f.say(over)
	for start := time.Now(); time.Since(start) < patience; { // until the game is forgotten
		f.say(challenge("c10", fmt.Sprint("later", time.Now().UnixNano())))
		if h := take(t, f.heard); is[wire.Accept](h.m) {
			return
		}
	}
	t.Error("the game keeps its place")
}

func is[M any](m wire.Message) bool { _, ok := any(m).(*M); return ok }

// The answer that names a game may be taken when the game is over, and its place free.
func TestOverBeforeItsAnswer(t *testing.T) {
	for _, c := range []struct{ own, seen bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			f, s := newFake(t), settings()
			s.Challenge.Enabled, s.Challenge.Games, s.Challenge.Opponents = c.own, 1, []string{"ada"}
			b := newBridge(t, f.web.URL, &stub{}, s)
			ended := make(chan *wire.Game, 1)
			b.OnEnd = func(g *wire.Game) { ended <- g }
			run(t, b)
			f.greeted(1)
			var id uint64
			if c.own {
				id, _ = next[wire.Challenge](f)
			} else {
				f.say(challenge("c1", "ada"))
				id, _ = next[wire.Accept](f)
				b.drain()
			}
			over := state("g1", "a1")
			over.Result = &wire.Result{Winner: 0, How: "resign"}
			if c.seen {
				f.say(state("g1", "a1"))
			}
			f.say(over)
			if c.seen {
				take(t, ended)
			}
			f.answer(id, &wire.Ack{Challenge: "c1", Game: "g1"})
			take(t, b.drained)
			b.mu.Lock()
			defer b.mu.Unlock()
			if len(b.over) != 0 {
				t.Errorf("%v is remembered", b.over)
			}
		})
	}
}

// A challenge of one's own takes a place too.
func TestOwnChallengeTakesAPlace(t *testing.T) {
	f, s := newFake(t), settings()
	s.Accept.Games = 1
	s.Challenge.Enabled, s.Challenge.Opponents = true, []string{"ada"}
	bridgeTo(t, f.web.URL, &stub{}, s)
	id, c := next[wire.Challenge](f)
	if c.To != "ada" {
		t.Errorf("%+v", c)
	}
	f.say(challenge("c1", "bob"))
	if _, d := next[wire.Decline](f); d.Reason != "busy" {
		t.Errorf("%+v", d)
	}
	f.answer(id, &wire.Ack{Challenge: "own"})
	f.say(challenge("c2", "bob"))
	if _, d := next[wire.Decline](f); d.Reason != "busy" {
		t.Errorf("%+v", d)
	}
	f.say(&wire.Closed{Challenge: "own", Why: "accepted", By: "ada", Game: "g1"})
	f.say(challenge("c3", "bob"))
	if _, d := next[wire.Decline](f); d.Reason != "busy" {
		t.Errorf("%+v", d)
	}
	silence[wire.Challenge](f, 250*time.Millisecond)
}

// A reconnect in the middle of thinking: one engine, one decision, one move.
func TestReconnectWhileThinking(t *testing.T) {
	f := newFake(t)
	think, thinking := make(chan struct{}), make(chan struct{}, 10)
	bot := &stub{decide: func(ctx context.Context, _ *wire.Game) (hexproto.Decision, error) {
		thinking <- struct{}{}
		until(ctx, think)
		return hexproto.Decision{Move: "b2"}, ctx.Err()
	}}
	f.play(state("g1"))
	bridgeTo(t, f.web.URL, bot, settings())
	take(t, thinking)
	for n := 2; n < 5; n++ {
		f.cut()
		f.greeted(n)
	}
	f.say(state("g1")) // the same state twice
	close(think)
	id, m := next[wire.Play](f)
	if m.Move != "b2" || m.Turn != 0 {
		t.Errorf("%+v", m)
	}
	f.answer(id, &wire.Ack{})
	silence[wire.Play](f, 100*time.Millisecond)
	if opened, asked, closed := bot.counts(); opened != 1 || asked != 1 || closed != 0 {
		t.Errorf("%d engines, %d decisions, %d closed", opened, asked, closed)
	}
}

// A state that comes twice does not start the engine again, another position
// does.
func TestDuplicateState(t *testing.T) {
	f := newFake(t)
	thinking := make(chan string, 10)
	bot := &stub{decide: func(ctx context.Context, g *wire.Game) (hexproto.Decision, error) {
		thinking <- fmt.Sprint(len(g.Moves))
		if g.Turn == 2 {
			<-ctx.Done()
			return hexproto.Decision{}, ctx.Err()
		}
		return hexproto.Decision{Move: "c3"}, nil
	}}
	f.play(state("g1", "a1", "a2"))
	bridgeTo(t, f.web.URL, bot, settings())
	take(t, thinking)
	for range 20 {
		f.say(state("g1", "a1", "a2"))
	}
	f.play(state("g1")) // taken back
	if at := take(t, thinking); at != "0" {
		t.Errorf("thinks after %s moves", at)
	}
	if _, m := next[wire.Play](f); m.Turn != 0 || m.Move != "c3" {
		t.Errorf("%+v", m)
	}
	if opened, asked, _ := bot.counts(); opened != 1 || asked != 2 {
		t.Errorf("%d engines, %d decisions", opened, asked)
	}
}

// musing is a bot whose engines ponder.
type musing struct {
	*stub
	ponder func(ctx context.Context, g *wire.Game)
}

type musingEngine struct {
	hexproto.Engine
	ponder func(ctx context.Context, g *wire.Game)
}

func (b musing) Open(ctx context.Context, g *wire.Game, seat int) (hexproto.Engine, error) {
	e, err := b.stub.Open(ctx, g, seat)
	return musingEngine{e, b.ponder}, err
}

func (e musingEngine) Ponder(ctx context.Context, g *wire.Game) { e.ponder(ctx, g) }

// An engine ponders once on each position in which the other is to move, also if it
// is soon done with it, and is stopped before it has to move.
func TestPonder(t *testing.T) {
	for _, patient := range []bool{true, false} {
		t.Run(fmt.Sprint("patient ", patient), func(t *testing.T) {
			f, s := newFake(t), settings()
			s.Engine.Ponder = true
			pondered := make(chan int, 1000)
			var busy atomic.Int32
			bot := musing{&stub{decide: func(context.Context, *wire.Game) (hexproto.Decision, error) {
				if busy.Load() != 0 {
					t.Error("it has to move while it ponders")
				}
				return hexproto.Decision{Move: "c3"}, nil
			}}, func(ctx context.Context, g *wire.Game) {
				busy.Add(1)
				defer busy.Add(-1)
				select {
				case pondered <- len(g.Moves):
				case <-ctx.Done():
				}
				if patient {
					<-ctx.Done()
				}
			}}
			f.play(state("g1"))
			bridgeTo(t, f.web.URL, bot, s)
			var moves []string
			for range 2 {
				id, _ := next[wire.Play](f)
				f.answer(id, &wire.Ack{})
				moves = append(moves, "c3")
				f.play(state("g1", moves...))
				for at := -1; at < len(moves); at = take(t, pondered) {
				}
				silence[wire.Play](f, 30*time.Millisecond)
				if n := len(pondered); n > 0 {
					t.Errorf("pondered %d times more", n)
				}
				moves = append(moves, "a1")
				f.play(state("g1", moves...))
			}
			next[wire.Play](f)
		})
	}
}

// The connection is lost after a move, before its acknowledgement.
func TestMoveIsSentOnce(t *testing.T) {
	for _, arrived := range []bool{true, false} {
		t.Run(fmt.Sprint("arrived ", arrived), func(t *testing.T) {
			f, bot := newFake(t), &stub{}
			f.play(state("g1"))
			bridgeTo(t, f.web.URL, bot, settings())
			next[wire.Play](f)
			if arrived {
				f.play(state("g1", "a1"))
			}
			f.cut()
			f.greeted(2)
			if arrived {
				silence[wire.Play](f, 150*time.Millisecond)
			} else {
				id, m := next[wire.Play](f)
				if m.Move != "a1" {
					t.Errorf("%+v", m)
				}
				f.answer(id, &wire.Ack{})
				silence[wire.Play](f, 100*time.Millisecond)
			}
			if _, asked, _ := bot.counts(); asked != 1 {
				t.Errorf("%d decisions", asked)
			}
		})
	}
}

// All games that run are taken up after a reconnect, also those that began
// without the bridge.
func TestAllGamesAreResumed(t *testing.T) {
	f, bot := newFake(t), &stub{}
	f.play(state("g0", "x"))
	s := settings()
	bridgeTo(t, f.web.URL, bot, s)
	f.greeted(1)
	f.cut()
	var games []*wire.Game
	for i := range 50 {
		games = append(games, state(fmt.Sprint("g", i)))
	}
	f.play(games...)
	f.greeted(2)
	moved := map[string]bool{}
	for len(moved) < 50 {
		id, m := next[wire.Play](f)
		f.answer(id, &wire.Ack{})
		if moved[m.Game] {
			t.Fatalf("two moves in %s", m.Game)
		}
		moved[m.Game] = true
	}
}

// A game that ended while the bridge was away is asked for and ended.
func TestGameEndedMeanwhile(t *testing.T) {
	f := newFake(t)
	f.play(state("g1", "a1"))
	b := newBridge(t, f.web.URL, &stub{}, settings())
	ended := make(chan *wire.Game, 1)
	b.OnEnd = func(g *wire.Game) { ended <- g }
	run(t, b)
	for start := time.Now(); b.running() == 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > patience {
			t.Fatal("the bridge does not take the game up")
		}
	}
	f.play()
	f.cut()
	f.greeted(2)
	id, w := next[wire.Watch](f)
	over := state("g1", "a1", "b2")
	over.Result = &wire.Result{Winner: 1, How: "ring"}
	f.answer(id, over)
	if g := take(t, ended); w.Game != "g1" || g.Result.How != "ring" {
		t.Errorf("%+v", g)
	}
}

// Many games end at once: each is reported, and none while another is.
func TestEndsAreReportedOneByOne(t *testing.T) {
	f := newFake(t)
	var games, over []*wire.Game
	for i := range 20 {
		games = append(games, state(fmt.Sprint("g", i), "a1"))
		end := state(fmt.Sprint("g", i), "a1")
		end.Result = &wire.Result{Winner: 0, How: "resign"}
		over = append(over, end)
	}
	b := newBridge(t, f.web.URL, &stub{}, settings())
	var inside atomic.Int32
	told := make(chan string, len(games))
	b.OnEnd = func(g *wire.Game) {
		if inside.Add(1) != 1 {
			t.Error("two ends are told at once")
		}
		time.Sleep(2 * time.Millisecond)
		inside.Add(-1)
		told <- g.Game
	}
	f.play(games...)
	run(t, b)
	f.greeted(1)
	f.play(over...)
	seen := map[string]bool{}
	for range games {
		seen[take(t, told)] = true
	}
	if len(seen) != len(games) {
		t.Errorf("%d games are told of, not %d", len(seen), len(games))
	}
}

// After a reconnect the clock is the server's, and never zero.
func TestClockAfterReconnect(t *testing.T) {
	f, bot := newFake(t), &stub{}
	bot.decide = func(ctx context.Context, g *wire.Game) (hexproto.Decision, error) {
		return hexproto.Decision{Move: "a1"}, nil
	}
	waits := state("g1", "x")
	waits.Clock = wire.Clock{Main: 60000}
	waits.Time.Left = []int64{42000, 1}
	f.play(waits)
	s := settings()
	s.Time.Overhead = 0
	bridgeTo(t, f.web.URL, bot, s)
	f.greeted(1)
	f.cut()
	mine := state("g1", "x", "y")
	mine.Clock, mine.Time = waits.Clock, waits.Time // it stands: the server has just come back
	f.play(mine)
	next[wire.Play](f)
	bot.mu.Lock()
	defer bot.mu.Unlock()
	if left := bot.budgets[0].Left; left < 41*time.Second || left > 42*time.Second {
		t.Errorf("the engine is told of %v", left)
	}
}

// A connection that is dead without a word is noticed by the silence.
func TestDeadConnection(t *testing.T) {
	f, bot := newFake(t), &stub{}
	b := New(&client.Client{
		URL: "ws" + f.web.URL[4:] + "/ws", Hello: wire.Hello{Token: "x"}, Timeout: 250 * time.Millisecond,
	}, bot, settings(), testLog(t))
	run(t, b)
	f.greeted(1)
	f.mu.Lock()
	f.deaf = true
	f.mu.Unlock()
	f.greeted(2)
}

// A bridge that the server asks to wait does so, and loses nothing.
func TestRateLimit(t *testing.T) {
	f := newFake(t)
	f.mu.Lock()
	f.refuse = []int{503, 429}
	f.mu.Unlock()
	f.play(state("g1"))
	began := time.Now()
	bridgeTo(t, f.web.URL, &stub{}, settings())
	id, _ := next[wire.Play](f)
	if waited := time.Since(began); waited < 2*time.Second {
		t.Errorf("it comes after %v, told to wait a second, twice", waited)
	}
	f.answer(id, &wire.Error{Code: wire.TooFast, Retry: 300})
	told := time.Now()
	_, m := next[wire.Play](f)
	if waited := time.Since(told); waited < 300*time.Millisecond || m.Move != "a1" {
		t.Errorf("%+v after %v", m, waited)
	}
}

// A bot that challenges for ever is put off longer and longer.
func TestChallengesForEver(t *testing.T) {
	f, s := newFake(t), settings()
	s.Accept.Block = []string{"Eve"}
	bridgeTo(t, f.web.URL, &stub{}, s)
	f.greeted(1)
	for i := range 6 {
		f.say(challenge(fmt.Sprint("c", i), "eve"))
		want := "blocked"
		if _, d := next[wire.Decline](f); d.Reason != want {
			t.Errorf("challenge %d is declined for %q", i, d.Reason)
		}
	}
	b := New(&client.Client{}, &stub{}, settings(), testLog(t))
	b.ctx = t.Context()
	b.settings.Accept.Rated = false
	for range 8 {
		c := challenge("c", "bob")
		c.Rated = true
		b.challenged(c)
	}
	b.settings.Accept.Rated = true
	if left := time.Until(b.backoff("BOB").until); left < 20*time.Second || left > maxBackoff {
		t.Errorf("bob waits %v", left)
	}
	if b.slotsWith("bob") != 0 {
		t.Error("a game with bob")
	}
	b.wait.Wait()
}

// A draw offer while the engine thinks is answered, and the game goes on.
func TestDrawOfferWhileThinking(t *testing.T) {
	f := newFake(t)
	think := make(chan struct{})
	bot := &stub{decide: func(ctx context.Context, _ *wire.Game) (hexproto.Decision, error) {
		until(ctx, think)
		return hexproto.Decision{Move: "a1"}, nil
	}}
	f.play(state("g1"))
	bridgeTo(t, f.web.URL, bot, settings())
	f.greeted(1)
	for range 3 {
		f.say(&wire.Offered{Game: "g1", Seat: 1, Offer: "draw"})
	}
	if _, o := next[wire.Offer](f); !o.No || o.Offer != "draw" {
		t.Errorf("%+v", o)
	}
	close(think)
	next[wire.Play](f)
	silence[wire.Offer](f, 50*time.Millisecond)
}

// fair is a bot whose engines accept draws.
type fair struct{ hexproto.Bot }

type fairEngine struct{ musingEngine }

func (b fair) Open(ctx context.Context, g *wire.Game, seat int) (hexproto.Engine, error) {
	e, err := b.Bot.Open(ctx, g, seat)
	return fairEngine{e.(musingEngine)}, err
}

func (fairEngine) Accept(context.Context, *wire.Game, string) bool { return true }

// The engine is asked about a draw, once, whatever it does when the offer comes; and
// not at the same time.
func TestEngineIsAskedAboutDraws(t *testing.T) {
	for _, does := range []string{"nothing", "ponder", "decide"} {
		t.Run(does, func(t *testing.T) {
			f, s := newFake(t), settings()
			s.Engine.Ponder = does == "ponder"
			think, busy := make(chan struct{}, 2), make(chan struct{}, 100)
			bot := musing{&stub{decide: func(ctx context.Context, _ *wire.Game) (hexproto.Decision, error) {
				busy <- struct{}{}
				until(ctx, think)
				return hexproto.Decision{Move: "a1"}, nil
			}}, func(ctx context.Context, _ *wire.Game) {
				busy <- struct{}{}
				<-ctx.Done()
			}}
			think <- struct{}{} // its first move
			f.play(state("g1"))
			bridgeTo(t, f.web.URL, fair{bot}, s)
			id, _ := next[wire.Play](f)
			take(t, busy)
			f.answer(id, &wire.Ack{})
			moves := []string{"a1", "b2"}
			if does != "decide" {
				moves = moves[:1] // the other is to move
			}
			f.play(state("g1", moves...))
			if does != "nothing" {
				take(t, busy)
			}
			f.say(&wire.Offered{Game: "g1", Seat: 1, Offer: "draw"})
			if does == "decide" {
				silence[wire.Offer](f, 30*time.Millisecond)
				think <- struct{}{}
			}
			if _, o := next[wire.Offer](f); o.No || o.Offer != "draw" {
				t.Errorf("%+v", o)
			}
			if does == "ponder" {
				take(t, busy) // again
			}
			silence[wire.Offer](f, 30*time.Millisecond)
		})
	}
}

// Hundreds of games in which it is not our turn come at once: no engine starts.
func TestHundredsOfIdleGames(t *testing.T) {
	f, bot := newFake(t), &stub{}
	var games []*wire.Game
	for i := range 400 {
		games = append(games, state(fmt.Sprint("g", i), "a1"))
	}
	f.play(games...)
	b := bridgeTo(t, f.web.URL, bot, settings())
	f.greeted(1)
	f.cut()
	f.greeted(2)
	f.say(challenge("c1", "ada"))
	if _, d := next[wire.Decline](f); d.Reason != "busy" {
		t.Errorf("%+v", d)
	}
	n := b.running()
	if opened, _, _ := bot.counts(); n != 400 || opened != 0 {
		t.Errorf("%d games, %d engines", n, opened)
	}
}

// Engines that crash, hang, or answer without a legal move are started again as often as
// the settings say; then the game is resigned.
func TestBadEngines(t *testing.T) {
	for _, c := range []struct {
		name   string
		bot    *stub
		answer func(*fake)
		opened int
	}{
		{"crash", &stub{decide: func(context.Context, *wire.Game) (hexproto.Decision, error) {
			return hexproto.Decision{}, errors.New("segmentation fault")
		}}, nil, 3},
		{"do not start", &stub{open: func() error { return errors.New("no such file") }}, nil, 3},
		{"hang", &stub{decide: func(ctx context.Context, _ *wire.Game) (hexproto.Decision, error) {
			<-ctx.Value(goneKey{}).(chan struct{}) // deaf to everything but their end
			return hexproto.Decision{}, errors.New("killed")
		}}, nil, 3},
		{"say nothing", &stub{decide: func(context.Context, *wire.Game) (hexproto.Decision, error) {
			return hexproto.Decision{}, nil
		}}, nil, 3},
		{"garbage", &stub{decide: func(context.Context, *wire.Game) (hexproto.Decision, error) {
			return hexproto.Decision{Move: "?!"}, nil
		}}, func(f *fake) {
			for range 3 {
				id, _ := next[wire.Play](f)
				f.answer(id, &wire.Error{Code: wire.Illegal, Text: "no move"})
			}
		}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, s := newFake(t), settings()
			s.Time.MaxThink = 50 * time.Millisecond
			f.play(state("g1"))
			bridgeTo(t, f.web.URL, c.bot, s)
			if c.answer != nil {
				c.answer(f)
			}
			if _, m := next[wire.Resign](f); m.Game != "g1" {
				t.Errorf("%+v", m)
			}
			if opened, _, _ := c.bot.counts(); opened != c.opened {
				t.Errorf("%d engines", opened)
			}
		})
	}
}

// An engine that cannot play a game is not started again, and that is said once, however
// many games there are. The game is aborted as long as the server allows it.
func TestUnableEngine(t *testing.T) {
	for _, c := range []struct {
		seats int
		moves []string
		abort bool
	}{
		{2, nil, true}, {2, []string{"a1"}, true}, {2, []string{"a1", "b2"}, false},
		{3, []string{"a1", "b2"}, true}, {3, []string{"a1", "b2", "c3"}, false},
	} {
		f, s := newFake(t), settings()
		bot := &stub{open: func() error {
			return fmt.Errorf("engine: %w", &hexproto.UnableError{Err: errors.New("size 8 is out of range")})
		}}
		games := []*wire.Game{state("g1", c.moves...), state("g2", c.moves...), state("g3", c.moves...)}
		for _, g := range games {
			g.You, g.ToMove = len(c.moves)%c.seats, []int{len(c.moves) % c.seats}
			g.Seats = slices.Repeat(g.Seats[:1], c.seats)
			for i := range g.Moves {
				g.Moves[i].Seat = i % c.seats
			}
		}
		f.play(games...)
		var log strings.Builder
		b := newBridge(t, f.web.URL, bot, s)
		b.Log = slog.New(slog.NewTextHandler(&log, nil))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.Run(ctx, ctx) }()
		for range games {
			if c.abort {
				next[wire.Abort](f)
			} else {
				next[wire.Resign](f)
			}
		}
		cancel()
		if err := take(t, ended); err != nil {
			t.Error(err)
		}
		if opened, _, _ := bot.counts(); opened != len(games) {
			t.Errorf("%d engines for %d games", opened, len(games))
		}
		if n := strings.Count(log.String(), "size 8 is out of range"); n != 1 {
			t.Errorf("the reason is logged %d times:\n%s", n, &log)
		}
	}
}

// A page that was never there will not come.
func TestWrongAddress(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	c := &client.Client{URL: "ws" + strings.TrimPrefix(web.URL, "http") + "/ws", Hello: wire.Hello{Token: "x"}}
	err := New(c, &stub{}, settings(), slog.New(slog.DiscardHandler)).Run(t.Context(), t.Context())
	if err == nil || !strings.Contains(err.Error(), "no server of board games") {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*configs.Accept, *wire.Challenged)
		want   string
	}{
		{"all is well", func(*configs.Accept, *wire.Challenged) {}, ""},
		{"off", func(a *configs.Accept, _ *wire.Challenged) { a.Enabled = false }, "later"},
		{"rules", func(_ *configs.Accept, m *wire.Challenged) { m.Rules = "nim" }, "rules"},
		{"side", func(a *configs.Accept, _ *wire.Challenged) { a.Sides = []uint64{5, 6} }, "options"},
		{"fast", func(_ *configs.Accept, m *wire.Challenged) { m.Clock.Main = 19000 }, "too_fast"},
		{"an increment counts", func(_ *configs.Accept, m *wire.Challenged) {
			m.Clock = wire.Clock{Main: 1000,
				Increment: 1000}
		}, ""},
		{"slow", func(_ *configs.Accept, m *wire.Challenged) { m.Clock.Main = 3600001 }, "too_slow"},
		{"no clock", func(a *configs.Accept, m *wire.Challenged) { m.Clock, a.NoClock = wire.Clock{}, false },
			"too_slow"},
		{"rated", func(a *configs.Accept, m *wire.Challenged) { m.Rated, a.Rated = true, false }, "rated"},
		{"casual", func(a *configs.Accept, _ *wire.Challenged) { a.Casual = false }, "casual"},
		{"bots", func(a *configs.Accept, m *wire.Challenged) { m.From.Bot, a.Bots = true, false }, "no_bots"},
		{"humans", func(a *configs.Accept, _ *wire.Challenged) { a.Humans = false }, "only_bots"},
		{"weak", func(a *configs.Accept, _ *wire.Challenged) { a.MinRating = 1501 }, "rating"},
		{"strong", func(a *configs.Accept, _ *wire.Challenged) { a.MaxRating = 1499 }, "rating"},
		{"blocked", func(a *configs.Accept, _ *wire.Challenged) { a.Block = []string{"ADA"} }, "blocked"},
		{"not allowed", func(a *configs.Accept, _ *wire.Challenged) { a.Allow = []string{"bob"} }, "blocked"},
		{"allowed", func(a *configs.Accept, _ *wire.Challenged) { a.Allow = []string{"bob", "Ada"} }, ""},
	} {
		s, m := settings(), challenge("c", "ada")
		c.change(&s.Accept, m)
		if got, _ := refusal(&s, m); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A second bot on the account is told of once, and again after it has left.
func TestAnotherConnection(t *testing.T) {
	var log strings.Builder
	b := New(&client.Client{}, &stub{}, settings(), slog.New(slog.NewTextHandler(&log, nil)))
	for _, count := range []int{1, 2, 3, 2, 1, 2} {
		b.Message(&wire.Connections{Count: count})
	}
	if n := strings.Count(log.String(), "another connection plays this account"); n != 2 ||
		strings.Count(log.String(), "level=ERROR") != 2 {
		t.Errorf("it is told %d times:\n%s", n, &log)
	}
}

// The name of the settings is compared with that of the token's account.
func TestNameOfToken(t *testing.T) {
	var log strings.Builder
	s := settings()
	s.Account.Name = "Bot"
	b := New(&client.Client{}, &stub{}, s, slog.New(slog.NewTextHandler(&log, nil)))
	b.Welcome(&wire.Welcome{You: wire.Player{Name: "bot"}})
	if strings.Contains(log.String(), "WARN") {
		t.Errorf("the same name: %s", &log)
	}
	for range 2 {
		b.Welcome(&wire.Welcome{You: wire.Player{Name: "ada"}})
	}
	if n := strings.Count(log.String(), "the token is that of another name"); n != 1 {
		t.Errorf("another name is told %d times:\n%s", n, &log)
	}
	b.wait.Wait()
}

// A challenge that the server will always refuse ends the bot with the reason; an opponent
// that does not exist is told of once, and asked for again.
func TestPermanentRefusals(t *testing.T) {
	f, s := newFake(t), settings()
	s.Challenge.Enabled, s.Challenge.Opponents = true, []string{"ada"}
	b := newBridge(t, f.web.URL, &stub{}, s)
	var log strings.Builder
	b.Log = slog.New(slog.NewTextHandler(&log, nil))
	ended := make(chan error, 1)
	go func() { ended <- b.Run(t.Context(), t.Context()) }()
	for range 3 {
		id, _ := next[wire.Challenge](f)
		f.answer(id, &wire.Error{Code: wire.NotFound, Text: "nobody is called ada"})
	}
	id, _ := next[wire.Challenge](f)
	f.answer(id, &wire.Error{Code: wire.Illegal, Text: "side: 55 is more than 13"})
	if err := take(t, ended); err == nil || !strings.Contains(err.Error(), "side: 55 is more than 13") {
		t.Errorf("the bot ends with %v", err)
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 {
		t.Errorf("%d errors:\n%s", n, &log)
	}
}

// The pauses of players who are long gone are forgotten.
func TestPausesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(&client.Client{}, &stub{}, settings(), testLog(t))
		b.ctx = t.Context()
		b.settings.Accept.Enabled = false
		refuse := func(name string, times int) {
			for range times {
				b.challenged(challenge("c", name))
			}
			b.wait.Wait()
		}
		for i := range 100 {
			refuse(fmt.Sprint("eve", i), 10)
			refuse(fmt.Sprint("bob", i), 1)
		}
		time.Sleep(maxBackoff)
		refuse("ann", 1)
		if n := len(b.backoffs); n != 201 {
			t.Errorf("%d players, of whom some still wait", n)
		}
		time.Sleep(2 * maxBackoff)
		refuse("cid", 1)
		if n := len(b.backoffs); n != 1 {
			t.Errorf("%d players are kept", n)
		}
	})
}
