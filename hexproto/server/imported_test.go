package server_test

import (
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/bots/havannahbot"
	"gamebots/bots/poker/table"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// withAnalysis has the server rate moves of Havannah.
func withAnalysis(c *server.Config) { c.Rules[0] = havannahbot.Rules{Simulations: 100} }

// imported asks for a game that was played elsewhere.
func (p *peer) imported(text string) *wire.Game {
	p.t.Helper()
	p.send(&wire.Import{Text: text})
	return want[wire.Game](p)
}

// A record from elsewhere is a finished game: its positions can be seen, and rated, with variations. It is in no list.
func TestImport(t *testing.T) {
	h := start(t, withAnalysis)
	ada := join(t, h, "ada")
	g := ada.imported("(;GM[Havannah]RU[LG]SZ[4]PB[Ingo A.]PW[]C[hello];W[d4];B[swap];W[a1];B[g3];W[resign])")
	if g.Seats[0].Name != "Ingo_A" || g.Seats[0].Rating != 0 || g.Seats[1].Name != "black" ||
		g.You != -1 || g.Turn != 4 || g.Result.Winner != 1 || g.Result.How != wire.Resigned ||
		g.Moves[3].Seat != 1 || g.View == nil || g.Rated {
		t.Errorf("%+v, %+v", g, g.Result)
	}
	const line = `side=4 winner=black end=resign plies=5 pw="Ingo A." pb="" : d4 swap a1 g6 resign`
	if g.Record != line {
		t.Errorf("the record is %q", g.Record)
	}
	if again := ada.imported(line); again.Game != g.Game || again.Record != line {
		t.Errorf("its own record is another game: %+v", again)
	}
	ada.send(&wire.Analyse{Game: g.Game, Turn: 2})
	if a := want[wire.Analysis](ada); len(a.Moves) == 0 || a.Game != g.Game {
		t.Errorf("%+v", a)
	}
	ada.send(&wire.Explore{Game: g.Game, Turn: 3, Line: []string{"b2"}})
	if p := want[wire.Position](ada); p.ToMove[0] != 0 {
		t.Errorf("%+v", p)
	}
	ada.send(&wire.Analyse{Game: g.Game, Turn: 3, Line: []string{"b2"}})
	if a := want[wire.Analysis](ada); len(a.Line) != 1 {
		t.Errorf("%+v", a)
	}
	if g := ada.imported("side=2 : a1 c3 a2"); g.Result.Winner != 0 || g.Result.How != "bridge" {
		t.Errorf("%+v", g.Result)
	}
	const open = "boardsize 4\nplay w d4"
	if r := ada.imported(open).Result; r.How != wire.Aborted || r.Reason != "the record ends here" {
		t.Errorf("%+v", r)
	}
	if list := get(t, h, "/records", ada.token); strings.Contains(list, g.Game) {
		t.Errorf("the records have %s", list)
	}
}

// A record that cannot be read is refused with the reason, and nobody has a running game between players rated by way
// of a record.
func TestImportRefused(t *testing.T) {
	h := start(t, withAnalysis)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	for text, reason := range map[string]string{
		"":                                   "broken record: no game",
		"(;SZ[4];W[d4];B[a1];W[d4])":         "move 3: d4: the cell is taken",
		"side=4 aw=a1 ab=a2 pl=white :":      "the game begins with stones on the board",
		"(;GM[1]SZ[19];B[pd])":               `the game is "1"`,
		strings.Repeat("(", 15_000):          "broken record",
		"side=4 : " + strings.Repeat("x", 9): "broken record: move 1",
	} {
		if e := ada.refused(&wire.Import{Text: text}, wire.Illegal); !strings.Contains(e.Text, reason) {
			t.Errorf("%.20q: %v, want %s", text, e, reason)
		}
	}
	g := ada.imported("side=4 : d4 swap a1")
	sit(t, ada, bob, wire.Challenge{})
	ada.refused(&wire.Analyse{Game: g.Game, Turn: 2}, wire.Refused)
	eve := join(t, h, "eve")
	eve.send(&wire.Watch{Game: g.Game}) // who has its id
	if other := want[wire.Game](eve); other.Record != g.Record {
		t.Errorf("%+v", other)
	}
	for range 1000 {
		if _, e := eve.ask(&wire.Import{Text: strings.Repeat(" ", 15_000)}); e.Code == wire.TooFast {
			return
		}
	}
	t.Error("a thousand large records are read at once")
}

var _ game.Reader = havannahbot.Rules{}

// A dealer's log, or PHH, is a match that is over, with all its cards. The decisions of a seat are judged; not for who
// plays that game with others.
func TestImportPoker(t *testing.T) {
	h := start(t, func(c *server.Config) {
		withPoker(t, "kuhn", "leduc")(c)
		r := c.Rules[len(c.Rules)-1].(table.Rules)
		r.Advisors = map[string]table.Advisor{"caller-leduc": adviser{}}
		c.Rules[len(c.Rules)-1] = r
	})
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	const log = "# name/game/hands/seed old leduc 2 7\n" +
		"STATE:0:rc/cc:Ks|Qs/As:3|-3:ada|Dr. B\nSTATE:1:cc/rf:Ks|/As:1|-1:Dr. B|ada\nSCORE:2|-2:ada|Dr. B\n"
	g := ada.imported(log)
	if g.Rules != "leduc" || g.Seats[1].Name != "Dr__B" || g.Turn != 8 ||
		!slices.Equal(g.Result.Score, []float64{2, -2}) || len(g.View.Poker.Finished) != 2 ||
		!strings.Contains(string(g.View.Poker.Finished[0]), `"Qs"`) {
		t.Errorf("%+v, %+v", g, g.Result)
	}
	if again := ada.imported(g.Record); again.Game != g.Game || again.Record != g.Record {
		t.Errorf("its own record is another game: %+v", again)
	}
	for query, want := range map[string]string{
		"": "404", "?seat=2": "404", "?seat=0": `"won":2`, "?seat=1": `"won":-2`,
	} {
		if got := get(t, h, "/records/"+g.Game+".report"+query, ada.token); !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	ada.refused(&wire.Explore{Game: g.Game, Turn: 1, Line: []string{"f"}}, wire.Refused)
	ada.send(&wire.Explore{Game: g.Game, Turn: 1})
	if p := want[wire.Position](ada); !strings.Contains(string(p.View.Poker.Hand), `"Ks"`) {
		t.Errorf("%s", p.View.Poker.Hand)
	}
	for text, reason := range map[string]string{
		strings.Replace(log, "rc/cc", "rc/xc", 1):     "line 2: ",
		strings.Replace(log, " leduc ", " chess ", 1): "no game that",
		"variant = 'NT'\nplayers = [":                 "line 2: ",
	} {
		if e := ada.refused(&wire.Import{Text: text}, wire.Illegal); !strings.Contains(e.Text, reason) {
			t.Errorf("%.60q: %v, want %s", text, e, reason)
		}
	}
	id := ada.must(&wire.Challenge{Rules: "leduc"}).Challenge
	bob.must(&wire.Accept{Challenge: id})
	if got := get(t, h, "/records/"+g.Game+".report?seat=0", ada.token); got != "403" {
		t.Errorf("in a match of its game a player gets %s", got)
	}
}

// adviser always calls.
type adviser struct{}

func (adviser) Advise(*acpc.State) ([]table.Advice, error) {
	return []table.Advice{{Move: "c", Name: "call", Share: 1}}, nil
}

func (adviser) Fair(*acpc.State, int) (*float64, bool) { return nil, false }
