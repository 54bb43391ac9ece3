package abstractplay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/bots/sites/abstractplay/abstractplaytest"
	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// thinker is a straight bot that says what it is asked, and waits before it answers.
type thinker struct {
	hexproto.Engine
	asked  func(*wire.Game, hexproto.Budget)
	answer func(context.Context, hexproto.Decision) (hexproto.Decision, error) // may be nil
}

func (e thinker) Open(ctx context.Context, g *wire.Game, seat int) (_ hexproto.Engine, err error) {
	e.Engine, err = straightBot.Open(ctx, g, seat)
	return e, err
}

func (e thinker) Decide(ctx context.Context, g *wire.Game, b hexproto.Budget) (hexproto.Decision, error) {
	e.asked(g, b)
	d, err := e.Engine.Decide(ctx, g, b)
	if err == nil && e.answer != nil {
		d, err = e.answer(ctx, d)
	}
	return d, err
}

// A position that is asked about again, while the bot thinks, once it has moved, and after a restart, is answered
// once; so is one that is older than the last, and one in which the opponent is to move.
func TestAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		var positions []string
		s.engine = thinker{
			asked: func(g *wire.Game, _ hexproto.Budget) { positions = append(positions, fmt.Sprint(len(g.Moves))) },
			answer: func(ctx context.Context, d hexproto.Decision) (hexproto.Decision, error) {
				time.Sleep(10 * time.Second)
				return d, nil
			},
		}
		statuses := s.statuses()
		s.start()
		g := s.play(0, false, "size-4")
		first := s.site.Message(g)
		ask := func(m map[string]any, text string) {
			t.Helper()
			s.post(m, 202, text)
			synctest.Wait()
		}
		time.Sleep(time.Second)
		ask(first, "nothing new")
		time.Sleep(15 * time.Second) // the bot has moved, and thinks about its second move
		ask(first, "nothing new")
		second := s.site.Message(g)
		ask(second, "nothing new")
		stale := s.site.Message(g)
		time.Sleep(10 * time.Second) // it has made that, too
		moves := slices.Concat(s.site.Message(g)["moves"].([][]string)...)
		stale["moves"] = [][]string{moves[:2], moves[2:3]} // without the opponent's answer
		ask(stale, "nothing new")
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
		s.start()
		ask(second, "nothing new")
		<-g.Done
		want := []string{"0", "2", "4", "4", "6"}
		if !slices.Equal(positions, want) || len(s.site.Refused) > 0 || g.Result != "won" || s.site.Moves(g) != 4 {
			t.Errorf("%s in %d moves, thought about %q, refused %q", g.Result, s.site.Moves(g), positions,
				s.site.Refused)
		}
		if got := statuses(); got[202] != 4 || len(got) != 1 {
			t.Errorf("statuses %v", got)
		}
	})
}

// statuses counts the answers of the bot to requests for moves, by their status.
func (s *setup) statuses() (count func() map[int]int) {
	var mu sync.Mutex
	counts := map[int]int{}
	s.site.OnAsked = func(_ *abstractplaytest.Game, status int) {
		mu.Lock()
		defer mu.Unlock()
		counts[status]++
	}
	return func() map[int]int {
		s.site.Wait()
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(counts)
	}
}

// Engines are told that the opponent of a first stone may take it over, and that the bot cannot.
func TestPie(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		seen := map[string]bool{}
		s.engine = thinker{asked: func(g *wire.Game, _ hexproto.Budget) {
			var moves []string
			for _, m := range g.Moves[:min(len(g.Moves), 2)] {
				moves = append(moves, m.Move)
			}
			if len(g.Moves) < 3 {
				seen[fmt.Sprintf("%s, seat %d, turn %d", strings.Join(moves, " "), g.You, g.Turn)] = true
			}
		}}
		s.start()
		for _, g := range []*abstractplaytest.Game{s.play(0, false), s.play(1, false), s.play(0, true)} {
			<-g.Done
		}
		// The opponent's first stone is o15, and the bot's a1: it is told of a swap where it cannot swap itself.
		for _, want := range []string{", seat 0, turn 0", "o15 swap, seat 0, turn 2", "a1 swap, seat 0, turn 2"} {
			if !seen[want] {
				t.Errorf("engines saw %v, not %q", seen, want)
			}
		}
	})
}

