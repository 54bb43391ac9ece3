package server_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"
)

// A change of the system's clock by an hour, forward or back, costs nobody time.
func TestSystemClockJump(t *testing.T) {
	for _, by := range []time.Duration{time.Hour, -time.Hour} {
		var jumped atomic.Int64
		restore := server.SetClock(func() time.Time { return testkit.Jump(time.Now(), time.Duration(jumped.Load())) })
		h := start(t, nil)
		ada, bob := join(t, h, "ada"), join(t, h, "bob")
		id := sit(t, ada, bob, wire.Challenge{Clock: wire.Clock{Main: 600_000}})
		ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
		bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
		before := ada.state(id)
		jumped.Store(int64(by))
		ada.must(&wire.Play{Game: id, Turn: 2, Move: "a2"})
		after := ada.state(id)
		if gone := after.Time.At - before.Time.At; gone < 0 || gone > 300_000 {
			t.Errorf("after %v the clock of games went on by %d ms", by, gone)
		}
		if left := after.Time.Left[0]; after.Result != nil || left > 600_000 || left < 300_000 {
			t.Errorf("after %v ada has %d ms left: %v", by, left, after.Result)
		}
		h.end()
		restore()
	}
}

// standing is a clock that a test moves on.
func standing(t *testing.T) (pass func(time.Duration)) {
	var passed atomic.Int64
	begin := time.Now()
	t.Cleanup(server.SetClock(func() time.Time { return begin.Add(time.Duration(passed.Load())) }))
	return func(d time.Duration) { passed.Add(int64(d)) }
}

// dealt starts a match of Leduc hold'em, whose hands begin without a bet to call. The first peer has seat 0.
func dealt(first, second *peer, hands string, clock wire.Clock) (game string) {
	id := first.must(&wire.Challenge{
		Rules: "leduc", Options: json.RawMessage(`{"hands":` + hands + `}`), Seat: "first", Clock: clock,
	}).Challenge
	return second.must(&wire.Accept{Challenge: id}).Game
}

// After a hand of poker people's clocks stand for five seconds, so that they see how it ended, and for five more if
// the next hand ends, too. Those of bots do not, nobody has to wait, and a restart charges nothing.
func TestPauseAfterHand(t *testing.T) {
	pass := standing(t)
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, withPoker(t, "leduc"))
	ada, bob, bot := join(t, h, "ada"), join(t, h, "bob"), dial(t, h)
	bot.greet(&wire.Hello{Version: wire.Version, Name: "bot", Bot: true})
	game := dealt(ada, bob, "5", wire.Clock{Main: 100_000})
	play := func(p *peer, game, move string) *wire.Game {
		t.Helper()
		p.must(&wire.Play{Game: game, Turn: ada.state(game).Turn, Move: move})
		return ada.state(game)
	}
	starts := func(g *wire.Game, seat int, in int64) {
		t.Helper()
		if !slices.Equal(g.ToMove, []int{seat}) || !g.Time.Running[seat] || g.Time.Since[seat] != g.Time.At+in {
			t.Errorf("in turn %d the clock of seat %v starts in %d ms, want %d", g.Turn, g.ToMove,
				g.Time.Since[seat]-g.Time.At, in)
		}
	}
	starts(ada.state(game), 0, 0)
	starts(play(ada, game, "r"), 1, 0)
	starts(play(bob, game, "f"), 1, 5000)
	pass(time.Second)
	starts(play(bob, game, "r"), 0, 4000)
	starts(play(ada, game, "f"), 0, 9000)
	pass(20 * time.Second)
	before := play(ada, game, "c")
	starts(before, 1, 0)
	if ms := before.Moves[len(before.Moves)-1].Ms; ms != 11_000 || before.Time.Left[0] != 89_000 {
		t.Errorf("11 s after the pause the move took %d ms, and %d ms are left", ms, before.Time.Left[0])
	}
	play(bob, game, "r")
	starts(play(ada, game, "f"), 1, 5000)
	pass(10 * time.Second)

	fast := dealt(ada, bob, "5", wire.Clock{Main: 100_000})
	for hand, in := range []int64{5000, 10_000, 10_000} { // two pauses at most
		first, second := ada, bob
		if hand%2 > 0 {
			first, second = bob, ada
		}
		play(first, fast, "r")
		starts(play(second, fast, "f"), (hand+1)%2, in)
	}

	withBot := dealt(ada, bot, "2", wire.Clock{Main: 100_000})
	play(ada, withBot, "r")
	starts(play(bot, withBot, "f"), 1, 0)
	starts(play(bot, withBot, "r"), 0, 5000)

	h.end()
	h = open(t, database, withPoker(t, "leduc"))
	ada, _ = ada.again(h), bob.again(h)
	after := ada.state(game)
	starts(after, 1, 0)
	if !slices.Equal(after.Time.Left, []int64{89_000, 100_000}) {
		t.Errorf("after a restart %d ms are left", after.Time.Left)
	}
}

// When a player's time is over, the server checks for the player, if that is free, and the match goes on. A program
// that has a bet to call loses; a person folds.
func TestTimeUpChecks(t *testing.T) {
	pass := standing(t)
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, withPoker(t, "leduc"))
	ada, bob := join(t, h, "ada"), dial(t, h)
	bob.greet(&wire.Hello{Version: wire.Version, Name: "bob", Bot: true})
	bob.name, bob.token = "bob", bob.hello.Token
	game := dealt(ada, bob, "2", wire.Clock{Main: 5000, Increment: 1000, PerMove: 500})
	checked := func(turn, seat int, ms, left int64) {
		t.Helper()
		g := ada.state(game)
		want := wire.Move{Turn: turn, Seat: seat, Move: "c", Ms: ms}
		if g.Result != nil || g.Turn != turn+1 || g.Moves[turn] != want || g.Time.Left[seat] != left {
			t.Errorf("%+v, %d ms left, %+v; want %+v and %d", g.Moves, g.Time.Left[seat], g.Result, want, left)
		}
	}
	pass(6 * time.Second)
	late := &wire.Play{Game: game, Turn: 0, Move: "r"}
	ada.refused(late, wire.WrongTurn)
	checked(0, 0, 5500, 1000)
	pass(6 * time.Second)
	bob.must(&wire.Play{Game: game, Turn: 1, Move: "c"}) // what it did is what the clock does
	checked(1, 1, 5500, 1000)
	h.end()
	h = open(t, database, withPoker(t, "leduc"))
	ada, bob = ada.again(h), bob.again(h)
	checked(1, 1, 5500, 1000)
	ada.must(&wire.Play{Game: game, Turn: 2, Move: "r"})
	pass(2 * time.Second)
	bob.refused(&wire.Play{Game: game, Turn: 3, Move: "c"}, wire.GameOver)
	if r := ada.state(game).Result; r == nil || r.How != wire.TimeOut || r.Winner != 0 {
		t.Errorf("a bet was to be called: %+v", r)
	}
}

// A match that both players have left alone ends.
func TestNobodyPlaysPoker(t *testing.T) {
	h := start(t, withPoker(t, "leduc"))
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	game := dealt(ada, bob, "1", wire.Clock{PerMove: 10})
	want[wire.Over](ada)
	g := ada.state(game)
	if len(g.Moves) != 4 || g.Result.How != "chips" {
		t.Errorf("%+v, %+v", g.Moves, g.Result)
	}
	// A clock that gives no more time is another matter.
	game = dealt(ada, bob, "1", wire.Clock{Main: 10})
	want[wire.Over](ada)
	if r := ada.state(game).Result; r.How != wire.TimeOut || r.Winner != 1 {
		t.Errorf("%+v", r)
	}
}
