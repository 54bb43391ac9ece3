package server_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// threeDays is a clock of correspondence.
var threeDays = wire.Clock{PerMove: 3 * 24 * 60 * 60 * 1000}

// leave disconnects a peer.
func (p *peer) leave(h *testServer) {
	p.ws.Close()
	for h.Present(p.name) {
		time.Sleep(time.Millisecond)
	}
}

// Two who are never there at the same time play with days for a move: the challenge to somebody who is away stays, the
// game begins without who made it, no first move is due within a minute, and who lets the days pass loses.
func TestCorrespondence(t *testing.T) {
	pass := standing(t)
	h := start(t, func(c *server.Config) {
		c.Limits.ChallengeLife, c.Limits.PrivateLife = time.Millisecond, time.Millisecond
		c.Limits.FirstMove = time.Millisecond
	})
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	bob.leave(h)
	side3 := json.RawMessage(`{"side":3}`)
	ada.refused(&wire.Challenge{Rules: "havannah", Options: side3, To: "bob", Clock: minute}, wire.Refused)
	slow := wire.Challenge{Rules: "havannah", Options: side3, To: "bob", Clock: threeDays, Seat: "first"}
	ada.must(&slow)
	invitation := ada.must(&wire.Challenge{Rules: "havannah", Clock: threeDays, Private: true}).Challenge
	fast := ada.must(&wire.Challenge{Rules: "havannah"}).Challenge
	ada.leave(h)

	bob = bob.again(h)
	challenged := want[wire.Challenged](bob).Challenge
	for ended := false; !ended; { // the other one ends, since its maker has left
		bob.send(&wire.ViewChallenge{Challenge: fast})
		_, m, err := bob.next()
		if _, ended = m.(*wire.Error); err != nil {
			t.Fatal(err)
		}
	}
	game := bob.must(&wire.Accept{Challenge: challenged}).Game
	bob.must(&wire.Accept{Challenge: invitation})
	bob.leave(h)

	pass(2 * 24 * time.Hour)
	ada = ada.again(h)
	if g := ada.state(game); g.Result != nil || g.You != 0 {
		t.Errorf("two days later ada finds %+v", g)
	}
	ada.must(&wire.Play{Game: game, Turn: 0, Move: "a1"})
	bob = bob.again(h)
	bob.must(&wire.Play{Game: game, Turn: 1, Move: "c3"})
	pass(71 * time.Hour)
	ada.must(&wire.Play{Game: game, Turn: 2, Move: "a2"})
	pass(73 * time.Hour)
	bob.refused(&wire.Play{Game: game, Turn: 3, Move: "b1"}, wire.GameOver)
	if g := ada.state(game); g.Result == nil || g.Result.How != wire.TimeOut || g.Result.Winner != 0 {
		t.Errorf("after three days the result is %+v", g.Result)
	}
}

// Days go on while the server is down, but for half a day in which its players can come back.
func TestCorrespondenceAfterRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	h := open(t, path, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	slow := wire.Challenge{Clock: threeDays}
	late, early := sit(t, ada, bob, slow), sit(t, ada, bob, slow)
	for _, id := range []string{late, early} {
		ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
		bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
	}
	h.end()
	for _, statement := range []string{
		`UPDATE games SET started = started - 30 * 86400000`,
		`UPDATE moves SET at = at - 20 * 86400000 WHERE game = (SELECT row FROM games WHERE id = '` + late + `')`,
		`UPDATE moves SET at = at - 86400000 WHERE game = (SELECT row FROM games WHERE id = '` + early + `')`,
	} {
		execute(t, path, statement)
	}
	h = open(t, path, nil)
	ada = ada.again(h)
	for id, hours := range map[string]int64{late: 60, early: 24} {
		g := ada.state(id)
		gone := g.Time.At - g.Time.Since[0]
		if want := hours * 3_600_000; g.Result != nil || !g.Time.Running[0] || gone < want || gone > want+600_000 {
			t.Errorf("after the restart the turn has taken %d ms, want %d: %+v", gone, want, g.Result)
		}
	}
}

// Games with days for a move leave memory to others although their players are connected, and are woken by a move.
func TestCorrespondenceSleeps(t *testing.T) {
	h := start(t, func(c *server.Config) { littleMemory(c); c.Limits.SlowGames = 10 })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	var games []string
	for range 10 {
		games = append(games, sit(t, ada, bob, wire.Challenge{Clock: threeDays}))
	}
	if asleep, memory := h.Asleep(); asleep < 8 || memory > 40_000 {
		t.Errorf("%d games sleep, and the others have %d bytes", asleep, memory)
	}
	for _, id := range games {
		ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
		if m := want[wire.Moved](bob); m.Game != id {
			t.Errorf("bob is told of %+v", m)
		}
	}
	again := &wire.Challenge{Rules: "havannah", To: "bob", Clock: threeDays}
	const want = "ada plays 10 games with days for a move, the limit: finish or resign one"
	if e := ada.refused(again, wire.TooMany); e.Text != want {
		t.Errorf("%q", e.Text)
	}
}

// A rated game that took weeks counts for the points of a day like another, also after a restart.
func TestCorrespondenceIsFair(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	h := open(t, path, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	play := func(clock wire.Clock) (change int) {
		id := sit(t, ada, bob, wire.Challenge{Rated: true, Clock: clock})
		rate(id, ada, bob)
		bob.must(&wire.Resign{Game: id})
		return want[wire.Over](ada).Changes[0]
	}
	if change := play(threeDays); change != 50 {
		t.Errorf("the first game changes %d points", change)
	}
	h.end()
	execute(t, path, `UPDATE games SET started = started - 40 * 86400000`)
	h = open(t, path, nil)
	ada, bob = ada.again(h), bob.again(h)
	if change := play(minute); change != 0 {
		t.Errorf("a second game on the same day changes %d points", change)
	}
}
