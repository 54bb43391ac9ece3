package game

import (
	"math/big"
	"testing"

	"gamebots/internal/rng"
)

// A generated game follows its recipe, draw by draw.
func TestGenerate(t *testing.T) {
	g, err := Generate(Recipe{Family: "RandomGame", Rows: 2, Cols: 3, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	state := rng.Stream(7)
	for _, payoffs := range [][]*big.Rat{g.A, g.B} {
		for i, x := range payoffs {
			if want := big.NewRat(int64(state.Uint64()%1000001), 1); x.Cmp(want) != 0 {
				t.Errorf("payoff %d is %v, want %v", i, x, want)
			}
		}
	}
	if x := (&draws{}).Uint64(); x != 0xe220a8397b1dcdaf { // the generator's published first number
		t.Errorf("splitmix64 begins with %x", x)
	}
	for _, r := range []Recipe{{Family: "Chess"}, {Family: "RandomGame"}, {Family: "RandomGame", Rows: 65, Cols: 1},
		{Family: "Chicken", Rows: 3, Cols: 3}, {Family: "DispersionGame", Rows: 3, Cols: 2}, {Family: "RandomGame", Rows: 1, Cols: 1, Low: 2, High: 1}} {
		if _, err := Generate(r); err == nil {
			t.Errorf("%+v is generated", r)
		}
	}
}