// Challenges are judged by the rules of the settings.
func TestRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		a := &s.settings.Accept
		a.Games, a.PerPlayer, a.Sides, a.Block = 3, 2, []uint64{8, 6}, []string{"eve"}
		a.MinClock, a.MaxClock = 2*time.Hour, 100*time.Hour
		s.start()
		s.post(abstractplaytest.Challenge("ann", 24, "size-10"), 400, "side 10")
		s.post(abstractplaytest.Challenge("eve", 24), 400, "this player")
		s.post(abstractplaytest.Challenge("ann", 1), 400, "starts with 1 hours")
		s.post(abstractplaytest.Challenge("ann", 51), 400, "may have 102 hours")
		many := abstractplaytest.Challenge("ann", 24)
		many["challengers"] = []string{"ann", "bob"}
		s.post(many, 400, "one opponent")
		many["challengers"] = []string{}
		s.post(many, 400, "one opponent")
		other := abstractplaytest.Challenge("ann", 24)
		other["metaGame"] = "hex"
		s.post(other, 400, "this bot plays havannah")
		s.post(abstractplaytest.Challenge("ann", 24), 200, "accepted")
		s.post(abstractplaytest.Challenge("ann", 24, "size-6"), 200, "accepted")
		s.post(abstractplaytest.Challenge("ann", 24), 400, "2 games with a player")
		s.post(abstractplaytest.Challenge("bob", 24), 200, "accepted")
		s.post(abstractplaytest.Challenge("cid", 24), 400, "3 games are enough")
		// Of a challenge comes a game, and a game that is over does not count.
		g := s.play(0, false, "size-6")
		<-g.Done
		s.site.Wait()
		synctest.Wait()
		s.post(abstractplaytest.Challenge("ann", 24), 200, "accepted")
		s.post(abstractplaytest.Challenge("cid", 24), 400, "3 games are enough")
		// These three never begin.
		time.Sleep(73 * time.Hour)
		s.post(abstractplaytest.Challenge("cid", 24), 200, "accepted")
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
		a.Enabled = false
		s.start()
		s.post(abstractplaytest.Challenge("dan", 24), 400, "no challenges")
		g = s.play(1, false)
		if <-g.Done; g.Result == "" {
			t.Error("a game that runs is not finished")
		}
	})
}

// A thousand games that are kept do not keep one from beginning, unless they run.
func TestManyGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		kept, err := readState(s.settings.Webhook.State)
		if err != nil {
			t.Fatal(err)
		}
		for i := range maxGames {
			kept.Games[fmt.Sprint(i)] = &game{Position: "side=4 : a1", Move: "d4", Done: over,
				Asked: time.Now().Add(time.Duration(i-maxGames) * time.Minute), Left: 72}
		}
		kept.Games["0"].Done = moved // it runs
		if err := kept.save(); err != nil {
			t.Fatal(err)
		}
		s.start()
		s.post(abstractplaytest.Challenge("ann", 72, "size-4"), 200, "accepted")
		g := s.play(0, false, "size-4")
		if <-g.Done; g.Result != "won" {
			t.Errorf("the game is %s, refused: %q", g.Result, s.site.Refused)
		}
		s.site.Wait()
		synctest.Wait()
		if kept, err = readState(s.settings.Webhook.State); err != nil || len(kept.Games) != 2 ||
			kept.Games["0"] == nil || kept.Games[g.ID] == nil {
			t.Errorf("%d games are kept, %v", len(kept.Games), err)
		}
		for i := range maxGames {
			kept.Games[fmt.Sprint(i)] = &game{Asked: time.Now(), Left: 72, Done: moved}
		}
		if kept.room() {
			t.Error("there is room beside a thousand games that run")
		}
	})
}

// A move is sent until the site has read it, whatever happens meanwhile. Only then the next one is asked for.
func TestFailures(t *testing.T) {
	status := func(status int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { w.WriteHeader(status) }
	}
	for name, fail := range map[string]func(http.ResponseWriter){
		"gateway": status(502), "unavailable": status(503), "gateway timeout": status(504), "busy": status(429),
		"cut": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		for _, after := range []bool{false, true} { // whether the site has taken the move
			t.Run(fmt.Sprintf("%s, taken: %v", name, after), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newSetup(t)
					n := 0
					once := func(w http.ResponseWriter) bool {
						if n++; n%3 != 2 {
							return false
						}
						fail(w)
						return true
					}
					if after {
						s.site.OnMoved = func(w http.ResponseWriter, g *abstractplaytest.Game) bool { return once(w) }
					} else {
						s.site.OnQuery = func(w http.ResponseWriter, _ *http.Request) bool { return once(w) }
					}
					s.start()
					g := s.play(0, false, "size-4")
					if after { // the site knows that it is the opponent's turn, but does not let it move
						time.Sleep(time.Hour)
						synctest.Wait()
						if s.site.Moves(g) != 2 || len(s.site.Refused) == 0 || len(s.site.Refused) > maxRefusals {
							t.Errorf("%d moves, refused %q", s.site.Moves(g), s.site.Refused)
						}
						s.site.GoOn(g)
					}
					if <-g.Done; g.Result != "won" || s.site.Moves(g) != 4 || !after && len(s.site.Refused) > 0 {
						t.Errorf("%s in %d moves, refused %q", g.Result, s.site.Moves(g), s.site.Refused)
					}
				})
			})
		}
	}
}

