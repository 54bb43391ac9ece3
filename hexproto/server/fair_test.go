package server_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gamebots/bots/matrixbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// A rated game is one that both sides can win, and lose: with options that its rules allow, and
// with a clock that both can keep.
func TestRatedChallenges(t *testing.T) {
	h := start(t, func(c *server.Config) {
		c.Rules = append(c.Rules, boards.Nim{}, matrixbot.Rules)
		withPoker(t, "leduc")(c)
	})
	ada := join(t, h, "ada")
	join(t, h, "bob")
	const lost = `{"game":"NFG 1 R \"x\" { \"a\" \"b\" } { 2 2 } 1 0 1 0 1 0 1 0"}`
	for _, c := range []struct {
		rules, options, seat string
		clock                wire.Clock
		refusal              string // "" if it is not refused
	}{
		{"havannah", ``, "first", minute, ""},
		{"havannah", `{"side":5}`, "", wire.Clock{PerMove: 1500}, ""},
		{"havannah", `{"side":13}`, "", wire.Clock{Main: 20_000, Increment: 1000}, ""},
		{"havannah", `{"side":4}`, "", minute, `{"side":5} or {"side":6}`},
		{"havannah", ``, "", wire.Clock{}, "has a clock"},
		{"havannah", ``, "", wire.Clock{Main: 1}, "at least 60 s for 40 moves"},
		{"havannah", ``, "", wire.Clock{PerMove: 1499}, "at least 60 s for 40 moves"},
		{"nim", ``, "", minute, ""},
		{"nim", `{"misere":true,"heaps":[1,3,5,7]}`, "random", minute, ""},
		{"nim", `{"heaps":[1],"misere":false}`, "first", minute, `"heaps":[1,3,5,7]`},
		{"nim", `{"max_take":3}`, "", minute, `"heaps":[1,3,5,7]`},
		{"nim", ``, "first", minute, "is drawn"},
		{"nim", ``, "second", minute, "is drawn"},
		{"matrix", ``, "first", minute, ""},
		{"matrix", lost, "first", minute, "rock-paper-scissors"},
		{"matrix", `{"rounds":1}`, "", minute, "rock-paper-scissors"},
		{"leduc", ``, "", minute, "luck"},
	} {
		for _, to := range []string{"", "bob"} {
			m := &wire.Challenge{
				Rules: c.rules, Options: json.RawMessage(c.options), Clock: c.clock, Seat: c.seat, Rated: true, To: to,
			}
			_, e := ada.ask(m)
			if c.refusal == "" && e != nil || c.refusal != "" &&
				(e == nil || e.Code != wire.Refused || !strings.Contains(e.Text, c.refusal)) {
				t.Errorf("%+v: %v, want %q", c, e, c.refusal)
			}
			m.Rated = false
			ada.must(m)
		}
	}
	for _, r := range ada.hello.Rules {
		want := map[string]string{
			"havannah": `[{"side":5},{"side":6},{"side":7},{"side":8},{"side":9},{"side":10},` +
				`{"side":11},{"side":12},{"side":13}]`,
			"nim": `[{}]`, "matrix": `[{}]`, "leduc": `null`,
		}[r.Name]
		if text, _ := json.Marshal(r.Rated); string(text) != want || r.ByLot != (r.Name == "nim") {
			t.Errorf("%s: rated %s, by lot %t", r.Name, text, r.ByLot)
		}
	}
}

// yesterday makes the games of a database a day older. Its server is not running.
func yesterday(t *testing.T, database string) {
	t.Helper()
	execute(t, database, `UPDATE games SET started = started - 86400000, ended = ended - 86400000`)
}

