package server_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// littleMemory leaves room for about two games of side 3.
func littleMemory(c *server.Config) { c.GameMemory, c.Limits.Clockless = 40_000, 1000 }

// A start that finds more games than there is memory for puts them to sleep. Whoever comes finds
// them as they were: moves, a move that waits for the other, lines of chat and offers.
func TestSleepingGames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	many := func(c *server.Config) { withMatrix(c); c.Limits.Clockless = 1000 }
	h := open(t, path, many)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	var games []string
	for range 10 {
		id := sit(t, ada, bob, wire.Challenge{})
		ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
		bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
		ada.must(&wire.Chat{Game: id, Text: "in " + id})
		games = append(games, id)
	}
	c := ada.must(&wire.Challenge{Rules: "matrix", Seat: "first"}).Challenge
	secret := bob.must(&wire.Accept{Challenge: c}).Game
	ada.must(&wire.Play{Game: secret, Turn: 0, Move: "paper"})
	h.end()

	h = open(t, path, func(c *server.Config) { many(c); littleMemory(c) })
	if asleep, memory := h.Asleep(); asleep < 8 || memory > 40_000 {
		t.Errorf("%d games sleep, and the others have %d bytes", asleep, memory)
	}
	eve := join(t, h, "eve")
	before := h.Slept()
	for _, id := range games { // who does not play wakes no game
		eve.refused(&wire.Play{Game: id, Turn: 2, Move: "b2"}, wire.NotYours)
		eve.refused(&wire.Resign{Game: id}, wire.NotYours)
		eve.refused(&wire.Chat{Game: id, Text: "hello"}, wire.NotYours)
	}
	if after := h.Slept(); after != before {
		t.Errorf("strangers woke games: %d were put to sleep, and before %d", after, before)
	}
	if g := eve.state(games[3]); len(g.Moves) != 2 || g.Said[0].Text != "in "+games[3] || g.Present[0] {
		t.Errorf("a spectator sees %+v", g)
	}
	if record := get(t, h, "/records/"+games[4]+".txt", eve.token); !strings.Contains(record, ": a1 c3") {
		t.Errorf("record %q", record)
	}
	bob = bob.again(h)
	states := map[string]*wire.Game{}
	for range len(games) + 1 {
		g := want[wire.Game](bob)
		states[g.Game] = g
	}
	for _, id := range games {
		if g := states[id]; g == nil || len(g.Moves) != 2 || g.Turn != 2 || g.Said[0].Text != "in "+id {
			t.Errorf("%s comes back as %+v", id, g)
		}
	}
	bob.must(&wire.Play{Game: secret, Turn: 0, Move: "rock"})
	if m := want[wire.Moved](bob); m.Game != secret || m.Moves[0].Move != "paper" {
		t.Errorf("%+v", m)
	}
	bob.must(&wire.Offer{Game: games[0], Offer: wire.OfferDraw})
	eve.ws.Close()
	bob.ws.Close()
	for h.Present("bob") || h.Present("eve") {
		time.Sleep(time.Millisecond)
	}
	h.MakeRoom()
	if asleep, _ := h.Asleep(); asleep < 8 {
		t.Errorf("%d games sleep when all have left", asleep)
	}
	ada = ada.again(h)
	ada.must(&wire.Offer{Game: games[0], Offer: wire.OfferDraw}) // accepts
	if g := ada.state(games[0]); g.Result == nil || g.Result.How != wire.Agreed {
		t.Errorf("the offer is forgotten: %+v", g)
	}
	ada.must(&wire.Play{Game: games[5], Turn: 2, Move: "b2"})
}

// A clock goes on while its game sleeps, and whoever lets it run out loses: also a seat of poker,
// of which the rules have to say what it has won.
func TestClocksOfSleepingGames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	poker := withPoker(t, "leduc")
	h := open(t, path, poker)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	lost := sit(t, ada, bob, wire.Challenge{Clock: wire.Clock{Main: 60_000}})
	match := bob.must(&wire.Accept{Challenge: ada.must(&wire.Challenge{
		Rules: "leduc", Options: json.RawMessage(`{"hands":100}`), Clock: wire.Clock{Main: 60_000}, Seat: "first",
	}).Challenge}).Game
	for turn, move := range []string{"a1", "c3"} {
		[]*peer{ada, bob}[turn].must(&wire.Play{Game: lost, Turn: turn, Move: move})
	}
	for g := ada.state(match); g.Turn < 6; g = ada.state(match) {
		[]*peer{ada, bob}[g.ToMove[0]].must(&wire.Play{Game: match, Turn: g.Turn, Move: "c"})
	}
	h.end()
	execute(t, path, `UPDATE games SET main = 300`)

	start := time.Now()
	h = open(t, path, func(c *server.Config) {
		poker(c)
		c.GameMemory, c.Limits.BackAfter = 1, time.Millisecond
	})
	asleep, memory := h.Asleep()
	if (asleep != 2 || memory != 0) && time.Since(start) < 300*time.Millisecond { // before a clock runs out
		t.Errorf("%d games sleep, and the others have %d bytes", asleep, memory)
	}
	eve := join(t, h, "eve")
	for game, how := range map[string]string{lost: wire.TimeOut, match: wire.TimeOut} {
		g := eve.state(game)
		for ; g.Result == nil; g = eve.state(game) {
			time.Sleep(10 * time.Millisecond)
		}
		if g.Result.How != how || game == lost && g.Result.Winner != 1 {
			t.Errorf("ended as %+v", g.Result)
		}
	}
}

// A game without room is refused, with words, and begins when there is room.
func TestNoRoomForGames(t *testing.T) {
	h := start(t, littleMemory)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	var games []string
	for {
		ack, e := ada.ask(&wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":3}`), To: "random"})
		if e != nil {
			break
		}
		games = append(games, ack.Game)
	}
	if len(games) != 2 {
		t.Errorf("%d games", len(games))
	}
	m := &wire.Challenge{Rules: "havannah", Options: json.RawMessage(`{"side":3}`), To: "random"}
	limited(t, bob, m, wire.TooMany, "the running games take all the memory")
	ada.ws.Close() // then they sleep
	for h.Present("ada") {
		time.Sleep(time.Millisecond)
	}
	bob.must(m)
	ada = ada.again(h)
	for range games {
		want[wire.Game](ada)
	}
}
