package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// hosted is a server with tokens, and accounts by their names.
func hosted(t *testing.T, change func(*server.Config), names ...string) (*testServer, map[string]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	tokens := map[string]string{}
	for _, name := range names {
		tokens[name] = account(t, path, name)
	}
	return open(t, path, func(c *server.Config) {
		c.Open = false
		if change != nil {
			change(c)
		}
	}), tokens
}

// account makes an account beside a server and returns its token.
func account(t *testing.T, path, name string) string {
	t.Helper()
	token, err := server.AddAccount(path, name, false)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// enter signs in by a token.
func enter(t *testing.T, h *testServer, name, token string) *peer {
	t.Helper()
	p := dial(t, h)
	p.name, p.token = name, token
	p.greet(&wire.Hello{Version: wire.Version, Token: token})
	return p
}

// An account of whom the token was revoked loses its games that count. Others do not count, and its
// challenges end.
func TestRevokedAccountLeaves(t *testing.T) {
	t.Parallel() // it waits for the next look of the server
	h, tokens := hosted(t, nil, "ada", "bob", "eve")
	ada, eve := enter(t, h, "ada", tokens["ada"]), enter(t, h, "eve", tokens["eve"])
	counts, begun := sit(t, ada, eve, wire.Challenge{}), sit(t, eve, ada, wire.Challenge{})
	ada.must(&wire.Play{Game: counts, Turn: 0, Move: "a1"})
	eve.must(&wire.Play{Game: counts, Turn: 1, Move: "c3"})
	bob := enter(t, h, "bob", tokens["bob"])
	challenge := bob.must(&wire.Challenge{Rules: "havannah", To: "eve"}).Challenge
	if err := database.RevokeToken(t.Context(), h.Config.Database, "eve"); err != nil {
		t.Fatal(err)
	}
	if c := want[wire.Closed](bob); c.Challenge != challenge || c.Why != "cancelled" {
		t.Errorf("the challenge is closed by %+v", c)
	}
	results := map[string]wire.Result{}
	for range 2 {
		over := want[wire.Over](ada)
		results[over.Game] = over.Result
	}
	if r := results[counts]; r.How != wire.Resigned || r.Winner != 0 {
		t.Errorf("the game that counts ends with %+v", r)
	}
	if r := results[begun]; r.How != wire.Aborted || r.Reason != "the host ended the game" {
		t.Errorf("the game in which nobody has moved ends with %+v", r)
	}
}

// The host ends games of a running server, or before it starts, also of rules that it lacks.
func TestEndedGames(t *testing.T) {
	t.Parallel() // it waits for the next look of the server
	h, tokens := hosted(t, nil, "ada", "bob")
	path := h.Config.Database
	ada, bob := enter(t, h, "ada", tokens["ada"]), enter(t, h, "bob", tokens["bob"])
	var games []string
	for range 3 {
		id := sit(t, ada, bob, wire.Challenge{})
		ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
		bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
		games = append(games, id)
	}
	end := func(id, loser string) {
		t.Helper()
		if err := database.OrderEnd(t.Context(), path, id, loser); err != nil {
			t.Error(err)
		}
	}
	end(games[0], "")
	end(games[1], "ADA")
	for i, want := range []wire.Result{{Winner: -1, How: wire.Aborted}, {Winner: 1, How: wire.Resigned}} {
		over := wantOver(bob, games[i])
		if over.Winner != want.Winner || over.How != want.How {
			t.Errorf("game %d ends with %+v, want %+v", i, over, want)
		}
	}
	unheard := sit(t, ada, bob, wire.Challenge{})
	h.end()
	execute(t, path, fmt.Sprintf(`UPDATE games SET rules = 'unheard' WHERE id = '%s'`, unheard))
	end(games[2], "bob")
	end(unheard, "bob")
	h = open(t, path, func(c *server.Config) { c.Open = false })
	for left := []database.Game{{}}; len(left) > 0; time.Sleep(time.Millisecond) {
		var err error
		if left, err = database.RunningGames(t.Context(), path, ""); err != nil {
			t.Fatal(err)
		}
	}
	var g wire.Game
	if err := json.Unmarshal([]byte(get(t, h, "/records/"+games[2]+".json", tokens["ada"])), &g); err != nil ||
		g.Result == nil || g.Result.Winner != 0 || g.Result.How != wire.Resigned {
		t.Errorf("after the start it ends with %+v, %v", g.Result, err)
	}
}

// An order for a game that cannot be read is in the log, and is kept.
func TestOrderForUnreadableGame(t *testing.T) {
	t.Parallel() // it waits for the next look of the server
	h, tokens := hosted(t, nil, "ada", "bob")
	path := h.Config.Database
	ada, bob := enter(t, h, "ada", tokens["ada"]), enter(t, h, "bob", tokens["bob"])
	id := sit(t, ada, bob, wire.Challenge{})
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
	h.end()
	var log bytes.Buffer
	var mu sync.Mutex
	open(t, path, func(c *server.Config) {
		c.Open, c.GameMemory, c.Log = false, 1, slog.New(slog.NewTextHandler(locked{&mu, &log}, nil))
	})
	execute(t, path, "UPDATE moves SET move = 'nowhere'")
	if err := database.OrderEnd(t.Context(), path, id, "bob"); err != nil {
		t.Fatal(err)
	}
	want := `msg="an order of the host waits for the next start" order=end target=` + id
	for said := false; !said; time.Sleep(time.Millisecond) {
		mu.Lock()
		said = strings.Contains(log.String(), want)
		mu.Unlock()
	}
}

// wantOver waits for the end of a game.
func wantOver(p *peer, id string) wire.Result {
	p.t.Helper()
	for {
		if over := want[wire.Over](p); over.Game == id {
			return over.Result
		}
	}
}

// A banned account or address is out until the ban is over or removed; others notice nothing.
func TestBans(t *testing.T) {
	t.Parallel() // it waits for the next look of the server
	h, tokens := hosted(t, public, "ada", "eve")
	path := h.Config.Database
	ban := func(b database.Ban) {
		t.Helper()
		b.Made = time.Now()
		if _, err := database.AddBan(t.Context(), path, b); err != nil {
			t.Fatal(err)
		}
	}
	from := func(address, token string) *peer {
		t.Helper()
		ws, _, err := websocket.DefaultDialer.Dial(h.url, http.Header{"X-Forwarded-For": {address}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ws.Close() })
		p := &peer{t: t, ws: ws, name: address}
		p.greet(&wire.Hello{Version: wire.Version, Token: token})
		return p
	}
	ada, eve := from("203.0.113.7", tokens["ada"]), from("2001:db8::7", tokens["eve"])
	ban(database.Ban{Target: "eve", Reason: "two accounts", Until: time.Now().Add(time.Hour)})
	if e := want[wire.Error](eve); e.Code != wire.Banned || e.Retry <= 0 ||
		!strings.Contains(e.Text, " UTC: two accounts") {
		t.Errorf("the banned one is told %+v", e)
	}
	if code := eve.closed(); code != websocket.ClosePolicyViolation {
		t.Errorf("and closed with %d", code)
	}
	dial(t, h).refused(&wire.Hello{Version: wire.Version, Token: tokens["eve"]}, wire.Banned)
	if got := get(t, h, "/records/", tokens["eve"]); got != "403" {
		t.Errorf("records of a banned account: %s", got)
	}
	ada.must(&wire.EnterLobby{})

	if err := database.RemoveBan(t.Context(), path, "EVE"); err != nil {
		t.Fatal(err)
	}
	ban(database.Ban{Target: "203.0.113.0/24"})
	if e := want[wire.Error](ada); e.Code != wire.Banned {
		t.Errorf("who comes from a banned network is told %+v", e)
	}
	ada.closed()
	neighbour := http.Header{"X-Forwarded-For": {"203.0.113.9"}}
	if _, resp, _ := websocket.DefaultDialer.Dial(h.url, neighbour); resp == nil ||
		resp.StatusCode != http.StatusForbidden || resp.Header.Get("Retry-After") == "" {
		t.Errorf("another address of it: %v", resp)
	}
	from("2001:db8::7", tokens["eve"])
	from("198.51.100.1", tokens["ada"])
	h.end()
	h = open(t, path, public)
	if _, resp, _ := websocket.DefaultDialer.Dial(h.url, neighbour); resp == nil ||
		resp.StatusCode != http.StatusForbidden {
		t.Errorf("after a restart: %v", resp)
	}
}

// Who is banned from chat plays on.
func TestChatBan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	tokens := map[string]string{"ada": account(t, path, "ada"), "eve": account(t, path, "eve")}
	if _, err := database.AddBan(t.Context(), path, database.Ban{Target: "eve", Chat: true}); err != nil {
		t.Fatal(err)
	}
	h := open(t, path, func(c *server.Config) { c.Open = false })
	ada, eve := enter(t, h, "ada", tokens["ada"]), enter(t, h, "eve", tokens["eve"])
	if e := eve.refused(&wire.Chat{Text: "hello"}, wire.Refused); e.Text != "you are banned from chat" {
		t.Errorf("she is told %+v", e)
	}
	ada.must(&wire.Chat{Text: "hello"})
	id := sit(t, ada, eve, wire.Challenge{})
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	eve.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
}

