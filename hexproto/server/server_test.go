package server_test

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/bots/matrixbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

func errorsAs(err error, target any) bool { return errors.As(err, target) }

// A game with a swap, from the challenge to the records.
func TestGame(t *testing.T) {
	h := start(t, nil)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	id := sit(t, ada, bob, wire.Challenge{Rated: true, Clock: wire.Clock{Main: 60000, Increment: 1000}})
	if c := want[wire.Closed](ada); c.Why != "accepted" || c.Game != id || c.By != "bob" {
		t.Errorf("%+v", c)
	}
	if g := eve.state(id); g.You != -1 || g.Board == nil || len(g.View.Legal) != 61 {
		t.Errorf("a spectator sees %+v", g)
	}
	// a1, swapped to black; then white has e1 … to a bridge.
	moves := []string{"a1", "swap", "e1", "b2", "f2", "b3", "g3", "b4", "h4", "b5", "i5"}
	players := []*peer{ada, bob}
	for i, move := range moves {
		mover := players[i%2]
		other := players[1-i%2]
		other.refused(&wire.Play{Game: id, Turn: i, Move: "e9"}, wire.WrongTurn)
		eve.refused(&wire.Play{Game: id, Turn: i, Move: "e9"}, wire.NotYours)
		mover.refused(&wire.Play{Game: id, Turn: i + 1, Move: move}, wire.WrongTurn)
		mover.refused(&wire.Play{Game: id, Turn: i, Move: "z1"}, wire.Illegal)
		mover.must(&wire.Play{Game: id, Turn: i, Move: move})
		mover.must(&wire.Play{Game: id, Turn: i, Move: move}) // again is no harm
		for _, p := range []*peer{ada, bob, eve} {
			if m := want[wire.Moved](p); m.Turn != i || m.Moves[0].Move != move || m.View == nil || m.Swap != (i == 0) {
				t.Fatalf("%s hears of %+v after %s", p.name, m, move)
			}
		}
	}
	for _, p := range []*peer{ada, bob, eve} {
		o := want[wire.Over](p)
		if o.Result.Winner != 0 || o.Result.How != "bridge" || !slices.Equal(o.Ratings, []int{1550, 1450}) ||
			!slices.Equal(o.Changes, []int{50, -50}) {
			t.Errorf("%s hears %+v", p.name, o)
		}
	}
	ada.must(&wire.Play{Game: id, Turn: 10, Move: "i5"})
	ada.refused(&wire.Play{Game: id, Turn: 11, Move: "e4"}, wire.GameOver)
	bob.refused(&wire.Resign{Game: id}, wire.GameOver)

	record := get(t, h, "/records/"+id+".txt", "")
	if want := id + " side=5 winner=white end=bridge plies=11 pw=ada pb=bob : " + strings.Join(moves, " ") +
		"\n"; record != want {
		t.Errorf("record %q, want %q", record, want)
	}
	if hgf := get(t, h, "/records/"+id+".hgf", ""); !strings.HasPrefix(hgf, "(;FF[4]GM[Havannah]SZ[5]") {
		t.Errorf("hgf %q", hgf)
	}
	var list []wire.Brief
	if err := json.Unmarshal([]byte(get(t, h, "/records/?player=BOB", "")), &list); err != nil || len(list) != 1 ||
		list[0].Game != id || list[0].Turn != 11 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, path := range []string{"/records/" + id + ".exe", "/records/gnone.txt", "/records/" + id} {
		if get(t, h, path, "") != "404" {
			t.Errorf("%s is there", path)
		}
	}
	if m := get(t, h, "/metrics", ""); !strings.Contains(m, "hexproto_moves_total 11") {
		t.Errorf("metrics: %s", m)
	}
}

// get returns a page, or the status where it is not 200.
func get(t *testing.T, h *testServer, path, token string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", h.web.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := h.web.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		return resp.Status[:3]
	}
	return string(body)
}

