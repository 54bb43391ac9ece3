package havannahbot_test

import (
	"context"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto/havannah"
)

// A review marks the move that lets a win slip, and none of a side that could do nothing. Interrupted, it has the moves
// that are rated.
func TestReview(t *testing.T) {
	// White could complete a bridge, and lets black complete one.
	records, err := havannah.ParseGames("side=4 : a1 g7 a2 g6 a3 g5 d4 g4")
	if err != nil {
		t.Fatal(err)
	}
	a := havannahbot.Analysis{Simulations: 500, Seed: 1}
	moves, err := a.Review(t.Context(), &records[0].Board, func(int) {})
	if err != nil || len(moves) != 8 {
		t.Fatalf("%d moves, %v", len(moves), err)
	}
	if m := moves[6]; m.Player != "white" || m.Played.Move != "d4" || m.Played.Proof != "loss" || m.Best.Move != "a4" ||
		m.Cost != 1 || m.Mark != "??" {
		t.Errorf("the blunder is %+v", m)
	}
	if m := moves[7]; m.Played.Proof != "win" || m.Played.Plies != 1 || m.Cost != 0 || m.Mark != "" {
		t.Errorf("the end is %+v", m)
	}
	for i, m := range moves {
		if m.Number != i+1 || m.Cost < 0 || m.Cost > 1 {
			t.Errorf("move %d: %+v", i+1, m)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	moves, err = a.Review(ctx, &records[0].Board, func(n int) {
		if n == 6 {
			cancel()
		}
	})
	if err != nil || len(moves) != 2 || moves[0].Number != 7 {
		t.Errorf("interrupted: %+v, %v", moves, err)
	}
}

// The last move of a game by its rules has its value from the result.
func TestReviewEnd(t *testing.T) {
	records, err := havannah.ParseGames("side=2 : a1 c3 a2")
	if err != nil {
		t.Fatal(err)
	}
	moves, err := havannahbot.Analysis{Simulations: 100}.Review(t.Context(), &records[0].Board, func(int) {})
	if err != nil || moves[2].Played.Value != 1 || moves[2].Cost != 0 {
		t.Errorf("%+v, %v", moves, err)
	}
}
