package server_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"testing"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// Whoever has the id of a private challenge sees it without an account, even where accounts need
// a token. Nobody so sees another challenge.
func TestInvitation(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	token, err := server.AddAccount(database, "ada", false)
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, database, func(c *server.Config) { c.Open = false })
	ada := dial(t, h)
	ada.greet(&wire.Hello{Version: wire.Version, Token: token})
	side := json.RawMessage(`{"side":4}`)
	get := func(id string) (status int, shown wire.Invitation) {
		t.Helper()
		reply, err := http.Get(h.web.URL + "/invitations/" + id)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		if reply.StatusCode == http.StatusOK {
			err = json.NewDecoder(reply.Body).Decode(&shown)
		}
		if err != nil {
			t.Fatal(err)
		}
		return reply.StatusCode, shown
	}
	id := ada.must(&wire.Challenge{Rules: "havannah", Options: side, Private: true}).Challenge
	status, shown := get(id)
	if c := shown.Challenge; status != http.StatusOK || shown.Title != "Havannah" || shown.Hidden ||
		c.Challenge != id || c.From.Name != "ada" || string(c.Options) != string(side) {
		t.Errorf("status %d, %+v", status, shown)
	}
	ada.must(&wire.Cancel{Challenge: id})
	public := ada.must(&wire.Challenge{Rules: "havannah"}).Challenge
	for _, other := range []string{id, public, "c", ""} {
		if status, _ := get(other); status != http.StatusNotFound {
			t.Errorf("%q: status %d", other, status)
		}
	}
}