func execute(t *testing.T, database, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// Two accounts play a few rated games with each other a day, whoever challenges, and whatever
// restarts come between.
func TestRatedGamesOfTwo(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	few := func(c *server.Config) { c.Limits.RatedGames = 2 }
	h := open(t, database, few)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	toBob := &wire.Challenge{Rules: "havannah", To: "bob", Rated: true, Clock: minute}
	limited := func(e *wire.Error) {
		t.Helper()
		if e.Retry < (23*time.Hour).Milliseconds() || e.Retry > (24*time.Hour).Milliseconds() ||
			!strings.Contains(e.Text, "have begun 2 rated games with each other within a day") ||
			!strings.Contains(e.Text, "play a casual game") {
			t.Errorf("%+v", e)
		}
	}
	early := ada.must(&wire.Challenge{Rules: "havannah", Rated: true, Clock: minute}).Challenge
	sit(t, ada, bob, wire.Challenge{Rated: true}) // it counts while it runs
	resigned(t, bob, ada, `{"side":6}`)
	for range 2 {
		limited(ada.refused(toBob, wire.TooMany))
		limited(bob.refused(&wire.Challenge{Rules: "havannah", To: "ada", Rated: true, Clock: minute}, wire.TooMany))
		if early != "" {
			limited(bob.refused(&wire.Accept{Challenge: early}, wire.TooMany))
			eve.must(&wire.Accept{Challenge: early})
		}
		ada.must(&wire.Challenge{Rules: "havannah", To: "bob", Clock: minute})
		eve.must(toBob)
		h.end()
		h = open(t, database, few)
		ada, bob, eve, early = ada.again(h), bob.again(h), eve.again(h), ""
	}
	h.end()
	yesterday(t, database)
	h = open(t, database, few)
	bob.again(h)
	ada.again(h).must(toBob)
}

// Who aborts too many games a day, or does not begin them, plays no rated ones. Casual games with
// the server's bots do not count.
func TestAbortsOften(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	few := func(c *server.Config) { c.Limits.Aborts, c.Limits.FirstMove = 2, 100*time.Millisecond }
	h := open(t, database, few)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	for range 3 {
		ada.must(&wire.Abort{Game: ada.must(&wire.Challenge{Rules: "havannah", To: "random", Seat: "first"}).Game})
		want[wire.Game](ada)
		if o := want[wire.Over](ada); o.Result.AbortedBy != "ada" {
			t.Errorf("%+v", o.Result)
		}
	}
	ada.must(&wire.Abort{Game: sit(t, ada, bob, wire.Challenge{})})
	sit(t, ada, bob, wire.Challenge{Rated: true}) // ada does not begin
	for o := want[wire.Over](bob); o.Result.Reason != "ada did not move within 0.1 s"; {
		o = want[wire.Over](bob)
	}
	rated := &wire.Challenge{Rules: "havannah", Rated: true, Clock: minute}
	for range 2 {
		offered := eve.must(rated).Challenge
		for _, m := range []wire.Message{rated, &wire.Accept{Challenge: offered}} {
			if e := ada.refused(m, wire.TooMany); !strings.Contains(e.Text, "ada has aborted 2 games within a day") {
				t.Errorf("%+v", e)
			}
		}
		eve.must(&wire.Cancel{Challenge: offered})
		ada.must(&wire.Challenge{Rules: "havannah"})
		bob.must(rated)
		h.end()
		h = open(t, database, few)
		ada, bob, eve = ada.again(h), bob.again(h), eve.again(h)
	}
	h.end()
	yesterday(t, database)
	ada.again(open(t, database, few)).must(rated)
}

// A rated game of a few turns does not count: who resigns it has aborted it, and it is no draw.
func TestShortRatedGames(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Aborts = 2 })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	for range 2 {
		id := sit(t, ada, bob, wire.Challenge{Rated: true})
		for turn, move := range rating[:3] {
			ada.refused(&wire.Offer{Game: id, Offer: wire.OfferDraw}, wire.Refused)
			[]*peer{ada, bob}[turn%2].must(&wire.Play{Game: id, Turn: turn, Move: move})
		}
		bob.must(&wire.Resign{Game: id})
		if o := want[wire.Over](ada); o.Result.AbortedBy != "bob" || o.Ratings[0] != 1500 ||
			o.Result.Reason != "bob left a rated game within 4 turns" {
			t.Errorf("%+v", o)
		}
	}
	toBob := &wire.Challenge{Rules: "havannah", To: "bob", Rated: true, Clock: minute}
	if e := ada.refused(toBob, wire.TooMany); !strings.Contains(e.Text, "bob has aborted 2 games within a day") {
		t.Errorf("%+v", e)
	}
}

// A rated game in which nobody moves any more is lost by whoever is to move. Older versions began
// such games without clocks.
func TestAbandonedRatedGame(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{})
	for turn, move := range []string{"a1", "b2", "c3", "a2", "b1"} {
		[]*peer{ada, bob}[turn%2].must(&wire.Play{Game: id, Turn: turn, Move: move})
	}
	unbegun := sit(t, ada, bob, wire.Challenge{})
	h.end()
	execute(t, database, `UPDATE games SET rated = 1, started = started - 20 * 86400000;
		UPDATE moves SET at = at - 20 * 86400000`)
	h = open(t, database, func(c *server.Config) { c.Limits.BotAbandoned = 40 * time.Millisecond }) // looks more often
	ada = ada.again(h)
	for game, want := range map[string]wire.Result{
		id: {Winner: 0, How: wire.TimeOut}, unbegun: {Winner: -1, How: wire.Aborted},
	} {
		g := ada.state(game)
		for ; g.Result == nil; g = ada.state(game) {
			time.Sleep(10 * time.Millisecond) // within the rate
		}
		if g.Result.Winner != want.Winner || g.Result.How != want.How {
			t.Errorf("%+v, want %+v", g.Result, want)
		}
	}
	if g := ada.state(id); g.Seats[0].Rating <= 1500 || g.Seats[1].Rating >= 1500 {
		t.Errorf("%+v", g.Seats)
	}
}

