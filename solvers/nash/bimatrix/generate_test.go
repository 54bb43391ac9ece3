package bimatrix

import (
	"errors"
	"fmt"
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
		{Family: "Chicken", Rows: 3, Cols: 3}, {Family: "DispersionGame", Rows: 3, Cols: 2}, {Family: "RandomGame",
			Rows: 1, Cols: 1, Low: 2, High: 1}} {
		if _, err := Generate(r); err == nil {
			t.Errorf("%+v is generated", r)
		}
	}
}

// One size is that of both players.
func TestParseSize(t *testing.T) {
	for _, c := range []struct{ family, size, want string }{
		{"RandomGame", "3", "3 3"}, {"RandomGame", "3x4", "3 4"}, {"Chicken", "", "2 2"}, {"Chicken", "2", "2 2"},
		{"RandomGame", "", ""}, {"RandomGame", "99", ""}, {"RandomGame", "2xx", ""}, {"RandomGame", "two", ""},
	} {
		r := Recipe{Family: c.family, High: 9}
		var err error
		got := ""
		if r.Rows, r.Cols, err = ParseSize(c.size); err == nil {
			var g *Game
			if g, err = Generate(r); err == nil {
				got = fmt.Sprint(g.Rows, g.Cols)
			}
		}
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s of %q: %s, want %q: %v", c.family, c.size, got, c.want, err)
		}
	}
}

// Games of more than two players went, and say so.
func TestPlayers(t *testing.T) {
	_, _, size := ParseSize("2x2x2")
	_, family := Generate(Recipe{Family: "PolymatrixGame", Rows: 2, Cols: 2})
	for name, err := range map[string]error{"a size": size, "a family": family} {
		if !errors.Is(err, ErrPlayers) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
