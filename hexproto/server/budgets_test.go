package server_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// passTime replaces the clock by one that goes on by as much as is added to it.
func passTime(t *testing.T) *atomic.Int64 {
	t.Helper()
	var passed atomic.Int64
	start := time.Now()
	t.Cleanup(server.SetClock(func() time.Time { return start.Add(time.Duration(passed.Load())) }))
	return &passed
}

// limited wants the refusal of a budget, with words and a time to wait.
func limited(t *testing.T, p *peer, m wire.Message, code, words string) time.Duration {
	t.Helper()
	e := p.refused(m, code)
	if e.Retry <= 0 || !strings.Contains(e.Text, words) {
		t.Fatalf("%+v, want %q", e, words)
	}
	return time.Duration(e.Retry) * time.Millisecond
}

// An account stores so much in an hour, however it does it, and then begins no games. Those that
// run go on, others are not concerned, and after the time that it was told it may begin one more.
func TestStoredBytes(t *testing.T) {
	const stored = 60_000
	passed := passTime(t)
	path := filepath.Join(t.TempDir(), "games.db")
	size := func() int64 {
		file, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return file.Size()
	}
	open(t, path, nil).end()
	empty := size()
	h := open(t, path, func(c *server.Config) {
		withMatrix(c)
		c.Limits.Stored, c.Limits.Rate, c.Limits.Burst = stored, 1e6, 1e6
	})
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	running := sit(t, ada, bob, wire.Challenge{})
	offered := ada.must(&wire.Challenge{Rules: "havannah"}).Challenge
	short := wire.Challenge{Rules: "havannah", To: "random", Seat: "first"}
	text := largeGame(t, "one text", 20)
	games := 0
	for ; ; games++ {
		m := short
		switch games % 10 {
		case 3:
			another := largeGame(t, fmt.Sprint("game ", games), 20)
			m = wire.Challenge{Rules: boards.MatrixName, Options: another, To: "dice"}
		case 6:
			m = wire.Challenge{Rules: boards.MatrixName, Options: text, To: "dice"}
		}
		ack, e := ada.ask(&m)
		if e != nil {
			break
		}
		ada.must(&wire.Resign{Game: ack.Game})
		passed.Add(int64(100 * time.Millisecond)) // large texts have a price of their own
	}
	if games < 30 {
		t.Errorf("only %d games", games)
	}
	limited(t, ada, &wire.Challenge{Rules: "havannah"}, wire.TooMany, "its running games go on")
	limited(t, ada, &wire.Chat{Game: running, Text: "hello"}, wire.TooMany, "its running games go on")
	limited(t, bob, &wire.Accept{Challenge: offered}, wire.TooMany, "ada has stored")
	bob.must(&short)
	ada.must(&wire.Play{Game: running, Turn: 0, Move: "a1"})
	passed.Add(int64(limited(t, ada, &short, wire.TooMany, "its running games go on")))
	ada.must(&short)
	limited(t, ada, &short, wire.TooMany, "its running games go on")
	h.end()
	if grown := size() - empty; grown > 2*stored {
		t.Errorf("%d games, and the database has grown by %d bytes", games, grown)
	}
}

// The moves of running games may take a part more. Then they wait.
func TestStoredMoves(t *testing.T) {
	passed := passTime(t)
	h := start(t, func(c *server.Config) {
		withMatrix(c)
		c.Limits.Stored, c.Limits.Rate, c.Limits.Burst = 3000, 1e6, 1e6
	})
	ada := join(t, h, "ada")
	rounds := json.RawMessage(`{"rounds":1000}`)
	id := ada.must(&wire.Challenge{Rules: boards.MatrixName, Options: rounds, To: "dice"}).Game
	turn := 0
	move := func() *wire.Error {
		_, e := ada.ask(&wire.Play{Game: id, Turn: turn, Move: "rock"})
		if e == nil {
			turn = want[wire.Moved](ada).Turn + 1
		}
		return e
	}
	e := move()
	for e == nil {
		e = move()
	}
	if e.Code != wire.TooFast || e.Retry <= 0 || turn < 30 || turn > 200 {
		t.Fatalf("after %d turns: %+v", turn, e)
	}
	passed.Add(e.Retry * int64(time.Millisecond))
	if e := move(); e != nil {
		t.Error(e)
	}
}

