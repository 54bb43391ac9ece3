package bench

import (
	"testing"

	havannahbot "gamebots/bots/havannah"
)

// An analysis proves what an exhaustive search has proved.
func TestProofs(t *testing.T) {
	positions, err := provedPositions()
	if err != nil || len(positions) != 50 {
		t.Fatalf("%d positions, %v", len(positions), err)
	}
	for _, p := range positions {
		rated, err := havannahbot.Analysis{Simulations: 20_000, Memory: 32 << 20}.Rate(t.Context(), p.board)
		if err != nil {
			t.Fatal(err)
		}
		if rated[0].Proof != p.value {
			t.Errorf("%v: %+v, a %s", p.board, rated[0], p.value)
		}
	}
}
