package server_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

// brittle are rules whose method of a name fails. Both players count to three.
type brittle struct{ fails *atomic.Value }

func newBrittle() brittle {
	b := brittle{new(atomic.Value)}
	b.fails.Store("")
	return b
}

func (b brittle) call(method string) {
	if b.fails.Load() == method {
		panic(method + " fails")
	}
}

func (b brittle) About() wire.Rules { return wire.Rules{Name: "brittle", Options: []wire.Option{}} }

func (b brittle) New(json.RawMessage) (game.Game, error) {
	b.call("New")
	return &brittleGame{brittle: b}, nil
}

func (b brittle) Methods() []string { return []string{"counting"} }

func (b brittle) Analyse(context.Context, game.Game, string) ([]wire.Rated, error) {
	b.call("Analyse")
	return []wire.Rated{}, nil
}

func (b brittle) Outline(game.Game) string { b.call("Outline"); return "" }

func (b brittle) Helps(string, string) bool { b.call("Helps"); return false }

var _ game.Analyst = brittle{}

type brittleGame struct {
	brittle
	turns int
}

func (g *brittleGame) Options() json.RawMessage { g.call("Options"); return json.RawMessage("{}") }

func (g *brittleGame) ToMove() []bool {
	to := make([]bool, 2)
	g.call("ToMove")
	to[g.turns%2] = g.turns < 3
	return to
}

func (g *brittleGame) Parse(_ int, move string) (string, error) { g.call("Parse"); return move, nil }

func (g *brittleGame) Check(_ int, move string) (string, error) {
	g.call("Check")
	if g.fails.Load() == "Illegal" {
		return "", errors.New("not any more")
	}
	return move, nil
}

func (g *brittleGame) Play([]string) error {
	g.call("Play")
	if g.fails.Load() == "Error" {
		return errors.New("no")
	}
	g.turns++
	return nil
}

func (g *brittleGame) CanSwap() bool { g.call("CanSwap"); return false }

func (g *brittleGame) Result() *wire.Result {
	g.call("Result")
	if g.turns < 3 {
		return nil
	}
	r := &wire.Result{How: "counted"}
	if g.fails.Load() == "Infinite" {
		r.Score[0] = math.Inf(1)
	}
	return r
}

func (g *brittleGame) Board() *wire.Board {
	g.call("Board")
	b := &wire.Board{Kind: "brittle"}
	if g.fails.Load() == "Broken" {
		b.Payoffs = [][][2]float64{{{math.Inf(1)}}}
	}
	return b
}

func (g *brittleGame) View() *wire.View {
	g.call("View")
	return &wire.View{Legal: []string{"next"}}
}

func (g *brittleGame) Record(string, *wire.Game) (string, bool) { g.call("Record"); return "", true }

// clumsy is a bot that panics.
type clumsy struct{}

func (clumsy) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) { panic("a clumsy bot") }

func openBrittle(t *testing.T, database string, rules brittle) *testServer {
	t.Helper()
	return open(t, database, func(c *server.Config) {
		c.Rules = append(c.Rules, rules)
		c.Bots = append(c.Bots, engines.Bot{Name: "clumsy", Rules: []string{"brittle"}, Bot: clumsy{}})
	})
}

