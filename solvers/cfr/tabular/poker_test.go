package tabular

import (
	"errors"
	"math"
	"testing"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"
)

func build(t *testing.T, name string, kind abstraction.Kind) *extensive.Game {
	t.Helper()
	rules, err := configs.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := OfPoker(rules, betting.Actions{}, kind)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The numbers of leaves and of information sets that the literature has, and the values
// of the games.
func TestPoker(t *testing.T) {
	for _, c := range []struct {
		name         string
		leaves, sets int
		value        float64 // chips that the first player wins
	}{
		{"kuhn", 30, 12, -1. / 18},
		{"leduc", 1116, 288, -0.085606424078},
		{"kuhn-3p", 312, 48, math.NaN()},
	} {
		g := build(t, c.name, abstraction.Lossless)
		leaves, sets := 0, 0
		for i := range g.Nodes {
			if g.Nodes[i].Set == extensive.None {
				leaves++
			}
		}
		for i := range g.Sets {
			if g.Sets[i].Player != extensive.Chance {
				sets++
			}
		}
		if leaves != c.leaves || sets != c.sets {
			t.Errorf("%s: %d leaves and %d information sets, want %d and %d", c.name, leaves, sets, c.leaves, c.sets)
		}
		if math.IsNaN(c.value) {
			continue
		}
		written, err := extensive.Read(c.name+".efg", g.EFG())
		if err != nil {
			t.Fatal(err)
		}
		s, err := sequence.Solve(t.Context(), written, sequence.Subgames)
		if err != nil {
			t.Fatal(err)
		}
		if value, _ := s.Payoffs[0].Float64(); math.Abs(value-c.value) > 1e-11 {
			t.Errorf("%s: a value of %v, want %v", c.name, value, c.value)
		}
	}
}

// Raises without a limit are named as players name them: by the round, without the antes of 100.
func TestNamesOfRaises(t *testing.T) {
	rules, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	actions, err := betting.ParseActions("fcpa")
	if err != nil {
		t.Fatal(err)
	}
	g, err := OfPoker(rules, actions, abstraction.Lossless)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, set := range g.Sets {
		for _, action := range set.Actions {
			names[action] = true
		}
	}
	for _, want := range []string{"bet 200", "raise to 800", "bet 1100 all-in", "raise to 1100 all-in"} {
		if !names[want] {
			t.Errorf("there is no %q among %v", want, names)
		}
	}
}

// A game whose deals are too many for a tree.
func TestTooLarge(t *testing.T) {
	rules, err := configs.Game("holdem-limit-2p")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OfPoker(rules, betting.Actions{}, abstraction.Lossless); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}
