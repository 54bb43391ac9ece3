package server_test

import (
	"path/filepath"
	"testing"

	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// A running server refuses a token that was renewed or revoked beside it, and ends
// what it has opened. Other accounts notice nothing.
func TestChangedTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	h := open(t, path, func(c *server.Config) { c.Open = false })
	greet := func(name, token string) *peer {
		t.Helper()
		p := dial(t, h)
		p.name = name
		p.greet(&wire.Hello{Version: wire.Version, Token: token})
		return p
	}
	ended := func(p *peer) {
		t.Helper()
		if e := want[wire.Error](p); e.Code != wire.BadToken {
			t.Errorf("%s is told %v", p.name, e)
		}
		if code := p.closed(); code != websocket.ClosePolicyViolation {
			t.Errorf("%s is closed with %d", p.name, code)
		}
	}
	tokens := map[string]string{}
	for _, name := range []string{"ada", "bob", "eve"} {
		token, err := server.AddAccount(path, name, false)
		if err != nil {
			t.Fatal(err)
		}
		tokens[name] = token
	}
	ada, bob, eve := greet("ada", tokens["ada"]), greet("bob", tokens["bob"]), greet("eve", tokens["eve"])
	renewed, err := database.RenewToken(t.Context(), path, "ada")
	if err != nil {
		t.Fatal(err)
	}
	ada2 := greet("ada", renewed)
	if err := database.RevokeToken(t.Context(), path, "eve"); err != nil {
		t.Fatal(err)
	}
	ended(ada)
	ended(eve)
	for _, token := range []string{tokens["ada"], tokens["eve"]} {
		p := dial(t, h)
		p.refused(&wire.Hello{Version: wire.Version, Token: token}, wire.BadToken)
		if got := get(t, h, "/records/", token); got != "401" {
			t.Errorf("records by an old token: %s", got)
		}
	}
	id := sit(t, ada2, bob, wire.Challenge{})
	ada2.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	h.end()
	h = open(t, path, func(c *server.Config) { c.Open = false })
	greet("ada", renewed)
	dial(t, h).refused(&wire.Hello{Version: wire.Version, Token: tokens["eve"]}, wire.BadToken)
}