// Moves that were acknowledged are there after the server was started again,
// and the game goes on.
func TestRestart(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{Tag: "t1", Clock: wire.Clock{Main: 60000, Increment: 500}})
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
	ada.must(&wire.Chat{Game: id, Text: "hello\nthere"})
	ada.must(&wire.Play{Game: id, Turn: 2, Move: "a2"})
	before := ada.state(id)
	h.end()
	if r := want[wire.Restart](ada); r.Retry <= 0 {
		t.Errorf("%+v", r)
	}
	h = open(t, database, nil)
	bob = bob.again(h)
	if g := bob.hello.Games; len(g) != 1 || g[0] != id {
		t.Fatalf("running: %v", g)
	}
	after := want[wire.Game](bob)
	if len(after.Moves) != 3 || after.ToMove[0] != 1 || !slices.Equal(after.Time.Left, before.Time.Left) ||
		!after.Time.Running[1] ||
		after.Said[0].Text != "hello there" || after.Tag != "t1" {
		t.Errorf("resumed as %+v, was %+v", after, before)
	}
	bob.must(&wire.Play{Game: id, Turn: 3, Move: "c4"})
	ada = ada.again(h)
	if e := ada.refused(&wire.Challenge{Rules: "havannah", To: "bob", Tag: "t1"}, wire.Duplicate); e.Game != id {
		t.Errorf("%+v", e)
	}
	ada.must(&wire.Resign{Game: id})
	if o := want[wire.Over](bob); o.Result.Winner != 1 || o.Result.How != "resign" {
		t.Errorf("%+v", o)
	}
	h.end()
	h = open(t, database, nil)
	ada = ada.again(h)
	if len(ada.hello.Games) != 0 {
		t.Errorf("still running: %v", ada.hello.Games)
	}
	if g := ada.state(id); g.Result == nil || len(g.Moves) != 4 {
		t.Errorf("the old game is %+v", g)
	}
	if e := ada.refused(&wire.Challenge{Rules: "havannah", Tag: "t1"}, wire.Duplicate); e.Game != id {
		t.Errorf("%+v", e)
	}
}

// A move whose acknowledgement was lost is acknowledged again, however it was written, in its
// turn and after it, also by another server on the same database.
func TestRepeatedMove(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	change := func(c *server.Config) {
		withPoker(t, "leduc-nolimit")(c)
		c.Rules = append(c.Rules, boards.Nim{}, matrixbot.Rules)
	}
	h := open(t, database, change)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	type repeated struct {
		by    *peer
		plays []wire.Play
		other wire.Play // another move of the turn, which was not made
	}
	var all []repeated
	begin := func(rules, options string) (game string, mover, other *peer) {
		c := &wire.Challenge{Rules: rules, Options: json.RawMessage(options), Seat: "first"}
		game = bob.must(&wire.Accept{Challenge: ada.must(c).Challenge}).Game
		if g := ada.state(game); g.ToMove[0] != g.You {
			return game, bob, ada
		}
		return game, ada, bob
	}
	for _, c := range []struct {
		rules, options string
		texts          []string // ways to write a move
		other          string
	}{
		{"havannah", `{"side":5}`, []string{"E5", "e5"}, "e4"},
		{"nim", `{"heaps":[3,4]}`, []string{"pile:1, take:2;"}, "pile:1, take:1;"},
		{"matrix", `{"game":"prisoners-dilemma","rounds":2}`, []string{"1", "cooperate"}, "2"},
		{"leduc-nolimit", "{}", []string{"r0300", "r300"}, "c"},
	} {
		game, mover, other := begin(c.rules, c.options)
		r := repeated{by: mover, other: wire.Play{Game: game, Move: c.other}}
		for _, text := range c.texts {
			r.plays = append(r.plays, wire.Play{Game: game, Move: text})
		}
		mover.must(&r.plays[0])
		if c.rules == "matrix" { // the turn waits for another move
			for i := range r.plays {
				mover.must(&r.plays[i])
			}
			mover.refused(&r.other, wire.WrongTurn)
			other.must(&r.plays[0])
		}
		all = append(all, r)
	}
	for range 2 {
		for _, r := range all {
			for i := range r.plays {
				r.by.must(&r.plays[i])
			}
			r.by.refused(&r.other, wire.WrongTurn)
		}
		h.end()
		h = open(t, database, change)
		again := map[*peer]*peer{ada: ada.again(h), bob: bob.again(h)}
		for i := range all {
			all[i].by = again[all[i].by]
		}
		ada, bob = again[ada], again[bob]
	}
}

// A move is refused after the time until which it was to be played, unless it was made before.
func TestUntil(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	game := sit(t, ada, bob, wire.Challenge{})
	now := ada.hello.Now
	ada.refused(&wire.Play{Game: game, Move: "a1", Until: now - 1000}, wire.Refused)
	ada.refused(&wire.Play{Game: game, Move: "a1", Until: -1}, wire.Refused)
	ada.must(&wire.Play{Game: game, Move: "b1", Until: now + time.Hour.Milliseconds()})
	ada.must(&wire.Play{Game: game, Move: "b1", Until: now - 1000})
	if m := want[wire.Moved](bob); m.Moves[0].Move != "b1" {
		t.Errorf("%s was played", m.Moves[0].Move)
	}
}

