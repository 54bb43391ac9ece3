package server_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// A game without clocks ends some time after its last move, and a restart of the server
// does not give it more. One with clocks goes on.
func TestAbandonedGames(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	begin := func(clock wire.Clock) string {
		id := sit(t, ada, bob, wire.Challenge{Clock: clock})
		ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
		return id
	}
	abandoned, moved, clocked := begin(wire.Clock{}), begin(wire.Clock{}), begin(wire.Clock{Main: 60_000})
	h.end()
	db, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{
		`UPDATE games SET started = started - 20 * 86400000`,
		`UPDATE moves SET at = at - 15 * 86400000 WHERE game <> (SELECT row FROM games WHERE id = '` + moved + `')`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	h = open(t, database, func(c *server.Config) { c.Limits.BotAbandoned = 40 * time.Millisecond }) // looks more often
	ada = ada.again(h)
	for g := ada.state(abandoned); g.Result == nil || g.Result.Reason != "nobody moved for 14 days"; {
		time.Sleep(10 * time.Millisecond) // within the rate
		g = ada.state(abandoned)
	}
	for _, id := range []string{moved, clocked} {
		if g := ada.state(id); g.Result != nil {
			t.Errorf("ended: %+v", g.Result)
		}
	}
}

// Against a bot of the server it ends sooner, but not while the player is connected.
func TestAbandonedGamesWithBots(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.BotAbandoned = 100 * time.Millisecond })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := ada.must(&wire.Challenge{Rules: "havannah", To: "random", Seat: "first"}).Game
	bob.state(id)
	time.Sleep(300 * time.Millisecond)
	if g := bob.state(id); g.Result != nil {
		t.Errorf("ended as %+v while the player was there", g.Result)
	}
	ada.ws.Close()
	if o := want[wire.Over](bob); o.Game != id || o.Result.How != wire.Aborted ||
		!strings.Contains(o.Result.Reason, "nobody moved") {
		t.Errorf("%+v", o)
	}
}
