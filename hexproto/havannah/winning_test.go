package havannah

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWinningCells(t *testing.T) {
	for _, c := range []struct{ name, game, want string }{
		{"bridge", "side=3 : a1 c1 a2 c2 a3", "a1 a2 a3"},
		{"bridge, shorter of two ways", "side=3 : b2 e4 b3 d5 a1 c3 a2 d2 a3", "a1 a2 a3"},
		{"ring around an empty cell", "side=4 : c3 a1 c4 a2 d5 b1 e5 g7 e4 g6 d3", "c3 c4 d3 d5 e4 e5"},
		{"ring around its own stone", "side=4 : c3 a1 c4 a2 d5 b1 e5 g7 e4 g6 d4 f7 d3", "c3 c4 d3 d5 e4 e5"},
		{"fork without a branch", "side=4 : b2 c3 c2 b3 a2 b4 d2 d4 e2 d5 c1", "a2 b2 c1 c2 d2 e2"},
		{"nothing yet", "side=4 : b2 c3", ""},
	} {
		var b Board
		if err := b.UnmarshalText([]byte(c.game)); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := ""
		for _, cell := range b.WinningCells() {
			got += " " + b.Grid().Format(Move(cell))
		}
		if got != "" {
			got = got[1:]
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The stones that are shown have the structures that the game ended with, by the
// rules themselves.
func TestWinningCellsWin(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	seen := map[Structures]int{}
	for i := range 600 {
		b := newBoard(t, 3+i%5)
		for !b.Over() {
			moves := b.AppendMoves(nil)
			if err := b.Play(moves[rng.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
		}
		if b.Won() == 0 {
			continue
		}
		cells := b.WinningCells()
		alone, got := newBoard(t, b.Grid().Side), Structures(0)
		for _, cell := range cells {
			if b.Stone(cell) != b.Winner() {
				t.Fatalf("%s: %s is shown", b, b.Grid().Format(Move(cell)))
			}
			got |= alone.put(cell, b.Winner(), &joins{})
		}
		if got&b.Won() != b.Won() {
			t.Errorf("%s: what is shown has %s, the game %s", b, got, b.Won())
		}
		if !slices.IsSorted(cells) {
			t.Errorf("%s: cells are not in order: %v", b, cells)
		}
		seen[b.Won()]++
	}
	for _, s := range []Structures{Ring, Bridge, Fork} {
		if seen[s] == 0 {
			t.Errorf("no game ended with a %s: %v", s, seen)
		}
	}
}