func TestChallenges(t *testing.T) {
	h := start(t, func(c *server.Config) {
		c.Limits.Challenges, c.Limits.ChallengeLife = 2, 50*time.Millisecond
	})
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	bob.send(&wire.EnterLobby{On: true})
	want[wire.Lobby](bob)
	for _, c := range []struct {
		challenge wire.Challenge
		code      string
	}{
		{wire.Challenge{Rules: "chess"}, wire.NotFound},
		{wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":99}`)}, wire.Illegal},
		{wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"size":9}`)}, wire.Illegal},
		{wire.Challenge{Rules: "havannah", Clock: wire.Clock{Main: -1}}, wire.Illegal},
		{wire.Challenge{Rules: "havannah", Clock: wire.Clock{Main: 1 << 60}}, wire.Illegal},
		{wire.Challenge{Rules: "havannah", Clock: wire.Clock{Increment: 1000}}, wire.Illegal},
		{wire.Challenge{Rules: "havannah", Seat: "third"}, wire.BadMessage},
		{wire.Challenge{Rules: "havannah", To: "nobody"}, wire.NotFound},
		{wire.Challenge{Rules: "havannah", To: "ADA"}, wire.Refused},
		{wire.Challenge{Rules: "havannah", Tag: strings.Repeat("t", 65)}, wire.BadMessage},
	} {
		ada.refused(&c.challenge, c.code)
	}
	strong := ada.must(&wire.Challenge{Rules: "havannah", Only: &wire.Only{MinRating: 1600}}).Challenge
	if l := want[wire.Lobby](bob); len(l.Challenges) != 1 || string(l.Challenges[0].Options) != `{"side":8}` {
		t.Errorf("%+v", l)
	}
	bob.refused(&wire.Accept{Challenge: strong}, wire.Refused)
	ada.refused(&wire.Accept{Challenge: strong}, wire.Refused)
	bob.refused(&wire.Decline{Challenge: strong, Reason: "later"}, wire.NotFound)
	bob.refused(&wire.Cancel{Challenge: strong}, wire.NotFound)
	ada.must(&wire.Cancel{Challenge: strong})

	ada.must(&wire.Challenge{Rules: "havannah", To: "bob", Tag: "x"})
	ada.refused(&wire.Challenge{Rules: "havannah", To: "bob", Tag: "x"}, wire.Duplicate)
	c := want[wire.Challenged](bob)
	bob.refused(&wire.Decline{Challenge: c.Challenge, Reason: "ugly"}, wire.BadMessage)
	bob.must(&wire.Decline{Challenge: c.Challenge, Reason: "too_slow", Text: "a\x00b"})
	want[wire.Closed](ada) // cancelled
	if d := want[wire.Closed](ada); d.Why != "declined" || d.Reason != "too_slow" || d.Text != "a b" || d.Tag != "x" {
		t.Errorf("%+v", d)
	}
	bob.refused(&wire.Accept{Challenge: c.Challenge}, wire.NotFound)

	ada.must(&wire.Challenge{Rules: "havannah", To: "bob"})
	ada.must(&wire.Challenge{Rules: "havannah"})
	ada.refused(&wire.Challenge{Rules: "havannah"}, wire.TooMany)
	want[wire.Closed](bob) // declined
	ada.ws.Close()
	if c := want[wire.Closed](bob); c.Why != "gone" {
		t.Errorf("%+v", c)
	}
}

// A private challenge is in no lobby. Who has its id sees it and accepts it.
func TestPrivateChallenge(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.ChallengeLife = 10 * time.Millisecond })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	invitation := wire.Challenge{
		Rules: "havannah", Options: json.RawMessage(`{"side":4}`), Seat: "first", Private: true,
	}
	id := ada.must(&invitation).Challenge
	ada.must(&wire.Challenge{Rules: "havannah"})
	ada.ws.Close() // for longer than other challenges last
	bob.send(&wire.EnterLobby{On: true})
	for l := want[wire.Lobby](bob); len(l.Challenges) > 0; {
		if len(l.Challenges) > 1 || l.Challenges[0].Private {
			t.Fatalf("the lobby shows %+v", l.Challenges)
		}
		l = want[wire.Lobby](bob)
	}
	bob.send(&wire.ViewChallenge{Challenge: id})
	if c := want[wire.Challenged](bob); c.From.Name != "ada" || string(c.Options) != `{"side":4}` || !c.Private {
		t.Errorf("the invitation is %+v", c)
	}
	bob.refused(&wire.ViewChallenge{Challenge: id + "x"}, wire.NotFound)
	bob.refused(&wire.Accept{Challenge: id}, wire.Refused) // ada is away
	ada = ada.again(h)
	game := bob.must(&wire.Accept{Challenge: id}).Game
	if g := want[wire.Game](ada); g.Game != game || g.You != 0 {
		t.Errorf("ada plays %+v", g)
	}
	bob.refused(&wire.ViewChallenge{Challenge: id}, wire.NotFound)
}

// A private challenge ends, too, when its maker stays away.
func TestPrivateChallengeExpires(t *testing.T) {
	h := start(t, func(c *server.Config) {
		c.Limits.ChallengeLife, c.Limits.PrivateLife = time.Millisecond, time.Millisecond
	})
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := ada.must(&wire.Challenge{Rules: "havannah", Private: true}).Challenge
	ada.ws.Close()
	for {
		bob.send(&wire.ViewChallenge{Challenge: id})
		if _, m, err := bob.next(); err != nil {
			t.Fatal(err)
		} else if e, ok := m.(*wire.Error); ok && e.Code == wire.NotFound {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestOffers(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{})
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})

	ada.must(&wire.Offer{Game: id, Offer: "draw"})
	if o := want[wire.Offered](bob); o.Seat != 0 || o.Offer != "draw" {
		t.Errorf("%+v", o)
	}
	bob.must(&wire.Offer{Game: id, Offer: "draw", No: true})
	if o := want[wire.Offered](bob); o.Seat != 1 || !o.No {
		t.Errorf("%+v", o)
	}
	ada.refused(&wire.Offer{Game: id, Offer: "draw"}, wire.Refused) // once a turn
	ada.must(&wire.Play{Game: id, Turn: 2, Move: "a2"})

	ada.must(&wire.Offer{Game: id, Offer: "takeback"})
	bob.must(&wire.Offer{Game: id, Offer: "takeback"})
	if g := want[wire.Game](bob); g.Turn != 2 || g.ToMove[0] != 0 || len(g.Moves) != 2 {
		t.Errorf("taken back to %+v", g)
	}
	bob.must(&wire.Offer{Game: id, Offer: "takeback"})
	ada.must(&wire.Offer{Game: id, Offer: "takeback"})
	if g := want[wire.Game](bob); g.Turn != 1 || g.ToMove[0] != 1 {
		t.Errorf("taken back to %+v", g)
	}
	ada.refused(&wire.Offer{Game: id, Offer: "tea"}, wire.BadMessage)
	bob.must(&wire.Offer{Game: id, Offer: "draw"})
	ada.must(&wire.Offer{Game: id, Offer: "draw"})
	if o := want[wire.Over](bob); o.Result.Winner != -1 || o.Result.How != "agreement" ||
		!slices.Equal(o.Result.Score, []float64{.5, .5}) {
		t.Errorf("%+v", o)
	}
}

// An account hears how many connections it has, once it has more than one.
func TestSecondConnection(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	second := ada.again(h)
	for _, p := range []*peer{ada, second} {
		if m := want[wire.Connections](p); m.Count != 2 {
			t.Errorf("%+v", m)
		}
	}
	second.ws.Close()
	if m := want[wire.Connections](ada); m.Count != 1 {
		t.Errorf("%+v", m)
	}
	bob.must(&wire.Chat{Text: "hello"})
	for _, m := range bob.heard {
		if _, ok := m.(*wire.Connections); ok {
			t.Errorf("a single connection hears %+v", m)
		}
	}
}

// The state says when a game is aborted, until both have moved.
func TestFirstMove(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{Clock: wire.Clock{Main: 60_000}})
	for turn, p := range []*peer{ada, bob} {
		g := ada.state(id)
		if g.Time.Abort < g.Started+60_000 || g.Time.Abort > g.Time.At+60_000 {
			t.Errorf("at %d a game from %d is to be aborted at %d", g.Time.At, g.Started, g.Time.Abort)
		}
		p.must(&wire.Play{Game: id, Turn: turn, Move: []string{"a1", "c3"}[turn]})
	}
	if g := ada.state(id); g.Time.Abort != 0 {
		t.Errorf("both have moved, and the game is to be aborted at %d", g.Time.Abort)
	}
}

func TestClocks(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.FirstMove = 100 * time.Millisecond })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")

	// Neither moves: neither loses.
	sit(t, ada, bob, wire.Challenge{Rated: true, Clock: minute})
	if o := want[wire.Over](ada); o.Result.How != "abort" || o.Result.Winner != -1 ||
		o.Result.Reason != "ada did not move within 0.1 s" || !slices.Equal(o.Ratings, []int{1500, 1500}) {
		t.Errorf("%+v", o)
	}
	// The second move of a player is charged.
	id := sit(t, ada, bob, wire.Challenge{Clock: wire.Clock{Main: 30, PerMove: 20}})
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
	want[wire.Over](bob)
	if o := want[wire.Over](ada); o.Result.How != "time" || o.Result.Winner != 1 || o.Time.Left[0] != 0 {
		t.Errorf("%+v", o)
	}
	want[wire.Over](bob)
	ada.refused(&wire.Play{Game: id, Turn: 2, Move: "a2"}, wire.GameOver)
}

func TestBuiltinBot(t *testing.T) {
	h := start(t, nil)
	ada := join(t, h, "ada")
	id := ada.must(&wire.Challenge{
		Rules: "havannah", To: "random", Seat: "first", Options: json.RawMessage(`{"side":4}`),
	}).Game
	g := want[wire.Game](ada)
	for g.Result == nil {
		if len(g.ToMove) == 1 && g.ToMove[0] == g.You {
			ada.must(&wire.Play{Game: id, Turn: g.Turn, Move: g.View.Legal[0]})
		}
		g = ada.state(id)
	}
	ada.must(&wire.Chat{Game: id, Text: "thanks"})
	ada.send(&wire.Analyse{Game: id, Turn: 3})
	if a := want[wire.Analysis](ada); a.By != "search" || a.Turn != 3 || len(a.Moves) == 0 ||
		len(a.Moves[0].Line) == 0 {
		t.Errorf("%+v", a)
	}
	empty := 37 - 3
	if g.Moves[1].Move == "swap" {
		empty++ // a swap takes no cell
	}
	ada.send(&wire.Analyse{Game: id, Turn: 3, By: "playouts"})
	if a := want[wire.Analysis](ada); a.By != "playouts" || a.Turn != 3 || len(a.Moves) != empty {
		t.Errorf("%+v", a)
	}
	ada.refused(&wire.Analyse{Game: id, Turn: 3, By: "divination"}, wire.NotFound)
	ada.refused(&wire.Challenge{Rules: "havannah", To: "random", Tag: strings.Repeat("x", 99)}, wire.BadMessage)
}

func TestClosedToStrangers(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, func(c *server.Config) { c.Open = false })
	p := dial(t, h)
	p.refused(&wire.Hello{Version: 1, Name: "ada"}, wire.BadToken)
	p.closed()
	token, err := server.AddAccount(database, "ada", true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.AddAccount(database, "ADA", false); err == nil {
		t.Error("a name was given twice")
	}
	p = dial(t, h)
	p.greet(&wire.Hello{Version: 1, Token: token})
	if you := p.hello.You; you.Name != "ada" || !you.Bot || p.hello.Token != "" {
		t.Errorf("%+v", p.hello)
	}
	for _, path := range []string{"/records/", "/metrics"} {
		if got := get(t, h, path, ""); got != "401" {
			t.Errorf("%s without a token: %s", path, got)
		}
		if got := get(t, h, path, token); len(got) < 3 || got == "401" {
			t.Errorf("%s with one: %s", path, got)
		}
		if got := get(t, h, path, token+"0"); got != "401" {
			t.Errorf("%s with a wrong one: %s", path, got)
		}
	}
}

// Who comes to a server that has ended is sent away: nothing waits for ever for a
// database that is closed.
func TestLate(t *testing.T) {
	h := start(t, nil)
	late := dial(t, h)
	h.end()
	late.send(&wire.Hello{Version: wire.Version, Name: "late"})
	if _, m, err := late.next(); err == nil {
		t.Errorf("heard %+v", m)
	} else if ne := net.Error(nil); errors.As(err, &ne) && ne.Timeout() {
		t.Error("the connection was left open")
	}
}