// A bot that plays sixty games an hour, each to its end, is never refused.
func TestStoredBytesOfHonestBots(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Stored = 750_000 / 60 })
	ada := join(t, h, "ada")
	m := wire.Challenge{
		Rules: "havannah", Options: json.RawMessage(`{"side":8}`), To: "random", Seat: "first",
		Clock: wire.Clock{Main: 3_600_000},
	}
	id := ada.must(&m).Game
	for {
		g := ada.state(id)
		if g.Result != nil {
			break
		}
		if slices.Contains(g.ToMove, 0) {
			legal := slices.DeleteFunc(g.View.Legal, func(move string) bool { return move == "swap" })
			ada.must(&wire.Play{Game: id, Turn: g.Turn, Move: legal[len(legal)*7/11]})
		}
	}
	ada.must(&m)
}

// An account has few games without clocks against others.
func TestClocklessGames(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Clockless = 2 })
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	first := sit(t, ada, bob, wire.Challenge{})
	sit(t, ada, bob, wire.Challenge{})
	for _, p := range []*peer{ada, bob} {
		e := p.refused(&wire.Challenge{Rules: "havannah"}, wire.TooMany)
		if !strings.Contains(e.Text, p.name+" plays 2 games without clocks") {
			t.Errorf("%+v", e)
		}
	}
	ada.refused(&wire.Accept{Challenge: eve.must(&wire.Challenge{Rules: "havannah"}).Challenge}, wire.TooMany)
	sit(t, ada, bob, wire.Challenge{Clock: minute})
	ada.must(&wire.Challenge{Rules: "havannah", To: "random"})
	ada.must(&wire.Resign{Game: first})
	ada.must(&wire.Challenge{Rules: "havannah"})
}

// The games of an account take so much memory, by their rules. Smaller ones still begin.
func TestMemoryOfAccounts(t *testing.T) {
	h := start(t, func(c *server.Config) {
		withMatrix(c)
		c.Limits.Memory, c.Limits.Clockless = 220_000, 100
	})
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	large := wire.Challenge{Rules: boards.MatrixName, Options: json.RawMessage(`{"rounds":700}`)}
	var games []string
	for {
		c, e := ada.ask(&large)
		if e != nil {
			break
		}
		games = append(games, bob.must(&wire.Accept{Challenge: c.Challenge}).Game)
	}
	if n := len(games); n != 2 {
		t.Errorf("%d games", n)
	}
	limited(t, ada, &large, wire.TooMany, "the limit is 215 KiB: finish or resign one, or play a smaller game")
	limited(t, bob, &wire.Accept{Challenge: eve.must(&large).Challenge}, wire.TooMany, "the games of bob")
	ada.must(&wire.Resign{Game: games[0]}) // stays for a minute, for late messages
	limited(t, ada, &large, wire.TooMany, "the games of ada")
	ada.must(&wire.Challenge{Rules: "havannah", To: "random"})
}

// An account signs in so often. Then its connections are refused, and others come in.
func TestHellos(t *testing.T) {
	passed := passTime(t)
	h := start(t, func(c *server.Config) { c.Limits.PerAccount = 3 })
	ada := join(t, h, "ada")
	hello := &wire.Hello{Version: wire.Version, Token: ada.token}
	for range 6 {
		p := dial(t, h)
		p.greet(hello)
		p.ws.Close()
	}
	p := dial(t, h)
	wait := limited(t, p, hello, wire.TooMany, "ada signs in too often")
	if code := p.closed(); code != websocket.ClosePolicyViolation {
		t.Errorf("closed with %d", code)
	}
	join(t, h, "bob")
	passed.Add(int64(wait))
	dial(t, h).greet(hello)
}

