package main

import (
	"strings"
	"testing"
	"time"

	"gamebots/solvers/playout"
)

// Playouts choose their bot, and flags of the other one are refused.
func TestAnalyseFlags(t *testing.T) {
	for _, test := range []struct {
		given string
		bot   string
		flags analyseFlags
		err   string
	}{
		{"", byMCTS, analyseFlags{bot: byMCTS}, ""},
		{"playouts", byPlayouts, analyseFlags{bot: byMCTS}, ""},
		{"bot playouts", "", analyseFlags{bot: byMCTS}, "--playouts and --device are for --bot playouts"},
		{"device", "", analyseFlags{bot: byMCTS}, "--playouts and --device are for --bot playouts"},
		{"bot net", "", analyseFlags{bot: byPlayouts}, "--time, --simulations and --net are for --bot mcts"},
		{"time simulations", "", analyseFlags{bot: byMCTS}, "--time cannot be combined with --simulations"},
		{"bot", "", analyseFlags{bot: "best"}, `--bot: "best" is not one of mcts, playouts`},
		{"time", "", analyseFlags{bot: byMCTS, time: -1}, "--time: -1ns is not a positive time"},
		{"top", "", analyseFlags{bot: byMCTS, top: -1}, "--top: -1 is negative"},
		{"svg", "", analyseFlags{bot: byMCTS, svg: "a.png"}, `--svg: "a.png" is not an .svg file`},
	} {
		f := test.flags
		f.Options = playout.Options{Playouts: 1000}
		if f.time == 0 {
			f.time = time.Second
		}
		err := f.check(given(test.given))
		switch {
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: %v, want %s", test.given, err, test.err)
		case test.err == "" && (err != nil || f.bot != test.bot):
			t.Errorf("%s: bot %s, want %s: %v", test.given, f.bot, test.bot, err)
		}
	}
}