// Rules that fail end their game, whichever of their methods it is, and wherever the
// server calls it. Other games go on, and so do the connections.
func TestRulesThatFail(t *testing.T) {
	for _, method := range []string{
		"New", "Analyse", "Options", "ToMove", "Parse", "Check", "Play", "Error", "CanSwap", "Result", "Infinite",
		"Board", "Broken", "View", "Record",
	} {
		t.Run(method, func(t *testing.T) {
			rules := newBrittle()
			database := filepath.Join(t.TempDir(), "games.db")
			h := openBrittle(t, database, rules)
			ada, bob, eve, mallory := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve"), join(t, h, "mallory")
			eve.must(&wire.Challenge{Rules: "brittle", Seat: "first", To: "mallory"})
			id := mallory.must(&wire.Accept{Challenge: want[wire.Challenged](mallory).Challenge}).Game
			stands := eve.must(&wire.Challenge{Rules: "brittle"}).Challenge
			eve.must(&wire.Play{Game: id, Turn: 0, Move: "next"})
			mallory.must(&wire.Play{Game: id, Turn: 1, Move: "next"})

			rules.fails.Store(method)
			eve.ask(&wire.Challenge{Rules: "brittle"})
			mallory.ask(&wire.Accept{Challenge: stands})
			eve.ask(&wire.Play{Game: id, Turn: 2, Move: "next"})
			for _, m := range []wire.Message{&wire.Watch{Game: id}, &wire.Analyse{Game: id, Turn: 1}} {
				ada.send(m) // answered by what it asks for, or by an error
				if _, answer, err := ada.next(); err != nil {
					t.Fatalf("%+v is answered by %+v, %v", m, answer, err)
				}
			}
			get(t, h, "/records/"+id+".txt", "")
			get(t, h, "/records/"+id+".json", "")
			eve.ask(&wire.Offer{Game: id, Offer: wire.OfferTakeback})
			undisturbed(t, h, ada, bob, func(string) {})
			eve.must(&wire.Chat{Text: "still here"})
			h.end()

			h = openBrittle(t, database, rules) // the game may have been going on
			rules.fails.Store("")
			undisturbed(t, h, join(t, h, "carl"), join(t, h, "dora"), func(string) {})
			if eve = eve.again(h); len(eve.hello.Games) > 1 {
				t.Errorf("running: %v", eve.hello.Games)
			}
		})
	}
}

// A game that the server cannot go on with is aborted. Its players hear it, and its
// moves are kept.
func TestFailedGameIsSetAside(t *testing.T) {
	rules := newBrittle()
	database := filepath.Join(t.TempDir(), "games.db")
	h := openBrittle(t, database, rules)
	eve, mallory := join(t, h, "eve"), join(t, h, "mallory")
	begin := func() string {
		eve.must(&wire.Challenge{Rules: "brittle", Seat: "first", To: "mallory", Rated: true,
			Clock: minute})
		id := mallory.must(&wire.Accept{Challenge: want[wire.Challenged](mallory).Challenge}).Game
		eve.must(&wire.Play{Game: id, Turn: 0, Move: "next"})
		return id
	}
	failed := func(r *wire.Result) bool {
		return r != nil && r.Winner == -1 && r.How == wire.Aborted && r.Reason == "the server failed"
	}
	id := begin()
	rules.fails.Store("Play")
	mallory.refused(&wire.Play{Game: id, Turn: 1, Move: "next"}, wire.Internal)
	for _, p := range []*peer{eve, mallory} {
		if o := want[wire.Over](p); o.Game != id || !failed(&o.Result) || !slices.Equal(o.Ratings, []int{1500, 1500}) {
			t.Errorf("%+v", o)
		}
	}
	rules.fails.Store("")
	if g := eve.state(id); !failed(g.Result) || len(g.Moves) == 0 {
		t.Errorf("the game that failed is now %+v", g)
	}
	eve.must(&wire.Challenge{Rules: "brittle", To: "clumsy", Seat: "second"})
	if o := want[wire.Over](eve); !failed(&o.Result) {
		t.Errorf("the game of a bot that panics: %+v", o)
	}

	panics, illegal, broken, fine := begin(), begin(), begin(), begin()
	h.end()
	db, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run := func(statement, id string) {
		t.Helper()
		if _, err := db.Exec(statement, id); err != nil {
			t.Fatal(err)
		}
	}
	run(`UPDATE moves SET turn = 7 WHERE game = (SELECT row FROM games WHERE id = ?)`, illegal)
	run(`UPDATE games SET options = '{"side":' WHERE id = ?`, broken)
	run(`UPDATE games SET rules = 'havannah', options = '{"side":' WHERE id = ?`, broken)
	run(`UPDATE games SET rules = 'unheard' WHERE id = ?`, panics)
	h = openBrittle(t, database, rules)
	eve = eve.again(h)
	if games := eve.hello.Games; len(games) != 1 || games[0] != fine {
		t.Errorf("resumed are %v, not %s", games, fine)
	}
	for _, id := range []string{illegal, broken} {
		if text := get(t, h, "/records/?player=eve", ""); !strings.Contains(text, id) {
			t.Errorf("%s is not among the records", id)
		}
	}
	rules.fails.Store("ToMove")
	h.end()
	h = openBrittle(t, database, rules)
	rules.fails.Store("")
	if games := eve.again(h).hello.Games; len(games) != 0 {
		t.Errorf("resumed is %v, which fails", games)
	}
	if g := eve.again(h).state(fine); !failed(g.Result) || len(g.Moves) != 1 {
		t.Errorf("%+v", g)
	}
	h.end()
	run(`UPDATE games SET rules = 'brittle' WHERE id = ?`, panics) // the rules are back
	h = openBrittle(t, database, rules)
	if games := eve.again(h).hello.Games; len(games) != 1 || games[0] != panics {
		t.Errorf("resumed are %v, not %s", games, panics)
	}
}

