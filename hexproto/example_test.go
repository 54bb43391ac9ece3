package hexproto_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/nim"
	"gamebots/hexproto/wire"
)

// takeOne is a player of Nim that always takes one stick.
type takeOne struct{}

func (takeOne) Open(context.Context, hexproto.Position) (hexproto.Decider, error) {
	return takeOne{}, nil
}

func (takeOne) Decide(_ context.Context, at hexproto.Position, _ time.Duration) (hexproto.Decision, error) {
	for _, m := range boards.NimBoard(at.Game).AppendMoves(nil) {
		if text := nim.OpenSpiel.Format(m); m.Take == 1 {
			return hexproto.Decision{Move: text}, nil
		}
	}
	return hexproto.Decision{}, nim.ErrOver
}

func (takeOne) Close() error { return nil }

// A player of a game's rules becomes a bot, which opens an engine for a game. The engine decides on moves.
func ExamplePlayerBot() {
	state := &wire.Game{
		Rules: boards.NimName, Options: json.RawMessage(`{"heaps":[1,3]}`), Turn: 1,
		Moves: []wire.Move{{Turn: 0, Seat: 0, Move: "pile:1, take:1;"}},
	}
	ctx := context.Background()
	bot := hexproto.PlayerBot{Rules: boards.Nim{}, Player: takeOne{}}
	engine, err := bot.Open(ctx, state, 1)
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	decision, err := engine.Decide(ctx, state, hexproto.Budget{})
	fmt.Println(decision.Move, err)
	// Output: pile:2, take:1; <nil>
}
