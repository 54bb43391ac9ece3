package nimbot

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/nim"
	"gamebots/hexproto/wire"
)

func stateOf(options string, moves ...string) *wire.Game {
	g := &wire.Game{Game: "g1", Rules: boards.NimName, Options: json.RawMessage(options), Turn: len(moves)}
	for i, m := range moves {
		g.Moves = append(g.Moves, wire.Move{Turn: i, Seat: i % 2, Move: m})
	}
	return g
}

// probe is a player that keeps the position of a game that it is to open.
type probe struct{ at *hexproto.Position }

func (p probe) Open(_ context.Context, at hexproto.Position) (hexproto.Decider, error) {
	*p.at = at
	return nil, nil
}

// at returns the position of a seat in a game's state.
func at(t *testing.T, g *wire.Game, seat int) (p hexproto.Position) {
	t.Helper()
	if _, err := Bot(probe{&p}).Open(t.Context(), g, seat); err != nil {
		t.Fatal(err)
	}
	return p
}

// match plays a game of two bots and returns how it went.
func match(t *testing.T, g *wire.Game, players [2]hexproto.Player) *nim.Board {
	t.Helper()
	for {
		board := boards.NimBoard(at(t, g, 0).Game)
		if board.Over() {
			return board
		}
		seat := int(board.Turn())
		e, err := Bot(players[seat]).Open(t.Context(), g, seat)
		if err != nil {
			t.Fatal(err)
		}
		d, err := e.Decide(t.Context(), g, hexproto.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		g.Moves = append(g.Moves, wire.Move{Turn: g.Turn, Seat: seat, Move: d.Move})
		g.Turn++
	}
}

// XOR wins every game that can be won from its start, and games go the same way
// again.
func TestXORWins(t *testing.T) {
	for _, options := range []string{`{"heaps":[1,3,5,6],"misere":false}`, `{"heaps":[1,1,1],"misere":true}`,
		`{"heaps":[2,2,1],"misere":true}`, `{"heaps":[14,9],"misere":false,"max_take":3}`} {
		for game := range 20 {
			play := func() *nim.Board {
				g := stateOf(options)
				g.Game = fmt.Sprint("g", game)
				bots := [2]hexproto.Player{XOR{Seed: 1}, XOR{Seed: 2, Slips: 1}}
				if boards.NimBoard(at(t, g, 0).Game).Lost() {
					bots[0], bots[1] = bots[1], bots[0]
				}
				return match(t, g, bots)
			}
			first := play()
			want := nim.First
			if boards.NimBoard(at(t, stateOf(options), 0).Game).Lost() {
				want = nim.Second
			}
			if first.Winner() != want {
				t.Errorf("%s: %v did not win", first, want)
			}
			if again := play(); again.String() != first.String() {
				t.Errorf("the same game went %s, then %s", first, again)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	other := stateOf(`{"heaps":[1,2],"misere":false}`)
	other.Rules = "havannah"
	for _, g := range []*wire.Game{
		other, stateOf(`{"heaps":[16],"misere":false}`), stateOf(`{"heaps":[1,2],"misere":false}`, "pile:1, take:2;"),
		stateOf(`{"heaps":"1"}`),
	} {
		byRules := hexproto.ByRules{boards.NimName: Bot(XOR{})}
		for _, bot := range []hexproto.Bot{Bot(XOR{Slips: 1}), Bot(XOR{}), byRules} {
			if _, err := bot.Open(t.Context(), g, 0); err == nil {
				t.Errorf("%s %s %v was opened", g.Rules, g.Options, g.Moves)
			}
		}
	}
}

// A bot that slips wins fewer of the games that it could win, and not none.
func TestXORSlips(t *testing.T) {
	const games = 200
	won := 0
	for i := range games {
		g := stateOf(`{"heaps":[1,3,5,6],"misere":false}`)
		g.Game = fmt.Sprint("g", i)
		if match(t, g, [2]hexproto.Player{XOR{Seed: 1, Slips: 0.5}, XOR{Seed: 2}}).Winner() == nim.First {
			won++
		}
	}
	if won == 0 || won > games/2 {
		t.Errorf("won %d of %d", won, games)
	}
}