// A game of which the database does not take a row ends, and who asked for it hears so. The rest
// of the server goes on. Here another program adds a game with the same tag meanwhile.
func TestRefusedRowEndsItsGame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	h := open(t, path, nil)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	db, err := database.Open(path, database.SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	other, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Exec(`INSERT INTO games
		(row, id, maker, tag, rules, options, kind, main, increment, per_move, rated, started)
		VALUES (1000, 'gother', 'ada', 'night-1', 'havannah', '{}', 'havannah-8', 0, 0, 0, 0, 0)`); err != nil {
		t.Fatal(err)
	}
	again := &wire.Challenge{Rules: "havannah", To: "random", Tag: "night-1"}
	id := ada.send(again)
	for !strings.Contains(get(t, h, "/metrics", ""), "hexproto_running_games 1") {
		runtime.Gosched()
	}
	if err := other.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, e := ada.answer(id); e == nil || e.Code != wire.Internal {
		t.Errorf("the challenge is answered by %+v", e)
	}
	undisturbed(t, h, bob, eve, func(string) {})
	if e := ada.refused(again, wire.Duplicate); e.Game != "gother" {
		t.Errorf("the next is refused by %+v", e)
	}
	if games := ada.again(h).hello.Games; len(games) > 0 {
		t.Errorf("%v go on", games)
	}
}

// A token, a name and a tag are not wrong, taken or free because the database cannot be read.
func TestUnreadableDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	h := open(t, path, nil)
	ada := join(t, h, "ada")
	db, err := database.Open(path, database.SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rename := func(from, to string) {
		for _, table := range []string{"accounts", "games"} {
			if _, err := db.Exec(`ALTER TABLE ` + table + from + ` RENAME TO ` + table + to); err != nil {
				t.Fatal(err)
			}
		}
	}
	rename("", "_away")
	for name, hello := range map[string]wire.Hello{"a token": {Token: database.NewToken()}, "a name": {Name: "bob"}} {
		hello.Version = wire.Version
		p := dial(t, h)
		if _, e := p.ask(&hello); e == nil || e.Code != wire.Internal {
			t.Errorf("%s is answered by %+v", name, e)
		}
	}
	if got := get(t, h, "/metrics", database.NewToken()); got != "500" {
		t.Errorf("a request with a token is answered by %s", got)
	}
	ada.refused(&wire.Challenge{Rules: "havannah", To: "random", Tag: "night-1"}, wire.Internal)
	rename("_away", "")
	join(t, h, "bob")
	ada.must(&wire.Challenge{Rules: "havannah", To: "random", Tag: "night-1"})
}