// An account that was made, or renewed before it ever came, is known while somebody guesses tokens
// at its address.
func TestNewAccountBesideGuesser(t *testing.T) {
	t.Parallel() // it waits for the next look of the server
	h, _ := hosted(t, nil)
	path := h.Config.Database
	account(t, path, "ada")
	bob := account(t, path, "bob")
	ada, err := database.RenewToken(t.Context(), path, "ada")
	if err != nil {
		t.Fatal(err)
	}
	for !h.Knows(ada) || !h.Knows(bob) {
		time.Sleep(time.Millisecond)
	}
	var guessers []*peer
	for i := range 100 { // more than may wait
		p := dial(t, h)
		p.send(&wire.Hello{Version: wire.Version, Token: fmt.Sprint("gb_", i)})
		guessers = append(guessers, p)
	}
	for _, p := range slices.Backward(guessers) {
		if _, m, err := p.next(); err == nil && m.(*wire.Error).Code == wire.TooFast {
			break
		}
	}
	enter(t, h, "ada", ada)
	enter(t, h, "bob", bob)
}

// Metrics are for those whom the host has named.
func TestReservedPaths(t *testing.T) {
	h, tokens := hosted(t, func(c *server.Config) {
		c.MetricsReaders = []string{"Prometheus"}
	}, "ada", "prometheus")
	for name, want := range map[string]string{"ada": "403", "": "401"} {
		if got := get(t, h, "/metrics", tokens[name]); got != want {
			t.Errorf("metrics by %q: %s, want %s", name, got, want)
		}
	}
	if got := get(t, h, "/metrics", tokens["prometheus"]); !strings.Contains(got, "hexproto_accounts") {
		t.Errorf("metrics: %s", got)
	}
}

// The log says who signed in from where, and what was refused to whom.
func TestJournal(t *testing.T) {
	var log bytes.Buffer
	var mu sync.Mutex
	h, tokens := hosted(t, func(c *server.Config) {
		public(c)
		c.Log = slog.New(slog.NewTextHandler(locked{&mu, &log}, nil))
	}, "ada")
	ada := enter(t, h, "ada", tokens["ada"])
	for range 5 {
		ada.refused(&wire.Resign{Game: "g1"}, wire.NotFound)
	}
	get(t, h, "/records/", "gb_wrong")
	h.end()
	mu.Lock()
	defer mu.Unlock()
	for _, line := range []string{
		`msg="signed in" address=127.0.0.1 account=ada` + "\n",
		`msg=refused address=127.0.0.1 account=ada code=not_found` + "\n",
		`msg=refused address=127.0.0.1 account=ada code=not_found more=4` + "\n",
		`msg="turned away" address=127.0.0.1 code=token` + "\n",
	} {
		if strings.Count(log.String(), line) != 1 {
			t.Errorf("no %q in %s", line, &log)
		}
	}
	if strings.Contains(log.String(), tokens["ada"]) {
		t.Error("the log has a token")
	}
}
