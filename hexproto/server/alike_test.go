package server_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

// A position that is nearly that of a guarded game is not rated, also while the game sleeps.
func TestNoHelpWithNearlyTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	rules := func(c *server.Config) {
		c.Rules = []game.Rules{countingRules{analyses: new(atomic.Int64)}, boards.Nim{}}
	}
	h := open(t, path, rules)
	ada, bob, eve, max := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve"), join(t, h, "max")
	begin := func(a, b *peer, rules, options string, moves ...string) string {
		t.Helper()
		c := &wire.Challenge{Rules: rules, Options: json.RawMessage(options), Seat: "first", To: b.name}
		a.must(c)
		id := b.must(&wire.Accept{Challenge: want[wire.Challenged](b).Challenge}).Game
		for turn, move := range moves {
			[]*peer{a, b}[turn%2].must(&wire.Play{Game: id, Turn: turn, Move: move})
		}
		return id
	}
	const played, side5 = "a1 swap f6 g7 e5 h8 d4", `{"side":5}`
	study := begin(eve, max, "havannah", side5)
	eve.must(&wire.Resign{Game: study})
	heaps := map[string]string{}
	for _, options := range []string{`{"heaps":[4,7]}`, `{"heaps":[4,8],"misere":false}`, `{"heaps":[3,3]}`} {
		heaps[options] = begin(eve, max, "nim", options)
		eve.must(&wire.Resign{Game: heaps[options]})
	}
	running := begin(ada, bob, "havannah", side5, strings.Fields(played)...)
	begin(ada, bob, "nim", ``, "pile:1, take:1;", "pile:2, take:3;", "pile:3, take:1;")
	rest := "a5 i5 e9 e1"
	check := func(h *testServer, eve *peer) {
		t.Helper()
		for moves, refused := range map[string]bool{
			played: true, "a1 f6 g7 e5 h8 d4": true, played + " a5 i5": true, "a1 swap f6 g7 e5 h8 c2": true,
			played + " " + rest: false, "a1 swap f6 g7 " + rest: false,
		} {
			line := strings.Fields(moves)
			eve.send(&wire.Explore{Game: study, Line: line})
			want[wire.Position](eve)
			if refused {
				eve.refused(&wire.Analyse{Game: study, Line: line}, wire.Refused)
				continue
			}
			eve.send(&wire.Analyse{Game: study, Line: line})
			want[wire.Analysis](eve)
		}
		for options, id := range heaps {
			if options != `{"heaps":[3,3]}` {
				eve.refused(&wire.Analyse{Game: id}, wire.Refused)
				continue
			}
			eve.send(&wire.Analyse{Game: id})
			want[wire.Analysis](eve)
		}
	}
	check(h, eve)
	h.end()
	h = open(t, path, func(c *server.Config) { rules(c); c.GameMemory = 1 })
	if asleep, _ := h.Asleep(); asleep != 2 {
		t.Fatalf("%d games sleep", asleep)
	}
	check(h, eve.again(h))
	ada, bob = ada.again(h), bob.again(h)
	bob.must(&wire.Play{Game: running, Turn: 7, Move: "a5"})
	ada.must(&wire.Play{Game: running, Turn: 8, Move: "i5"})
	eve.again(h).refused(&wire.Analyse{Game: study, Line: strings.Fields(played + " " + rest)}, wire.Refused)
	ada.must(&wire.Resign{Game: running})
	eve = eve.again(h)
	eve.send(&wire.Analyse{Game: study, Line: strings.Fields(played)})
	want[wire.Analysis](eve)
}

// scripted is a bot that plays a list of moves, and says how good they are.
type scripted []string

func (s scripted) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) { return s, nil }

func (s scripted) Decide(_ context.Context, g *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	move := s[g.Turn]
	return hexproto.Decision{Move: move, Rated: []wire.Rated{{Move: move, Value: 0.5}}}, nil
}

func (scripted) Close() error { return nil }

// What a bot of the server says of its moves is not shown, either, where a guarded game has come to the same.
func TestBotsShowNoHelp(t *testing.T) {
	moves := scripted{"a1", "b2", "c3", "d4", "e5", "a5", "b6", "c5", "d6", "i5"}
	h := start(t, func(c *server.Config) {
		c.Bots = []engines.Bot{{Name: "talker", Rules: []string{"havannah"}, Bot: moves}}
	})
	ada, bob, eve, max := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve"), join(t, h, "max")
	running := sit(t, ada, bob, wire.Challenge{Rated: true})
	for turn, move := range moves[:5] {
		[]*peer{ada, bob}[turn%2].must(&wire.Play{Game: running, Turn: turn, Move: move})
	}
	casual := eve.must(&wire.Challenge{
		Rules: "havannah", Options: json.RawMessage(`{"side":5}`), To: "talker", Seat: "first",
	}).Game
	max.state(casual)
	for turn, shown := range []bool{1: true, 3: true, 5: false, 7: false, 9: true} {
		if turn == 9 {
			ada.must(&wire.Resign{Game: running})
		}
		if turn%2 == 0 {
			eve.must(&wire.Play{Game: casual, Turn: turn, Move: moves[turn]})
		}
		for want[wire.Moved](eve).Turn < turn {
		}
		if !shown {
			continue
		}
		if a := want[wire.Analysis](max); a.Turn != turn {
			t.Errorf("the analysis of turn %d is shown, want %d", a.Turn, turn)
		}
	}
}
