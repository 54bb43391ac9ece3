package hexproto_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/nim"
	"gamebots/hexproto/wire"
)

// takeOne is a bot for Nim that always takes one stick.
type takeOne struct{}

func (takeOne) Open(_ context.Context, game *wire.Game, _ int) (hexproto.Engine, error) {
	_, err := boards.NimPosition(game)
	return takeOne{}, err
}

func (takeOne) Decide(_ context.Context, game *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	board, err := boards.NimPosition(game)
	if err != nil {
		return hexproto.Decision{}, err
	}
	for _, m := range board.AppendMoves(nil) {
		if text := nim.OpenSpiel.Format(m); m.Take == 1 {
			return hexproto.Decision{Move: text}, nil
		}
	}
	return hexproto.Decision{}, nim.ErrOver
}

func (takeOne) Close() error { return nil }

// A bot opens an engine for a game, and the engine decides on moves.
func ExampleBot() {
	state := &wire.Game{
		Rules: boards.NimName, Options: json.RawMessage(`{"heaps":[1,3]}`), Turn: 1,
		Moves: []wire.Move{{Turn: 0, Seat: 0, Move: "pile:1, take:1;"}},
	}
	ctx := context.Background()
	engine, err := takeOne{}.Open(ctx, state, 1)
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	decision, err := engine.Decide(ctx, state, hexproto.Budget{})
	fmt.Println(decision.Move, err)
	// Output: pile:2, take:1; <nil>
}
