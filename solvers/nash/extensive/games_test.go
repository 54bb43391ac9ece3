package extensive_test

import (
	"errors"
	"io/fs"
	"math/big"
	"strings"
	"testing"

	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"
)

// The games have the sizes and the values that other programs and people have found for them.
func TestGames(t *testing.T) {
	for name, want := range map[string]struct {
		nodes, sets, subgames int // sets of gamePlayers
		value                 *big.Rat
	}{
		"liars-dice-3": {9*(1<<7-1) + 1, 6 * 32, 0, big.NewRat(1, 9)},
		"liars-dice-4": {16*(1<<9-1) + 1, 1024, 0, nil},
		"liars-dice-6": {36*(1<<13-1) + 1, 24576, 0, nil},
		"goofspiel-3":  {0, 0, 0, new(big.Rat)},
		"goofspiel-4":  {2229, 738, 329, nil},
		"goofspiel-5":  {55731, 0, 0, nil},
	} {
		g, err := extensive.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		sets, subgames := 0, 0
		for _, s := range g.Sets {
			if s.Player != extensive.Chance {
				sets++
			}
		}
		for _, root := range g.Subgames() {
			if root {
				subgames++
			}
		}
		if want.nodes != 0 && len(g.Nodes) != want.nodes || want.sets != 0 && sets != want.sets ||
			want.subgames != 0 && subgames != want.subgames || !g.ConstantSum() {
			t.Errorf("%s has %d nodes, %d information sets and %d subgames", name, len(g.Nodes), sets, subgames)
		}
		if want.value == nil {
			continue
		}
		s, err := sequence.Solve(t.Context(), g, sequence.Subgames)
		if err != nil || s.Payoffs[0].Cmp(want.value) != 0 {
			t.Errorf("%s is worth %v to the first player, want %v: %v", name, s.Payoffs[0], want.value, err)
		}
	}
}

// Other names are no games, or have an error that says what there is.
func TestNames(t *testing.T) {
	for _, name := range []string{"leduc", "liars", "goofspiels", "game.efg", "liars-dice-3.efg"} {
		if g, err := extensive.Named(name); g != nil || err != nil {
			t.Errorf("%s is a game: %v", name, err)
		}
	}
	for _, name := range []string{"liars-dice", "liars-dice-", "liars-dice-x", "liars-dice-0", "goofspiel-7"} {
		if _, err := extensive.Named(name); err == nil || !strings.Contains(err.Error(), "-4") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := extensive.Open("absent.efg"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent.efg: %v", err)
	}
	if g, err := extensive.Open("absent.game"); g != nil || err != nil {
		t.Errorf("absent.game: %v", err)
	}
}
