package hexproto_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// counted are the rules of Nim, which count games and turns.
type counted struct {
	boards.Nim
	games, turns *int
}

func (c counted) New(options json.RawMessage) (game.Game, error) {
	g, err := c.Nim.New(options)
	*c.games++
	return countedGame{g, c.turns}, err
}

type countedGame struct {
	game.Game
	turns *int
}

func (c countedGame) Play(moves []string) error {
	*c.turns++
	return c.Game.Play(moves)
}

// describer is a player and a decider whose move is a description of the position.
type describer struct{ ponders *string }

func (d describer) Open(context.Context, hexproto.Position) (hexproto.Decider, error) { return d, nil }
func (describer) Close() error                                                        { return nil }

func (describer) Decide(_ context.Context, at hexproto.Position, within time.Duration) (hexproto.Decision, error) {
	return hexproto.Decision{Move: at.Game.View().Text + " " + within.String()}, nil
}

func (d describer) Ponder(_ context.Context, at hexproto.Position) { *d.ponders = at.Game.View().Text }

func (describer) AcceptDraw(_ context.Context, at hexproto.Position) bool { return at.Turn == 2 }

// nimState returns a state after some moves.
func nimState(moves ...string) *wire.Game {
	g := &wire.Game{
		Game: "g1", Rules: boards.NimName, Options: json.RawMessage(`{"heaps":[3,4],"misere":false}`), Turn: len(moves),
	}
	for i, m := range moves {
		g.Moves = append(g.Moves, wire.Move{Turn: i, Seat: i % 2, Move: m})
	}
	return g
}

// The position of a game follows its moves. Only those that are new are played; after a takeback or an error, all.
func TestPlayerBotFollows(t *testing.T) {
	var games, turns int
	var ponders string
	const first, second, third = "pile:1, take:1;", "pile:2, take:2;", "pile:1, take:2;"
	rules := counted{games: &games, turns: &turns}
	e, err := hexproto.PlayerBot{Rules: rules, Player: describer{&ponders}}.Open(t.Context(), nimState(), 0)
	if err != nil {
		t.Fatal(err)
	}
	budget := hexproto.Budget{Left: time.Minute, Share: time.Second}
	for i, c := range []struct {
		moves        []string
		want         string // "" for an error
		games, turns int    // so far
	}{
		{nil, "3 4 1s", 1, 0},
		{[]string{first}, "2 4 1s", 1, 1},
		{[]string{first}, "2 4 1s", 1, 1},
		{[]string{first, second, third}, "0 2 1s", 1, 3},
		{[]string{first, second}, "2 2 1s", 2, 5},
		{[]string{first, first}, "1 4 1s", 3, 7},
		{[]string{first, first, third}, "", 3, 8},
		{[]string{first, first}, "1 4 1s", 4, 10},
	} {
		d, err := e.Decide(t.Context(), nimState(c.moves...), budget)
		if d.Move != c.want || (err == nil) != (c.want != "") || games != c.games || turns != c.turns {
			t.Errorf("%d: %q, %v, with %d games and %d turns", i, d.Move, err, games, turns)
		}
	}
	if e.(hexproto.Ponderer).Ponder(t.Context(), nimState(second)); ponders != "3 2" {
		t.Errorf("it ponders %s", ponders)
	}
	judge := e.(hexproto.Judge)
	if !judge.Accept(t.Context(), nimState(first, second), wire.OfferDraw) ||
		judge.Accept(t.Context(), nimState(first), wire.OfferDraw) ||
		judge.Accept(t.Context(), nimState(first, second), wire.OfferTakeback) {
		t.Error("offers are not those of the player")
	}
}

// Both moves of a turn are played together, in any order.
func TestPlayerBotOfTwoAtOnce(t *testing.T) {
	g := &wire.Game{Game: "g1", Rules: boards.MatrixName, Options: json.RawMessage(`{"rounds":3}`), Turn: 1,
		Moves: []wire.Move{{Seat: 1, Move: "rock"}, {Seat: 0, Move: "paper"}}}
	e, err := hexproto.PlayerBot{Rules: boards.Matrix{}, Player: describer{}}.Open(t.Context(), g, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := e.Decide(t.Context(), g, hexproto.Budget{}); d.Move != "round 2 of 3, payoffs 1 and -1 0s" {
		t.Errorf("%q, %v", d.Move, err)
	}
}

// A game that the rules do not know is refused, with an error that says that another attempt would not help if it is
// because of its options.
func TestPlayerBotRefuses(t *testing.T) {
	bot := hexproto.PlayerBot{Rules: boards.Nim{}, Player: describer{}}
	const move = "pile:1, take:1;"
	for want, change := range map[string]func(*wire.Game){
		"chess is not nim": func(g *wire.Game) { g.Rules = "chess" },
		"option":           func(g *wire.Game) { g.Options = json.RawMessage(`{"heaps":[1],"colours":2}`) },
		"turn of seat 1":   func(g *wire.Game) { g.Moves = []wire.Move{{Seat: 1, Move: move}} },
		"turn of seat 2":   func(g *wire.Game) { g.Moves = []wire.Move{{Seat: 2, Move: move}} },
		"move 1, pile:9":   func(g *wire.Game) { g.Moves = []wire.Move{{Move: "pile:9, take:1;"}} },
		"move 2, pile:1": func(g *wire.Game) { // the game is over
			g.Options = json.RawMessage(`{"heaps":[1]}`)
			g.Moves = []wire.Move{{Move: move}, {Seat: 1, Move: move}}
		},
	} {
		g := nimState()
		change(g)
		_, err := bot.Open(t.Context(), g, 0)
		if err == nil || !strings.Contains(err.Error(), want) ||
			errors.As(err, new(*hexproto.UnableError)) != (want == "option") {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// What a player can do beside playing, its bot can, and no more.
func TestPlayerBotAbilities(t *testing.T) {
	able, plain := hexproto.PlayerBot{Player: &allAbilities{}}, hexproto.PlayerBot{Player: describer{}}
	if err := hexproto.Check(t.Context(), able, nil); !errors.Is(err, errAbilities) ||
		!hexproto.Quick(able, boards.NimName, nil) || able.Bytes() != 7 || !errors.Is(able.Close(), errAbilities) {
		t.Errorf("the bot does not do what its player does: %v", err)
	}
	if err := hexproto.Check(t.Context(), plain, nil); err != nil || hexproto.Quick(plain, boards.NimName, nil) ||
		plain.Bytes() != 0 || plain.Close() != nil {
		t.Errorf("the bot does more than its player: %v", err)
	}
}

type allAbilities struct{ describer }

var errAbilities = errors.New("as the player says")

func (*allAbilities) Check() error         { return errAbilities }
func (*allAbilities) Quick(game.Game) bool { return true }
func (*allAbilities) Bytes() int64         { return 7 }
func (*allAbilities) Close() error         { return errAbilities }
