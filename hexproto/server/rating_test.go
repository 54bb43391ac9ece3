package server_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/hexproto"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

// resigned plays a game that the first loses by resigning, and returns its end as the
// winner hears it.
func resigned(t *testing.T, loser, winner *peer, options string) *wire.Over {
	t.Helper()
	id := sit(t, loser, winner, wire.Challenge{Rated: true, Options: json.RawMessage(options)})
	rate(id, loser, winner)
	loser.must(&wire.Resign{Game: id})
	want[wire.Over](loser)
	return want[wire.Over](winner)
}

// A player has a rating for each size of the board, and keeps it over a restart.
func TestRatingsByKind(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	if len(ada.hello.Ratings) != 0 || ada.hello.You.Rating != 1500 || !ada.hello.You.Provisional {
		t.Errorf("a new player is %+v with %+v", ada.hello.You, ada.hello.Ratings)
	}
	first := resigned(t, ada, bob, `{"side":5}`)
	second := resigned(t, ada, bob, `{"side":5}`)
	if other := resigned(t, ada, bob, `{"side":6}`); !slices.Equal(other.Ratings, first.Ratings) ||
		!slices.Equal(other.Changes, first.Changes) {
		t.Errorf("on another board %+v, and %+v before", other, first)
	}
	if first.Changes[1] != 50 || !slices.Equal(second.Changes, []int{0, 0}) ||
		!slices.Equal(second.Ratings, first.Ratings) {
		t.Errorf("a second win: %+v after %+v", second, first)
	}
	h.end()
	h = open(t, database, nil)
	bob = bob.again(h)
	got := bob.hello.Ratings
	if len(got) != 2 || got["havannah-5"].Rating != second.Ratings[1] || got["havannah-5"].Games != 2 ||
		got["havannah-6"].Rating != first.Ratings[1] {
		t.Errorf("after a restart %+v", got)
	}
	ada = ada.again(h)
	if third := resigned(t, ada, bob, `{"side":5}`); !slices.Equal(third.Changes, []int{0, 0}) {
		t.Errorf("a restart forgets what bob has gained: %+v", third)
	}
	if you := bob.hello.You; you.Rating != second.Ratings[1] || you.Deviation != got["havannah-5"].Deviation {
		t.Errorf("%+v has not the rating of the kind played most", you)
	}
	ada.must(&wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":7}`), To: "bob"})
	if c := want[wire.Challenged](bob); c.Kind != "havannah-7" || c.From.Rating != 1500 {
		t.Errorf("a challenge on a board without ratings: %+v", c)
	}
}

// A rated win against a bot that is known to be weak is worth next to nothing.
func TestWeakBotIsNoPrey(t *testing.T) {
	h := start(t, resigners)
	ada := join(t, h, "ada")
	o := beat(t, ada, "weak", 500)
	if o.Result.Winner != 1 || o.Changes[1] < 0 || o.Changes[1] > 3 || o.Changes[0] != 0 {
		t.Errorf("%+v", o)
	}
}

// Games with the server's bots, whose ratings are measured, give more than the most that an account gains in games with
// others, and do not count toward it.
func TestBotsGiveMore(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, resigners)
	ada := join(t, h, "ada")
	if o := beat(t, ada, "strong", 2000); o.Changes[1] < 200 {
		t.Errorf("a win against a strong bot: %+v", o)
	}
	h.end()
	h = open(t, database, resigners)
	if o := resigned(t, join(t, h, "bob"), ada.again(h), `{"side":5}`); o.Changes[1] < 5 {
		t.Errorf("and then one against bob: %+v", o)
	}
}

// resigners has bots that resign, with ratings.
func resigners(c *server.Config) {
	c.Bots = nil
	for name, rating := range map[string]int{"weak": 500, "strong": 2000} {
		c.Bots = append(c.Bots, engines.Bot{
			Name: name, Rules: []string{"havannah"}, Bot: resigner{}, Ratings: map[string]int{"havannah": rating},
		})
	}
}

