package client

import (
	"testing"
	"testing/synctest"

	"gamebots/acpc"
)

// TestRoundZeroBoard plays a game with a board card before the first action,
// whose lines the protocol makes unreadable for all but the last position.
func TestRoundZeroBoard(t *testing.T) {
	g := kuhn()
	g.NumRanks, g.NumHoleCards, g.NumRounds = 6, 2, 2
	g.NumSuits = 4
	g.FirstPlayer[1] = 1
	g.RaiseSize[1], g.MaxRaises[1] = 1, 1
	g.NumBoardCards = [acpc.MaxRounds]uint8{1, 1}
	g.Stack = [acpc.MaxPlayers]int32{5, 5}
	tests := []struct{ name, received, sent string }{
		{"first position",
			"MATCHSTATE:0:0::QcKc|Qd\r\nMATCHSTATE:0:0:r:QcKc|Qd\r\nMATCHSTATE:0:0:rc/:QcKc|Qd/9s\r\n" +
				"MATCHSTATE:0:0:rc/c:QcKc|Qd/9s\r\nMATCHSTATE:0:0:rc/cc:QcKc|AsAdQd/9s\r\n",
			"MATCHSTATE:0:0::QcKc|2c2cQd:c\r\nMATCHSTATE:0:0:rc/c:QcKc|2c2cQd/9s:c\r\n"},
		{"last position",
			"MATCHSTATE:1:0::|AsAdQd\r\nMATCHSTATE:1:0:r:|AsAdQd\r\nMATCHSTATE:1:0:rf:|AsAdQd\r\n",
			"MATCHSTATE:1:0:r:|AsAdQd:c\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent, err := play(t.Context(), &Client{Game: g, Player: bot(call)}, tt.received)
				if err != nil {
					t.Fatal(err)
				}
				if sent != Version+tt.sent {
					t.Errorf("sent %q, want %q", sent, Version+tt.sent)
				}
			})
		})
	}
}
