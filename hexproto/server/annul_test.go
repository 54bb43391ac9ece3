package server_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
)

// orders returns how many orders of the host a server has not carried out.
func orders(t *testing.T, path string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err == nil {
		err = errors.Join(db.QueryRow("SELECT count(*) FROM orders").Scan(&n), db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// profile returns the profile of a player once the server has carried out all orders.
func profile(t *testing.T, h *testServer, name string) (p wire.Profile) {
	t.Helper()
	for orders(t, h.Config.Database) > 0 {
		time.Sleep(time.Millisecond)
	}
	if err := json.Unmarshal([]byte(get(t, h, "/players/"+name, "")), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// rated returns the rating of a profile in the one kind that was played, and the games that count for it and in all.
func rated(t *testing.T, p wire.Profile) (rating, games, all int) {
	t.Helper()
	if len(p.Kinds) != 1 {
		t.Fatalf("%s has played %+v", p.Name, p.Kinds)
	}
	k := p.Kinds[0]
	return k.Rating.Rating, k.Rating.Games, k.Won + k.Lost + k.Drawn
}

// The points of annulled games go back to the point, once however often the host asks, also over a restart and of games
// that were read before. A reset account has the ratings of a new one, and games from before count for it no more.
func TestAnnulledGames(t *testing.T) {
	t.Parallel() // it waits for the next look of the server
	path := filepath.Join(t.TempDir(), "games.db")
	h := open(t, path, nil)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	var won []string
	var first, last *wire.Over
	for range 3 {
		o := resigned(t, bob, eve, `{"side":5}`)
		won, last = append(won, o.Game), o
	}
	first = resigned(t, ada, eve, `{"side":5}`)
	left := 1500 + first.Changes[1]
	if last.Ratings[1]-left < 40 {
		t.Fatalf("three wins lead to %+v only", last)
	}
	annul := func(id string) {
		t.Helper()
		if err := database.OrderAnnul(t.Context(), path, id); err != nil {
			t.Fatal(err)
		}
	}
	annul(won[0]) // the game is in memory
	annul(won[0])
	check := func(name string, wantRating, wantGames, wantAll int) {
		t.Helper()
		if rating, games, all := rated(t, profile(t, h, name)); rating != wantRating || games != wantGames ||
			all != wantAll {
			t.Errorf("%s has %d of %d games in %d, want %d of %d in %d",
				name, rating, games, all, wantRating, wantGames, wantAll)
		}
	}
	h.end()
	annul(won[1])
	annul(won[1])
	h = open(t, path, nil)
	profile(t, h, "eve")
	if g := recordOf(t, h, won[2]); g.Result.How != wire.Resigned {
		t.Errorf("before: %+v", g.Result)
	}
	annul(won[2]) // the game is in the archive
	check("eve", left, 1, 1)
	check("bob", 1500, 0, 0)
	check("ada", first.Ratings[0], 1, 1)
	for _, id := range won {
		if g := recordOf(t, h, id); g.Result.How != wire.Aborted || g.Result.Winner != -1 || len(g.Result.Score) != 2 ||
			g.Result.Reason != "the host annulled the game, which had ended (resign)" {
			t.Errorf("the record of an annulled game: %+v", g.Result)
		}
	}
	if err := database.OrderAnnul(t.Context(), path, won[0]); !errors.Is(err, database.ErrNotCounted) {
		t.Errorf("annulled again: %v", err)
	}
	if err := database.OrderAnnul(t.Context(), path, "g1"); !errors.Is(err, database.ErrNoGame) {
		t.Errorf("no game: %v", err)
	}
	if err := database.OrderReset(t.Context(), path, "EVE"); err != nil {
		t.Fatal(err)
	}
	check("eve", 1500, 0, 1)
	annul(first.Game)
	check("eve", 1500, 0, 0)
	check("ada", 1500, 0, 0)
	h.end()
	h = open(t, path, nil)
	check("eve", 1500, 0, 0)
	ada, bob = ada.again(h), bob.again(h)
	id := sit(t, ada, bob, wire.Challenge{})
	if err := database.OrderAnnul(t.Context(), path, id); !errors.Is(err, database.ErrRuns) {
		t.Errorf("a running game: %v", err)
	}
	if o := resigned(t, bob, ada, `{"side":5}`); o.Changes[1] != -o.Changes[0] || o.Ratings[1] != 1500+o.Changes[1] {
		t.Errorf("the next game: %+v", o)
	}
}

// recordOf returns the record of a game.
func recordOf(t *testing.T, h *testServer, id string) (g wire.Game) {
	t.Helper()
	if err := json.Unmarshal([]byte(get(t, h, "/records/"+id+".json", "")), &g); err != nil || g.Result == nil {
		t.Fatalf("%s: %v", id, err)
	}
	return g
}

// The host sees who is connected since when, from where and with what, and closes connections.
func TestOnline(t *testing.T) {
	t.Parallel() // it waits for the next look of the server
	h, tokens := hosted(t, public, "ada", "eve")
	path := h.Config.Database
	begin := time.Now().Add(-time.Second)
	ada, eve := enter(t, h, "ada", tokens["ada"]), enter(t, h, "eve", tokens["eve"])
	enter(t, h, "eve", tokens["eve"])
	dial(t, h) // it has not signed in
	all, err := database.AskOnline(t.Context(), path)
	if err != nil || len(all) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, name := range []string{"ada", "eve", "eve"} {
		if o := all[i]; o.Name != name || o.Address != "127.0.0.1" ||
			o.Since.Before(begin) || time.Now().Before(o.Since) ||
			o.Agent != "Go-http-client/1.1" {
			t.Errorf("%+v", o)
		}
	}
	if err := database.OrderKick(t.Context(), path, "nobody"); !errors.Is(err, database.ErrNoAccount) {
		t.Errorf("kicking nobody: %v", err)
	}
	if err := database.OrderKick(t.Context(), path, "Eve"); err != nil {
		t.Fatal(err)
	}
	e := want[wire.Error](eve)
	if e.Code != wire.Refused || e.Text != "the host closed this connection" || e.Retry <= 0 {
		t.Errorf("she is told %+v", e)
	}
	eve.closed()
	ada.must(&wire.EnterLobby{})
	again := dial(t, h)
	again.send(&wire.Hello{Version: wire.Version, Token: tokens["eve"]})
	if e := want[wire.Error](again); e.Code != wire.Refused || e.Retry <= 0 || e.Retry > time.Minute.Milliseconds() {
		t.Errorf("she comes again at once, and is told %+v", e)
	}
	again.closed()
	for orders(t, path) > 0 {
		time.Sleep(time.Millisecond)
	}
}