// beat plays a rated game on a board of side 5 that a bot of a known rating resigns.
func beat(t *testing.T, p *peer, bot string, strength int) *wire.Over {
	t.Helper()
	id := p.must(&wire.Challenge{
		Rules: "havannah", Options: json.RawMessage(`{"side":5}`), To: bot, Seat: "second", Rated: true, Clock: minute,
	}).Game
	if g := want[wire.Game](p); g.Seats[0].Rating != strength || g.Seats[0].Provisional {
		t.Errorf("the bot is %+v", g.Seats[0])
	}
	for turn, move := range rating {
		if turn%2 == 1 {
			p.must(&wire.Play{Game: id, Turn: turn, Move: move})
		}
		want[wire.Moved](p)
	}
	return want[wire.Over](p)
}

// resigner is a bot that resigns as soon as the game counts.
type resigner struct{}

func (resigner) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) {
	return resigner{}, nil
}

func (resigner) Decide(_ context.Context, g *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	if g.Turn < len(rating) {
		return hexproto.Decision{Move: rating[g.Turn]}, nil
	}
	return hexproto.Decision{Resign: true}, nil
}

func (resigner) Close() error { return nil }

// A database of the first version of the schema goes on: the rating that an account had
// for all games is the first of each kind, with a wide deviation.
func TestDatabaseOfTheFirstVersion(t *testing.T) {
	database := filepath.Join(t.TempDir(), "games.db")
	old, err := os.ReadFile("database/testdata/version1.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(old)); err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{"Ada": "gb_ada", "bob": "gb_bob", "eve": "gb_eve"} {
		sum := sha256.Sum256([]byte(token))
		if _, err := db.Exec(`UPDATE accounts SET token = ? WHERE name = ?`, sum[:], name); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// The second start finds nothing to do, and neither does the third, after the first
	// version has opened the database again and set its version back.
	for i := range 3 {
		if i == 2 {
			if db, err = sql.Open("sqlite", database); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(`PRAGMA user_version = 1`); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
		h := open(t, database, nil)
		hello := func(name string) *peer {
			p := dial(t, h)
			p.name, p.token = name, "gb_"+name
			p.greet(&wire.Hello{Version: wire.Version, Token: p.token})
			return p
		}
		ada, eve := hello("ada"), hello("eve")
		want := map[string]wire.Rating{"havannah-4": {Rating: 1580, Deviation: ada.hello.You.Deviation,
			Provisional: true, Games: 3}}
		if got := ada.hello; !maps.Equal(got.Ratings, want) || got.You.Rating != 1580 || got.You.Deviation < 250 ||
			len(got.Games) != 1 {
			t.Errorf("ada is welcomed by %+v", got)
		}
		if you := eve.hello.You; you.Rating != 1500 || you.Deviation != 350 {
			t.Errorf("a player without games is %+v", you)
		}
		if g := ada.state("gf"); g.Turn != 1 || g.Kind != "havannah-5" || g.Seats[0].Rating != 1580 ||
			g.Seats[1].Deviation != 250 {
			t.Errorf("the running game is %+v", g)
		}
		list := fetch[[]wire.Brief](t, h, "/records/?player=ADA")
		if !slices.Equal(ids(list), []string{"ge", "gd", "gc", "gb", "ga"}) || list[4].Kind != "havannah-4" ||
			list[4].Changes != nil || list[2].Outcome != "won" {
			t.Errorf("the old games are %+v", list)
		}
		if p := fetch[wire.Profile](t, h, "/players/ada"); p.Since != 1700000000000 || len(p.Kinds) != 2 ||
			p.Kinds[0].Won != 2 || p.Kinds[0].Drawn != 1 || p.Kinds[1].Won != 1 {
			t.Errorf("the profile is %+v", p)
		}
		h.end()
	}
	// A database of a later version is left alone.
	if db, err = sql.Open("sqlite", database); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`PRAGMA user_version = 1000`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := server.AddAccount(database, "max", false); err == nil ||
		!strings.Contains(err.Error(), "later version") {
		t.Errorf("a later version: %v", err)
	}
}