// Long answers come at once until they are too many in a short time. Moves are answered, and
// others are not concerned.
func TestLongAnswers(t *testing.T) {
	passed := passTime(t)
	h := start(t, func(c *server.Config) { c.Limits.Sent, c.Limits.Rate, c.Limits.Burst = 1000, 1e6, 1e6 })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{})
	bytes := 0
	ada.tap = func(frame []byte) { bytes += len(frame) }
	again := ada.again(h)
	again.tap = ada.tap
	answer := func(p *peer, m wire.Message) (e *wire.Error) {
		id := p.send(m)
		for {
			of, m, err := p.next()
			if err != nil {
				t.Fatal(err)
			}
			if of == id {
				e, _ := m.(*wire.Error)
				return e
			}
		}
	}
	for n := 0; ; n++ {
		if e := answer([]*peer{ada, again}[n%2], &wire.Watch{Game: id}); e != nil {
			break
		}
		if n > 100 {
			t.Fatalf("%d bytes", bytes)
		}
	}
	limited(t, again, &wire.EnterLobby{On: true}, wire.TooFast, "in a short time")
	limited(t, again, &wire.Explore{Game: id}, wire.TooFast, "in a short time")
	limited(t, again, &wire.Analyse{Game: id}, wire.TooFast, "in a short time")
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	ada.must(&wire.EnterLobby{})
	bob.state(id)
	wait := limited(t, ada, &wire.Watch{Game: id}, wire.TooFast, "you have asked for 31.2 KiB in a short time")
	passed.Add(int64(wait + time.Second))
	if e := answer(ada, &wire.Watch{Game: id}); e != nil {
		t.Error(e)
	}
}

// Records and lists over HTTP have a budget of their own.
func TestLongAnswersOverHTTP(t *testing.T) {
	passed := passTime(t)
	h := start(t, func(c *server.Config) { c.Limits.Sent = 1000 })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{})
	bytes, paths := 0, []string{"/records/" + id + ".json", "/players/ada", "/records/"}
	for n, text := 0, ""; text != "429"; n++ {
		if bytes += len(text); bytes > 40_000 {
			t.Fatalf("%d bytes", bytes)
		}
		text = get(t, h, paths[n%len(paths)], ada.token)
	}
	if bytes < 32_000 {
		t.Errorf("%d bytes", bytes)
	}
	for _, path := range append(paths, "/records/"+id+".txt", "/records/summary", "/records/games.jsonl") {
		if got := get(t, h, path, ada.token); got != "429" {
			t.Errorf("%s: %s", path, got)
		}
	}
	if got := get(t, h, paths[0], bob.token); !strings.Contains(got, id) {
		t.Errorf("to another account: %s", got)
	}
	ada.state(id)
	passed.Add(int64(time.Minute))
	if got := get(t, h, paths[0], ada.token); !strings.Contains(got, id) {
		t.Errorf("a minute later: %s", got)
	}
}

// An account with many games signs in, however slowly it reads. A game that goes on before its
// state is sent is sent as it is then.
func TestManyGamesAtHello(t *testing.T) {
	h := start(t, func(c *server.Config) {
		c.Limits.Queue, c.Limits.Clockless, c.Limits.Sent = 400_000, 1000, 1<<30
		c.Limits.Rate, c.Limits.Burst = 1e6, 1e6
	})
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	var games []string
	for range 150 {
		id := sit(t, bob, ada, wire.Challenge{Options: json.RawMessage(`{"side":13}`), Clock: minute})
		want[wire.Closed](bob)
		games = append(games, id)
	}
	again := dial(t, h)
	again.greet(&wire.Hello{Version: wire.Version, Token: ada.token, Views: true})
	if n := len(again.hello.Games); n != len(games) {
		t.Errorf("welcome has %d games", n)
	}
	for _, id := range games {
		bob.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	}
	turns := map[string]int{}
	for len(turns) < len(games) || slices.Contains(slices.Collect(maps.Values(turns)), 0) {
		_, m, err := again.next()
		if err != nil {
			t.Fatalf("after %d states: %v", len(turns), err)
		}
		switch m := m.(type) {
		case *wire.Game:
			if m.View == nil {
				t.Fatal("a state without a view")
			}
			turns[m.Game] = m.Turn
		case *wire.Moved:
			if _, ok := turns[m.Game]; !ok {
				t.Fatalf("%+v before its state", m)
			}
			turns[m.Game] = m.Turn + 1
		}
	}
}

