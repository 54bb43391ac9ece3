package main

import (
	"errors"
	"testing"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// Where no single change makes a game fit, the hint names what needs less.
func TestFitHint(t *testing.T) {
	for _, test := range []struct {
		game    string
		actions betting.Actions
		want    string
	}{
		{"leduc-nolimit", betting.FCPA,
			"fewer raises (--actions) and coarser cards (--abstraction) together need less"},
		{"leduc", betting.Actions{}, "a game with lower maxRaises, fewer players or fewer cards needs less"},
	} {
		game, err := configs.Game(test.game)
		if err != nil {
			t.Fatal(err)
		}
		_, err = publictree.Prepare(game, test.actions, abstraction.Lossless, 1)
		size, ok := errors.AsType[*policy.SizeError](err)
		if !ok {
			t.Fatal(err)
		}
		if hint := fitHint(size); hint != test.want {
			t.Errorf("%s: hint %q, want %q", test.game, hint, test.want)
		}
	}
}
