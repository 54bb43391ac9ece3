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

// The hint of a game that is too large names what needs less.
func TestFitHint(t *testing.T) {
	for _, test := range []struct {
		game    string
		actions betting.Actions
		want    string
	}{
		{"leduc-nolimit", betting.FCPA,
			"fewer raises (--actions), coarser cards (--abstraction) and --storage 16 need less, and --dry-run " +
				"says how much"},
		{"leduc", betting.Actions{},
			"coarser cards (--abstraction) and --storage 16 need less, and --dry-run says how much"},
		{"holdem-limit-3p", betting.Actions{},
			"coarser cards (--abstraction) and --storage 16 need less, and --dry-run says how much; usual for this " +
				"game is --abstraction quick --set forget=betting --set no-response --time 10m"},
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
