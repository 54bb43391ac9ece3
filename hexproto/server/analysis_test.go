package server_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// countingRules count the analyses, which they make up.
type countingRules struct {
	havannahbot.Rules
	analyses *atomic.Int64
}

func (r countingRules) Analyse(_ context.Context, g game.Game, _ string) ([]wire.Rated, error) {
	r.analyses.Add(1)
	return []wire.Rated{{Move: g.View().Legal[0], Value: 0.5}}, nil
}

// Nobody gets help in a game between players, nor in a rated one, while it runs: a spectator may
// be the second account of a player. The analyses of a finished game are made once by each version
// of the server, whatever restarts come between.
func TestAnalysis(t *testing.T) {
	rules := countingRules{analyses: new(atomic.Int64)}
	database := filepath.Join(t.TempDir(), "games.db")
	counting := func(c *server.Config) { c.Rules = []game.Rules{rules} }
	h := open(t, database, counting)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	ask := func(p *peer, id string, turn int) {
		t.Helper()
		p.send(&wire.Analyse{Game: id, Turn: turn})
		if a := want[wire.Analysis](p); a.Game != id || a.Turn != turn || len(a.Moves) != 1 {
			t.Errorf("%+v", a)
		}
	}
	var over []string
	for _, rated := range []bool{false, true} {
		id := sit(t, ada, bob, wire.Challenge{Rated: rated})
		ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
		for _, p := range []*peer{ada, bob, eve} {
			p.refused(&wire.Analyse{Game: id, Turn: 0}, wire.Refused)
			p.refused(&wire.Analyse{Game: id, Turn: 1}, wire.Refused)
		}
		bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
		bob.must(&wire.Resign{Game: id})
		before := rules.analyses.Load()
		for _, p := range []*peer{ada, bob, ada, eve} {
			ask(p, id, 1)
			ask(p, id, 2)
		}
		if n := rules.analyses.Load() - before; n != 2 {
			t.Errorf("%d analyses of two positions of a finished game", n)
		}
		over = append(over, id)
	}
	casual := ada.must(&wire.Challenge{Rules: "havannah", To: "random", Seat: "first"}).Game
	ask(ada, casual, 0)
	ask(ada, casual, 0)
	ask(eve, casual, 0)
	rated := ada.must(&wire.Challenge{Rules: "havannah", To: "random", Seat: "first", Rated: true, Clock: minute}).Game
	ada.refused(&wire.Analyse{Game: rated, Turn: 0}, wire.Refused)
	eve.refused(&wire.Analyse{Game: rated, Turn: 0}, wire.Refused)

	h.end()
	h = open(t, database, counting)
	before := rules.analyses.Load()
	for _, id := range over {
		ask(eve.again(h), id, 1)
		ask(eve.again(h), id, 2)
	}
	if n := rules.analyses.Load() - before; n != 0 {
		t.Errorf("%d analyses were forgotten", n)
	}

	h.end()
	h = open(t, database, func(c *server.Config) {
		counting(c)
		c.Version = "a later one"
	})
	before = rules.analyses.Load()
	ask(eve.again(h), over[0], 1)
	ask(eve.again(h), over[0], 1)
	if n := rules.analyses.Load() - before; n != 1 {
		t.Errorf("a later version makes %d analyses of a position", n)
	}
}