// A program's evaluation of a rated game is not published while the game runs.
func TestNoAnalysisOfRatedGames(t *testing.T) {
	h := start(t, nil)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	for _, rated := range []bool{false, true} {
		id := sit(t, ada, bob, wire.Challenge{Rated: rated})
		eve.state(id)
		m := &wire.Analysis{Game: id, Moves: []wire.Rated{{Move: "a1", Value: 0.5}}}
		if rated {
			ada.refused(m, wire.Refused)
			continue
		}
		ada.must(m)
		if a := want[wire.Analysis](eve); a.Game != id || a.By != "ada" {
			t.Errorf("%+v", a)
		}
	}
}

// The position of a running game is not rated in another one either, neither that of a finished
// game with the same moves, nor a variation, in whatever order, nor turned around, nor the one
// before; its players get no variations.
func TestNoAnalysisElsewhere(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Rules = []game.Rules{countingRules{analyses: new(atomic.Int64)}} })
	ada, bob, eve, max := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve"), join(t, h, "max")
	side5 := json.RawMessage(`{"side":5}`)
	finished := sit(t, eve, max, wire.Challenge{Options: side5})
	running := sit(t, ada, bob, wire.Challenge{Options: side5})
	for id, players := range map[string][]*peer{finished: {eve, max}, running: {ada, bob}} {
		for turn, move := range []string{"a1", "b2", "c3", "d4"} {
			players[turn%2].must(&wire.Play{Game: id, Turn: turn, Move: move})
		}
	}
	max.must(&wire.Resign{Game: finished})
	rated := func(p *peer, turn int, line ...string) {
		t.Helper()
		p.send(&wire.Analyse{Game: finished, Turn: turn, Line: line})
		want[wire.Analysis](p)
	}
	refused := func(p *peer, text string, turn int, line ...string) {
		t.Helper()
		e := p.refused(&wire.Analyse{Game: finished, Turn: turn, Line: line}, wire.Refused)
		if !strings.Contains(e.Text, text) {
			t.Errorf("%+v, want %q", e, text)
		}
	}
	const position, variations = "has come to that position", "no variations are rated while you play"
	for _, p := range []*peer{ada, bob, eve, max} {
		refused(p, position, 4)
		rated(p, 3)
	}
	refused(eve, position, 0, "c3", "B2", "a1", "d4")
	refused(eve, position, 2, "c3", "d4")
	refused(eve, position, 0, "i9", "h8", "g7", "f6") // turned around
	refused(eve, position, 4, "e5")
	rated(eve, 2, "c4", "d4")
	refused(eve, position, 4, "e5", "e6")
	rated(eve, 3, "d5", "e6")
	refused(ada, variations, 2, "c4")
	ada.must(&wire.Play{Game: running, Turn: 4, Move: "e5"})
	refused(eve, position, 4, "e5")
	refused(eve, position, 4) // the line of e5 has the best answers
	rated(eve, 3, "d5")
	ada.must(&wire.Resign{Game: running})
	rated(ada, 4, "e5")
}

// Nor does it help that the running game sleeps, because its players are away: it is known what it has come to.
func TestNoAnalysisOfSleepingGames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	rules := func(c *server.Config) { c.Rules = []game.Rules{countingRules{analyses: new(atomic.Int64)}} }
	h := open(t, path, rules)
	ada, bob, eve, max := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve"), join(t, h, "max")
	finished, running := sit(t, eve, max, wire.Challenge{}), sit(t, ada, bob, wire.Challenge{})
	for id, players := range map[string][]*peer{finished: {eve, max}, running: {ada, bob}} {
		for turn, move := range []string{"a1", "b2", "c3", "d4", "b4"} {
			players[turn%2].must(&wire.Play{Game: id, Turn: turn, Move: move})
		}
	}
	max.must(&wire.Resign{Game: finished})
	h.end()
	h = open(t, path, func(c *server.Config) { rules(c); c.GameMemory = 1 })
	if asleep, _ := h.Asleep(); asleep != 1 {
		t.Fatalf("%d games sleep", asleep)
	}
	eve = eve.again(h)
	eve.refused(&wire.Analyse{Game: finished, Turn: 5}, wire.Refused)
	eve.send(&wire.Analyse{Game: finished, Turn: 1, Line: []string{"a3", "c5", "d5", "e5"}})
	want[wire.Analysis](eve) // as many moves, and others
	eve.send(&wire.Analyse{Game: finished, Turn: 3})
	want[wire.Analysis](eve)
}

