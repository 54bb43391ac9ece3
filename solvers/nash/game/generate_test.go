package game

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
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

// What a family is said to use changes its games, and nothing else does.
func TestFamiliesUse(t *testing.T) {
	for name, f := range families {
		size := cmp.Or(f.fixed, 4)
		same := func(change func(*Recipe)) bool {
			base := Recipe{Family: name, Rows: size, Cols: size, Seed: 1, High: 100}
			other := base
			change(&other)
			x, err := Generate(base)
			y, otherErr := Generate(other)
			if err != nil || otherErr != nil {
				t.Fatalf("%s: %v, %v", name, err, otherErr)
			}
			equal := func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }
			return slices.EqualFunc(x.A, y.A, equal) && slices.EqualFunc(x.B, y.B, equal)
		}
		if same(func(r *Recipe) { r.Seed++ }) == UsesSeed(name) {
			t.Errorf("%s: the seed is used: %v", name, !UsesSeed(name))
		}
		if same(func(r *Recipe) { r.Low, r.High = 200, 300 }) == UsesRange(name) {
			t.Errorf("%s: the range is used: %v", name, !UsesRange(name))
		}
	}
}

// Two players' payoffs do not depend on how the game is asked for, and the last
// player's strategy varies fastest.
func TestRandom(t *testing.T) {
	two, err := Generate(Recipe{Family: "RandomGame", Rows: 3, Cols: 4, Seed: 5, Low: -9, High: 9})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Random(5, -9, 9, 3, 4)
	if err != nil || string(f.Bimatrix().LRS()) != string(two.LRS()) {
		t.Errorf("%s is not %s: %v", f.Bimatrix().LRS(), two.LRS(), err)
	}
	three, err := Random(7, 0, 1000000, 2, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	state := rng.Stream(7)
	for _, profile := range [][]int{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 1, 0}} {
		if want := big.NewRat(int64(state.Uint64()%1000001), 1); three.Payoffs[0][three.Cell(profile)].Cmp(want) != 0 {
			t.Errorf("payoff of %v is %v, want %v", profile, three.Payoffs[0][three.Cell(profile)], want)
		}
	}
	for _, sizes := range [][]int{nil, {3}, {0, 2}, {1000, 1000}} {
		if _, err := Random(1, 0, 1, sizes...); err == nil {
			t.Errorf("a game of %v strategies", sizes)
		}
	}
}

// Sizes are for all players; one is that of two.
func TestGenerateFor(t *testing.T) {
	for _, c := range []struct{ family, sizes, want string }{
		{"RandomGame", "3", "[3 3]"}, {"RandomGame", "3x4", "[3 4]"}, {"RandomGame", "2x3x4", "[2 3 4]"},
		{"PolymatrixGame", "2", "[2 2]"}, {"PolymatrixGame", "2x3x2x3", "[2 3 2 3]"},
		{"Chicken", "", "[2 2]"}, {"Chicken", "2", "[2 2]"},
		{"Chicken", "2x2x2", ""}, {"RandomGame", "", ""}, {"RandomGame", "99", ""}, {"RandomGame", "2x2x0", ""},
		{"RandomGame", "2xx", ""}, {"RandomGame", "two", ""},
	} {
		sizes, err := ParseSizes(c.sizes)
		got := ""
		if err == nil {
			var g *NormalForm
			if g, err = GenerateFor(Recipe{Family: c.family, High: 9}, sizes...); err == nil {
				got = fmt.Sprint(g.Sizes)
			}
		}
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s of %q: %s, want %q: %v", c.family, c.sizes, got, c.want, err)
		}
	}
}
