package matrixbot

import (
	"encoding/json"
	"testing"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"
)

// The reply is the best to what the opponent has played most, from either seat.
func TestBestReply(t *testing.T) {
	for _, c := range []struct {
		game   string
		seat   int
		played []string // the opponent's choices
		want   string
	}{
		{"rock-paper-scissors", 0, []string{"rock"}, "paper"},
		{"rock-paper-scissors", 1, []string{"rock"}, "paper"},
		{"rock-paper-scissors", 0, []string{"rock", "paper", "paper", "paper"}, "scissors"},
		{"prisoners-dilemma", 0, nil, "defect"},
		{"chicken", 1, []string{"swerve"}, "straight"},
		{"chicken", 1, []string{"straight", "straight"}, "swerve"},
	} {
		g := &wire.Game{
			Game: "g", Rules: boards.MatrixName, Options: json.RawMessage(`{"game":"` + c.game + `","rounds":10}`),
		}
		e, err := Bot(BestReply{}).Open(t.Context(), g, c.seat)
		if err != nil {
			t.Fatal(err)
		}
		for turn, move := range c.played {
			own := c.played[0] // any action
			moves := [2]string{own, own}
			moves[1-c.seat] = move
			for seat, move := range moves {
				g.Moves = append(g.Moves, wire.Move{Turn: turn, Seat: seat, Move: move})
			}
			g.Turn++
		}
		d, err := e.Decide(t.Context(), g, hexproto.Budget{})
		if err != nil || d.Move != c.want {
			t.Errorf("%s, seat %d, after %v: %v, %v, not %s", c.game, c.seat, c.played, d.Move, err, c.want)
		}
	}
}