// So does an account that many have challenged.
func TestManyChallengesAtHello(t *testing.T) {
	h := start(t, func(c *server.Config) { withMatrix(c); c.Limits.Queue = 150_000 })
	ada := join(t, h, "ada")
	text := `NFG 1 R "` + strings.Repeat("long ", 370) + `" { "a" "b" } { 1 1 } 1 1`
	options := json.RawMessage(fmt.Sprintf(`{"game":%q}`, text))
	made := map[string]bool{}
	for i := range 10 {
		eve := join(t, h, fmt.Sprint("eve-", i))
		for range 30 {
			m := &wire.Challenge{Rules: boards.MatrixName, Options: options, Clock: minute, To: "ada"}
			made[eve.must(m).Challenge] = true
			want[wire.Challenged](ada)
		}
	}
	again := ada.again(h)
	for n := range len(made) {
		c := want[wire.Challenged](again)
		if !made[c.Challenge] {
			t.Fatalf("%+v, after %d", c, n)
		}
		delete(made, c.Challenge)
	}
}

// A state that is longer than all that an account may have to read reaches its players, and who watches.
func TestLongState(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Queue = 16_000 })
	ada, bob, cy := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "cy")
	id := sit(t, ada, bob, wire.Challenge{Options: json.RawMessage(`{"side":13}`)})
	again := dial(t, h)
	long := 0
	again.tap = func(frame []byte) { long = max(long, len(frame)) }
	again.greet(&wire.Hello{Version: wire.Version, Token: ada.token, Views: true})
	want[wire.Game](again)
	cy.send(&wire.Watch{Game: id})
	want[wire.Game](cy)
	if long < 16_000 {
		t.Errorf("the state has %d bytes", long)
	}
}

// While disk or memory are nearly full, no games begin, and running ones go on. The host is told.
func TestNearlyFull(t *testing.T) {
	var log strings.Builder
	var mu sync.Mutex
	h := start(t, func(c *server.Config) { c.Log = slog.New(slog.NewTextHandler(locked{&mu, &log}, nil)) })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{})
	turn := 0
	for _, c := range []struct {
		disk, memory int64
		full         string
	}{{1 << 30, 1 << 40, ""}, {4_999, 1 << 40, "disk"}, {5_000, 1 << 40, ""}, {1 << 30, 1 << 10, "memory"}} {
		restore := server.SetSpace(c.disk, c.memory)
		h.LookAtSpace()
		restore()
		m := &wire.Challenge{Rules: "havannah", To: "random"}
		if c.full == "" {
			ada.must(m)
		} else {
			limited(t, ada, m, wire.TooMany, "the "+c.full+" of this server is nearly full: running games go on")
		}
		[]*peer{ada, bob}[turn%2].must(&wire.Play{Game: id, Turn: turn, Move: []string{"a1", "c3", "b2", "d4"}[turn]})
		turn++
		gauge := fmt.Sprintf("\nhexproto_full %d\n", len(c.full)/max(1, len(c.full)))
		if text := get(t, h, "/metrics", ada.token); !strings.Contains(text, gauge) {
			t.Errorf("%+v: %s", c, text)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if text := log.String(); strings.Count(text, "space is nearly full") != 2 ||
		strings.Count(text, "there is space again") != 1 || !strings.Contains(text, "full=disk") {
		t.Error(text)
	}
}