// A token that is no longer valid is renewed, once for a move.
func TestToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		s.site.OnMoved = func(_ http.ResponseWriter, g *abstractplaytest.Game) bool {
			s.site.Token = ""
			return false
		}
		s.start()
		if g := s.play(0, false, "size-4"); true {
			if <-g.Done; g.Result != "won" || s.site.Tokens != 4 {
				t.Errorf("%s with %d tokens for 4 moves", g.Result, s.site.Tokens)
			}
		}
		s.site.OnMoved = nil
		denied := 0
		s.site.OnQuery = func(w http.ResponseWriter, _ *http.Request) bool {
			if denied++; denied > 6 {
				return false
			}
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		s.site.Tokens = 0
		if g := s.play(0, false, "size-4"); true {
			if <-g.Done; g.Result != "won" || s.site.Tokens > 4 || denied != 10 {
				t.Errorf("%s with %d tokens, asked %d times", g.Result, s.site.Tokens, denied)
			}
		}
	})
}

// A move that the site refuses is given up after a few times, and decided again once the site asks again.
func TestRefusedMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		refusals := 0
		s.site.OnQuery = func(w http.ResponseWriter, _ *http.Request) bool {
			if refusals++; refusals > maxRefusals {
				return false
			}
			fmt.Fprint(w, `{"statusCode":500,"body":"{\"message\":\"Unable to process submit move\"}"}`)
			return true
		}
		s.start()
		g := s.play(0, false, "size-4")
		time.Sleep(time.Hour)
		synctest.Wait()
		if refusals != maxRefusals || !strings.Contains(s.log.String(), "the move is given up") {
			t.Errorf("%d refusals: %s", refusals, &s.log)
		}
		s.post(s.site.Message(g), 202, "thinking")
		if <-g.Done; g.Result != "won" {
			t.Error(g.Result)
		}
	})
}

// An engine that fails, or whose move is illegal, is asked again.
func TestBrokenEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		n := 0
		s.engine = thinker{
			asked: func(*wire.Game, hexproto.Budget) {},
			answer: func(ctx context.Context, d hexproto.Decision) (hexproto.Decision, error) {
				switch n++; n {
				case 1:
					return d, errors.New("broken")
				case 2:
					d.Move = "z99"
				case 3:
					d.Move = ""
				case 4:
					<-ctx.Done() // it hangs
					return d, ctx.Err()
				}
				return d, nil
			},
		}
		s.start()
		g := s.play(0, false, "size-4")
		if <-g.Done; g.Result != "won" || len(s.site.Refused) > 0 {
			t.Errorf("%s, refused %q: %s", g.Result, s.site.Refused, &s.log)
		}
	})
}

// The bot resigns by the rules of the settings, and when the engine does.
func TestResignation(t *testing.T) {
	for _, rated := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := newSetup(t)
			s.settings.Conduct.ResignBelow, s.settings.Conduct.ResignAfter = 0.1, 2
			n := 0
			values := []float64{0.05, 0.2, 0.05, 0.05}
			s.engine = thinker{
				asked: func(*wire.Game, hexproto.Budget) {},
				answer: func(_ context.Context, d hexproto.Decision) (hexproto.Decision, error) {
					if rated {
						d.Rated = []wire.Rated{{Move: d.Move, Value: values[n]}}
					} else if n == 3 {
						d = hexproto.Decision{Resign: true}
					}
					n++
					return d, nil
				},
			}
			s.start()
			g := s.play(0, false, "size-6")
			if <-g.Done; g.Result != "resigned" || s.site.Moves(g) != 3 || len(s.site.Refused) > 0 {
				t.Errorf("%s after %d moves, refused %q", g.Result, s.site.Moves(g), s.site.Refused)
			}
		})
	}
}

