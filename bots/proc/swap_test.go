//go:build unix

package proc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"
)

// strictEngine is an engine in the manner of those of others: colours alternate strictly,
// and it does not know the move "swap". With cells it swaps, and lets swap, by the cell of
// the first stone, as HGui does; otherwise it knows no swap at all.
type strictEngine struct {
	*Engine
	cells bool
}

func (e strictEngine) Play(colour, move string) error {
	turn, err := e.turn()
	switch again := len(e.played) == 1 && move == e.played[0].Move; {
	case err != nil:
		return err
	case seatOf(colour) != turn:
		return errors.New("It is the other player's turn!")
	case move == swap, again && !e.cells:
		return errors.New("Invalid move")
	case again:
		move = swap
	}
	return e.Engine.Play(colour, move)
}

// Generate plays the first free cell.
func (e strictEngine) Generate(_ context.Context, colour string) (string, error) {
	for _, move := range e.game.View().Legal {
		if e.cells && len(e.played) == 1 {
			move = e.played[0].Move
		}
		if move != swap {
			return strings.ToUpper(move), e.Play(colour, move)
		}
	}
	return "", errors.New("no move")
}

// A program that knows the four commands of a game plays on after a swap of its opponent,
// whatever it knows of swaps, and when its game is resumed after that.
func TestOpponentSwaps(t *testing.T) {
	for _, kind := range []string{"good", "cells", "noswap"} {
		for _, resumed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, resumed %t", kind, resumed), func(t *testing.T) {
				game, err := boards.Havannah{}.New(json.RawMessage(`{"side":4}`))
				if err != nil {
					t.Fatal(err)
				}
				state := stateOf("havannah", `{"side":4}`)
				var engine hexproto.Engine
				defer func() { engine.Close() }()
				for turn := 0; game.Result() == nil; turn++ {
					if turn == 0 || resumed && turn == 4 {
						if engine != nil {
							engine.Close()
						}
						if engine, err = engineOf(kind).Open(t.Context(), state, 0); err != nil {
							t.Fatal(err)
						}
					}
					legal := game.View().Legal
					text := legal[len(legal)/2]
					switch {
					case turn%2 == 0:
						d, err := engine.Decide(t.Context(), state, hexproto.Budget{})
						if err != nil {
							t.Fatalf("turn %d: %v", turn, err)
						}
						text = d.Move
					case turn == 1:
						text = swap
					}
					seat := turn % 2
					if text, err = game.Check(seat, text); err == nil {
						err = playOn(game, seat, text)
					}
					if err != nil {
						t.Fatalf("turn %d: %v", turn, err)
					}
					state.Moves = append(state.Moves, wire.Move{Turn: turn, Seat: seat, Move: text})
					state.Turn++
				}
			})
		}
	}
}

// A program that swaps by the first stone's cell does so, and its clock and its moves keep
// their colour.
func TestEngineSwaps(t *testing.T) {
	state := stateOf("havannah", `{"side":4}`, "c3")
	state.Swap = true
	e, err := engineOf("cells").Open(t.Context(), state, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d, err := e.Decide(t.Context(), state, hexproto.Budget{})
	if err != nil || d.Move != swap {
		t.Fatalf("%+v, %v", d, err)
	}
	state = stateOf("havannah", `{"side":4}`, "c3", swap, "d4")
	if d, err = e.Decide(t.Context(), state, hexproto.Budget{}); err != nil || d.Move == "" {
		t.Errorf("%+v, %v", d, err)
	}
}

// What a program refuses is an error that another attempt would not change; a program that
// dies or hangs may do better the next time.
func TestUnable(t *testing.T) {
	refuse := engineOf("good")
	refuse.Setup = []string{"castle"}
	for _, c := range []struct {
		bot    Bot
		moves  []string
		unable bool
	}{
		{engineOf("nim"), nil, true},
		{refuse, nil, true},
		{engineOf("noswap"), []string{"a1", "a1"}, true},
		{engineOf("crash"), nil, false},
		{engineOf("garbage"), nil, false},
	} {
		_, err := c.bot.Open(t.Context(), stateOf("havannah", `{"side":4}`, c.moves...), 0)
		if err == nil || errors.As(err, new(*hexproto.UnableError)) != c.unable {
			t.Errorf("%v %v: %v, want unable %t", c.bot.Command, c.moves, err, c.unable)
		}
	}
}
