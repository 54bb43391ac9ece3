package server_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gamebots/hexproto/wire"
)

// A player whose time is over checks or folds, and is away: the server plays on for the player, also after a restart,
// until the player says to be here, or moves. People's clocks begin once all who are not away are ready.
func TestAway(t *testing.T) {
	pass := standing(t)
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, withPoker(t, "leduc"))
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	game := dealt(ada, bob, "10", wire.Clock{Main: 30_000, PerMove: 5000})
	is := func(turn int, away []int, last wire.Move) {
		t.Helper()
		g := ada.state(game)
		if last.Turn = turn - 1; g.Turn != turn || !slices.Equal(g.Away, away) || g.Moves[turn-1] != last {
			t.Errorf("%d turns, %v is away, %+v; want %d, %v, %+v", g.Turn, g.Away, g.Moves[g.Turn-1], turn, away, last)
		}
	}
	play := func(p *peer, move string) {
		t.Helper()
		p.must(&wire.Play{Game: game, Turn: ada.state(game).Turn, Move: move})
	}
	starts := func(in int64) {
		t.Helper()
		if g := ada.state(game); g.Time.Since[g.ToMove[0]] != g.Time.At+in {
			t.Errorf("in turn %d the clock starts in %d ms, want %d", g.Turn, g.Time.Since[g.ToMove[0]]-g.Time.At, in)
		}
	}
	folds := func(turn int) { // the server, for ada, since bob waits
		t.Helper()
		for pass(time.Millisecond); ada.state(game).Turn < turn; {
			time.Sleep(5 * time.Millisecond)
		}
		is(turn, []int{0}, wire.Move{Move: "f"})
		starts(5000)
	}
	pass(36 * time.Second)
	ada.refused(&wire.Play{Game: game, Turn: 0, Move: "r"}, wire.WrongTurn)
	is(1, []int{0}, wire.Move{Move: "c", Ms: 35_000})
	if p := want[wire.Presence](bob); !slices.Equal(p.Away, []int{0}) || p.Time == nil {
		t.Errorf("%+v", p)
	}
	h.end()
	h = open(t, database, withPoker(t, "leduc"))
	ada, bob = ada.again(h), bob.again(h)
	is(1, []int{0}, wire.Move{Move: "c", Ms: 35_000})
	play(bob, "r")
	folds(3)
	bob.must(&wire.Here{Game: game, Hand: 0}) // was for the last hand
	starts(5000)
	bob.must(&wire.Here{Game: game, Hand: 1})
	starts(0)
	play(bob, "r")
	folds(5)
	ada.must(&wire.Here{Game: game, Hand: 2})
	is(5, nil, wire.Move{Move: "f"})
	starts(5000)
	bob.must(&wire.Here{Game: game, Hand: 2})
	starts(0)
	for p := want[wire.Presence](ada); p.Time.Since[0] != p.Time.At; p = want[wire.Presence](ada) {
	}
	pass(4 * time.Second)
	play(ada, "r")
	is(6, nil, wire.Move{Move: "r", Ms: 4000})
	play(bob, "f")
	pass(45 * time.Second)
	bob.refused(&wire.Play{Game: game, Turn: 7, Move: "r"}, wire.WrongTurn) // has used up the bank, too
	is(8, []int{1}, wire.Move{Seat: 1, Move: "c", Ms: 35_000})
}

// Who is away for three hands in a row leaves the table, and comes back while the others play, also after a restart.
// Who has left by will does not.
func TestComeBack(t *testing.T) {
	pass := standing(t)
	database := filepath.Join(t.TempDir(), "games.db")
	h := open(t, database, withPoker(t, sixMax))
	peers := []*peer{join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")}
	game, bySeat := sitThree(t, peers, 30, wire.Clock{PerMove: 5000})
	hands := func(g *wire.Game) int { return len(g.View.Poker.Finished) }
	g := until(game, bySeat, calls, func(g *wire.Game) bool { return g.ToMove[0] == 0 })
	pass(6 * time.Second)
	bySeat[0].refused(&wire.Play{Game: game, Turn: g.Turn, Move: "c"}, wire.WrongTurn)
	g = until(game, bySeat, calls, func(g *wire.Game) bool {
		if g.ToMove[0] == 0 {
			pass(6 * time.Second)
			_, _ = bySeat[0].ask(&wire.Play{Game: game, Turn: g.Turn, Move: "f"}) // is late
		}
		return len(g.Gone) > 0
	})
	if !slices.Equal(g.Gone, []int{0}) || !slices.Equal(g.Away, []int{0}) || hands(g) != 3 {
		t.Errorf("after %d hands %v have left, and %v are away", hands(g), g.Gone, g.Away)
	}
	bySeat[2].must(&wire.Resign{Game: game})
	bySeat[2].refused(&wire.Here{Game: game, Hand: 3}, wire.GameOver)
	h.end()
	h = open(t, database, withPoker(t, sixMax))
	for seat, p := range bySeat {
		bySeat[seat] = p.again(h)
	}
	bySeat[0].must(&wire.Here{Game: game, Hand: 3})
	if g := bySeat[1].state(game); !slices.Equal(g.Gone, []int{2}) || len(g.Away) > 0 || hands(g) != 3 {
		t.Errorf("after a return %v have left, and %v are away", g.Gone, g.Away)
	}
	until(game, bySeat, calls, func(g *wire.Game) bool { return hands(g) == 5 })
	h.end()
	h = open(t, database, withPoker(t, sixMax))
	for seat, p := range bySeat {
		bySeat[seat] = p.again(h)
	}
	if g := bySeat[0].state(game); !slices.Equal(g.Gone, []int{2}) || len(bySeat[0].hello.Games) != 1 {
		t.Errorf("after a restart %v have left, ada plays %v", g.Gone, bySeat[0].hello.Games)
	}
}

// While nobody but bots of the server is at the table, the match waits for five minutes after each hand. It is over
// when the last person has left.
func TestEmptyTable(t *testing.T) {
	pass := standing(t)
	h := start(t, withPoker(t, "leduc"))
	ada := join(t, h, "ada")
	game := ada.must(&wire.Challenge{
		Rules: "leduc", To: "caller-leduc", Seat: "first", Clock: wire.Clock{PerMove: 5000},
	}).Game
	for {
		g := ada.state(game)
		if g.Result != nil {
			if n := len(g.View.Poker.Finished); n != 3 || g.Result.How != wire.TimeOut || g.Result.Winner != 1 {
				t.Errorf("after %d hands: %+v", n, g.Result)
			}
			return
		}
		if !slices.Equal(g.ToMove, []int{0}) {
			continue
		}
		stands := g.Time.Since[0] - g.Time.At
		if len(g.View.Poker.Finished) > 0 && stands > 0 && stands != 300_000 {
			t.Errorf("the clock starts in %d ms", stands)
		}
		pass(max(6*time.Second, time.Duration(stands+1)*time.Millisecond))
		_, _ = ada.ask(&wire.Play{Game: game, Turn: g.Turn, Move: "f"}) // is late
	}
}