// During a match between players, neither of them gets what strategies and solvers know of its game.
func TestNoStrategiesDuringAMatch(t *testing.T) {
	h := start(t, func(c *server.Config) {
		withPoker(t, "leduc", "kuhn")(c)
		c.Strategies = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "help") })
		c.Spots = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "spot")
		})
	})
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	look := func(p *peer, path, want string) {
		t.Helper()
		if got := get(t, h, path, p.token); got != want {
			t.Errorf("%s gets %q of %s, want %q", p.name, got, path, want)
		}
	}
	const strategy = "/strategies/leduc/cfr?at=r"
	alone := ada.must(&wire.Challenge{Rules: "leduc", To: "caller-leduc"}).Game
	look(ada, strategy, "help")
	look(ada, "/records/"+alone+".report", "404") // nobody knows the game here
	id := ada.must(&wire.Challenge{Rules: "leduc"}).Challenge
	match := bob.must(&wire.Accept{Challenge: id}).Game
	for _, p := range []*peer{ada, bob} {
		look(p, strategy, "403")
		look(p, "/strategies/kuhn/cfr?at=r", "help")
		look(p, "/strategies/", "help")
		look(p, "/spots/solve?spot.pot=100", "403") // it may be one of the match
		look(p, "/spots/", "spot")
		look(p, "/records/"+match+".report", "403")
	}
	look(eve, strategy, "help")
	look(eve, "/spots/solve?spot.pot=100", "spot")
	bob.must(&wire.Resign{Game: match})
	look(ada, strategy, "help")
	look(ada, "/records/"+match+".report", "404")
}

// A spot is solved for long while nobody else waits for one, but an account cannot have the server solve all the time.
func TestSpotsInTurn(t *testing.T) {
	ahead := new(atomic.Int64)
	defer server.SetClock(func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })()
	begun := make(chan bool)
	h := start(t, func(c *server.Config) {
		c.Spots = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery == "long" {
				begun <- true
				<-r.Context().Done()
				ahead.Add(int64(21 * time.Minute))
			}
			fmt.Fprint(w, "spot")
		})
	})
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	done := make(chan string)
	go func() { done <- get(t, h, "/spots/solve?long", ada.token) }()
	<-begun
	if got := get(t, h, "/spots/solve", bob.token); got != "spot" || <-done != "spot" {
		t.Errorf("bob gets %q", got)
	}
	if got := get(t, h, "/spots/solve", ada.token); got != "429" {
		t.Errorf("ada gets %q after twenty minutes", got)
	}
	ahead.Add(int64(10 * time.Minute))
	if got := get(t, h, "/spots/solve", ada.token); got != "spot" {
		t.Errorf("ada gets %q after a pause", got)
	}
}

// A file of a solved spot is the only body of a request. It has its limits, and pages of other servers send none, nor
// have they spots solved, not even as a picture, with which browsers send no origin.
func TestSpotUpload(t *testing.T) {
	h := start(t, func(c *server.Config) {
		c.Spots = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n, err := io.Copy(io.Discard, r.Body)
			fmt.Fprint(w, n, err)
		})
	})
	ada := join(t, h, "ada")
	for site, want := range map[string]int{
		"cross-site": http.StatusForbidden, "same-origin": http.StatusOK, "none": http.StatusOK,
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, h.web.URL+"/spots/solve", nil)
		r.Header.Set("Authorization", "Bearer "+ada.token)
		r.Header.Set("Sec-Fetch-Site", site)
		if h.web.Config.Handler.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: %d, want %d", site, w.Code, want)
		}
	}
	for _, c := range []struct {
		path, origin string
		size         int
		want         string
	}{
		{"/spots/open", "", 1000, "1000 <nil>"}, {"/spots/open", h.web.URL, 0, "0 <nil>"},
		{"/spots/open", "http://example.org", 1000, "403"}, {"/spots/solve", "", 1000, "413"},
		{"/records/", "", 1000, "413"}, {"/spots/open", "", 16<<20 + 1, "413"},
	} {
		file := bytes.NewReader(make([]byte, c.size))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.web.URL+c.path, file)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+ada.token)
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		resp, err := h.web.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if got := string(body); got != c.want && resp.Status[:3] != c.want {
			t.Errorf("%s, %d bytes from %q: %s, %s", c.path, c.size, c.origin, resp.Status, got)
		}
	}
}