// Searches take their share of the clock, and games take turns.
func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		s.settings.Engine.Threads = 1 << 10 // one search at a time
		s.settings.Think.Most = 2 * time.Hour
		var mu sync.Mutex
		var allowed []time.Duration
		var order []string
		s.engine = thinker{
			asked: func(g *wire.Game, b hexproto.Budget) {
				mu.Lock()
				defer mu.Unlock()
				allowed, order = append(allowed, b.Left), append(order, g.Game)
			},
			answer: func(_ context.Context, d hexproto.Decision) (hexproto.Decision, error) {
				time.Sleep(time.Minute)
				return d, nil
			},
		}
		s.start()
		var games []string
		for range 3 {
			g := s.play(0, false, "size-4")
			games = append(games, g.ID)
			time.Sleep(time.Second)
		}
		time.Sleep(10 * time.Minute)
		mu.Lock()
		defer mu.Unlock()
		// 71.5 hours in 40 parts; by the first search nobody waits, by the second one other.
		share := 71*time.Hour/40 + 30*time.Minute/40
		for i, want := range []time.Duration{share, share / 2, share / 2} {
			if got := allowed[i]; got > want || got < want-5*time.Minute {
				t.Errorf("search %d may take %v, want about %v", i, got, want)
			}
		}
		if !slices.Equal(order[:6], slices.Concat(games, games)) {
			t.Errorf("%q think in the order %q", games, order)
		}
		for _, c := range []struct {
			left hours
			want time.Duration
		}{{0, time.Second}, {-7, time.Second}, {1, 45 * time.Second}, {1e300, 2 * time.Hour}} {
			b := &Bot{Settings: s.settings, slots: 1}
			if got := b.allowed(&game{Left: c.left, Asked: time.Now()}, 0); got != c.want {
				t.Errorf("with %g hours %v, want %v", c.left, got, c.want)
			}
		}
	})
}

// A bot that ends between any two steps goes on at the next start. What it has decided before is what it sends.
func TestRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		thoughts := 0
		s.engine = thinker{
			asked: func(*wire.Game, hexproto.Budget) { thoughts++ },
			answer: func(ctx context.Context, d hexproto.Decision) (hexproto.Decision, error) {
				if thoughts == 1 {
					<-ctx.Done() // the bot is stopped while it thinks, and the engine answers all the same
				}
				return d, nil
			},
		}
		var down atomic.Bool
		down.Store(true)
		s.site.OnQuery = func(w http.ResponseWriter, _ *http.Request) bool {
			if down.Load() {
				w.WriteHeader(http.StatusBadGateway)
			}
			return down.Load()
		}
		restart := func() {
			synctest.Wait()
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
			s.start()
			time.Sleep(time.Minute)
		}
		s.start()
		g := s.play(0, false, "size-4")
		time.Sleep(time.Second)
		restart() // while it thinks
		if state := s.state(); thoughts != 2 || state.Games[g.ID].Move != "a1" {
			t.Errorf("%d thoughts, %+v", thoughts, state.Games[g.ID])
		}
		restart() // while it sends
		down.Store(false)
		restart()
		if <-g.Done; thoughts != 5 || g.Result != "won" || len(s.site.Refused) > 0 {
			t.Errorf("%s with %d thoughts, refused %q", g.Result, thoughts, s.site.Refused)
		}
		synctest.Wait()
		if state := s.state(); state.Games[g.ID].Done != over {
			t.Errorf("%+v", state.Games[g.ID])
		}
	})
}

// state returns what is in the file.
func (s *setup) state() *state {
	s.t.Helper()
	state, err := readState(s.settings.Webhook.State)
	if err != nil {
		s.t.Fatal(err)
	}
	return state
}

// A state that cannot be stored is no reason to lose the game, but the site hears of it.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSetup(t)
		folder := filepath.Join(t.TempDir(), "state")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		s.settings.Webhook.State = filepath.Join(folder, "state.json")
		statuses := s.statuses()
		s.start()
		synctest.Wait()
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		s.post(abstractplaytest.Challenge("ann", 72), 503, "could not be stored")
		g := s.play(0, false, "size-4")
		<-g.Done
		if got := statuses(); g.Result != "won" || got[503] != 4 {
			t.Errorf("%s, statuses %v", g.Result, got)
		}
	})
}

// A file that is not a state is an error that names it.
func TestDamagedState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(path, []byte(`{"games":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readState(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}
