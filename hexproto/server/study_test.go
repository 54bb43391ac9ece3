package server_test

import (
	"encoding/json"
	"slices"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/bots/matrixbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// Variations of a finished game follow its rules, up to their ends, and are rated.
func TestExplore(t *testing.T) {
	h := start(t, func(c *server.Config) {
		c.Rules = []game.Rules{havannahbot.Rules{Simulations: 50}, boards.Nim{}, matrixbot.Rules}
		withPoker(t, "kuhn")(c)
	})
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	begin := func(rules, options string) string {
		c := &wire.Challenge{Rules: rules, Options: json.RawMessage(options), Seat: "first"}
		return bob.must(&wire.Accept{Challenge: ada.must(c).Challenge}).Game
	}
	id := begin("havannah", `{"side":3}`)
	ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
	bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
	for _, p := range []*peer{ada, eve} {
		p.refused(&wire.Explore{Game: id, Turn: 1}, wire.Refused) // while it runs
		p.refused(&wire.Analyse{Game: id, Turn: 1, Line: []string{"b2"}}, wire.Refused)
	}
	bob.must(&wire.Resign{Game: id})
	ring := []string{"b1", "e4", "b3", "d2", "a1", "d5", "a2", "a3", "c2", "c5", "c3"}
	for _, c := range []struct {
		name         string
		turn         int
		line         []string
		cells, how   string
		toMove       []int
		swap, winner bool
	}{
		{"in the game", 1, nil, "0..................", "", []int{1}, true, false},
		{"swapped", 1, []string{"swap", "B2"}, "1...0..............", "", []int{1}, false, false},
		{"beyond the end", 2, []string{"a2", "a3"}, "001......1.........", "", []int{0}, false, false},
	} {
		eve.send(&wire.Explore{Game: id, Turn: c.turn, Line: c.line})
		p := want[wire.Position](eve)
		if p.Game != id || p.Turn != c.turn || !slices.Equal(p.Line, c.line) || p.View.Cells != c.cells ||
			!slices.Equal(p.ToMove, c.toMove) || p.Swap != c.swap || p.Result != nil {
			t.Errorf("%s: %+v, %+v", c.name, p, p.View)
		}
	}
	eve.send(&wire.Explore{Game: id, Turn: 0, Line: ring})
	if p := want[wire.Position](eve); p.Result == nil || p.Result.How != "ring" || len(p.ToMove) > 0 ||
		len(p.View.Won) < 6 {
		t.Errorf("a ring is %+v, %+v", p, p.View)
	}
	eve.refused(&wire.Explore{Game: id, Turn: 0, Line: append(ring, "e5")}, wire.GameOver)
	eve.refused(&wire.Explore{Game: id, Turn: 2, Line: []string{"a1"}}, wire.Illegal)
	eve.refused(&wire.Explore{Game: id, Turn: 2, Line: []string{"z9"}}, wire.Illegal)
	eve.refused(&wire.Explore{Game: id, Turn: 3}, wire.WrongTurn)
	eve.refused(&wire.Explore{Game: id, Turn: -1}, wire.WrongTurn)
	eve.refused(&wire.Explore{Game: "g"}, wire.NotFound)

	eve.send(&wire.Analyse{Game: id, Turn: 2, Line: []string{"a2"}})
	taken := func(r wire.Rated) bool { return slices.Contains([]string{"a1", "a2", "c3"}, r.Move) }
	if a := want[wire.Analysis](eve); !slices.Equal(a.Line, []string{"a2"}) || len(a.Moves) == 0 ||
		slices.ContainsFunc(a.Moves, taken) {
		t.Errorf("the analysis of a variation is %+v", a)
	}
	eve.refused(&wire.Analyse{Game: id, Turn: 0, Line: ring}, wire.GameOver)
	eve.send(&wire.Analyse{Game: id, Turn: 2}) // not that of the variation
	if a := want[wire.Analysis](eve); len(a.Line) > 0 || len(a.Moves) == 0 {
		t.Errorf("the analysis of the game is %+v", a)
	}

	for rules, c := range map[string]struct{ options, move string }{
		"matrix": {`{"game":"prisoners-dilemma"}`, "cooperate"}, "kuhn": {`{}`, "c"},
	} {
		id := begin(rules, c.options)
		ada.must(&wire.Resign{Game: id})
		eve.refused(&wire.Explore{Game: id, Line: []string{c.move}}, wire.Refused)
		eve.refused(&wire.Analyse{Game: id, Line: []string{c.move}}, wire.Refused)
	}
	id = begin("nim", `{"heaps":[2,1]}`)
	ada.must(&wire.Resign{Game: id})
	eve.send(&wire.Explore{Game: id, Line: []string{"pile:1, take:2;"}})
	if p := want[wire.Position](eve); !slices.Equal(p.View.Heaps, []int{0, 1}) {
		t.Errorf("%+v", p.View)
	}
}
