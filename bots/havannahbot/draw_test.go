package havannahbot

import (
	"testing"

	"gamebots/hexproto"
)

// Only the player that is about to lose takes a draw, whichever is to move.
func TestAcceptsDrawsWhenLosing(t *testing.T) {
	// White has three of a bridge's four stones between two corners, and black none
	// that stops it.
	bridging := []string{"a1", "d1", "a2", "e2", "a3", "f3"}
	for _, c := range []struct {
		name  string
		moves []string
		you   int
		offer string
		want  bool
	}{
		{"at the beginning", nil, 0, "draw", false},
		{"at the beginning, the other", nil, 1, "draw", false},
		{"before its bridge", bridging, 0, "draw", false},
		{"before the other's bridge", bridging, 1, "draw", true},
		{"no draw", bridging, 1, "takeback", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := stateOf("4", c.moves...)
			e, err := Bot(MCTS{Simulations: 500, Memory: 1 << 22}).Open(t.Context(), g, c.you)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			if got := e.(hexproto.Judge).Accept(t.Context(), g, c.offer); got != c.want {
				t.Errorf("accepts: %v", got)
			}
		})
	}
}
