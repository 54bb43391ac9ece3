package havannahbot_test

import (
	"math"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
)

// The heat map goes from the worst cell to the best. Cells that were not rated have no heat, and a swap has no cell.
func TestHeat(t *testing.T) {
	b, err := havannah.ParsePosition("side=2 : a1")
	if err != nil {
		t.Fatal(err)
	}
	heat, err := havannahbot.Heat(b, []wire.Rated{
		{Move: "swap", Value: 0.25}, {Move: "b1", Value: 0.5}, {Move: "b2", Value: 0.75}, {Move: "c3", Value: 0.625},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"b1": 0.5, "b2": 1, "c3": 0.75}
	for cell, got := range heat {
		x, rated := want[b.Grid().Format(havannah.Move(cell))]
		if rated && got != x || !rated && !math.IsNaN(got) {
			t.Errorf("%s: %v, want %v", b.Grid().Format(havannah.Move(cell)), got, x)
		}
	}
	heat, err = havannahbot.Heat(b, []wire.Rated{{Move: "b1", Value: 0.25}})
	if err != nil || heat[mustMove(t, b, "b1")] != 0.25 {
		t.Errorf("one move: %v: %v", heat, err)
	}
	heat, err = havannahbot.Heat(b, []wire.Rated{
		{Move: "b1", Value: 0.4, Work: 400}, {Move: "b2", Value: 0.75, Work: 4},
		{Move: "c3", Work: 9, Proof: wire.ProvedLoss},
	})
	if err != nil || heat[mustMove(t, b, "b1")] != 1 || heat[mustMove(t, b, "b2")] != 0.1 ||
		heat[mustMove(t, b, "c3")] != 0 {
		t.Errorf("a search: %v: %v", heat, err)
	}
	if _, err := havannahbot.Heat(b, []wire.Rated{{Move: "z9"}}); err == nil {
		t.Error("a move off the board has heat")
	}
}

func mustMove(t *testing.T, b *havannah.Board, text string) havannah.Move {
	t.Helper()
	move, err := b.Grid().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return move
}
