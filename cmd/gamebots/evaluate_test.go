package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/bots/judge"
)

// given returns whether one of some flags is asked about.
func given(flags string) func(string) bool {
	names := strings.Fields(flags)
	return func(name string) bool { return slices.Contains(names, name) }
}

// The flags of evaluate say which measure is asked for, or cannot be combined.
func TestMeasures(t *testing.T) {
	all := byLocal + " " + byBoards + " " + byLearned
	for _, test := range []struct {
		flags evaluateFlags
		given string
		asked string
		err   string
	}{
		{evaluateFlags{}, "", "", ""},
		{evaluateFlags{}, "device threads program", "", ""},
		{evaluateFlags{bot: "call", actions: "fcpa"}, "bot actions", "", ""},
		{evaluateFlags{by: byBound}, "", all, ""},
		{evaluateFlags{}, "seed", all, ""},
		{evaluateFlags{actions: "fcpa"}, "actions", byLocal + " " + byBoards, ""},
		{evaluateFlags{learned: judge.Learned{Iterations: 5}}, "iterations", byLearned, ""},
		{evaluateFlags{sampling: judge.Sampling{Boards: 8}}, "boards", byBoards, ""},
		{evaluateFlags{}, "save", byBoards, ""},
		{evaluateFlags{by: byReal}, "save", byReal, ""},
		{evaluateFlags{by: byBoards, time: time.Second}, "time", byBoards, ""},
		{evaluateFlags{by: byLearned, time: time.Second}, "time", byLearned, ""},
		{evaluateFlags{learned: judge.Learned{Iterations: 5}, time: time.Second}, "iterations time", byLearned, ""},
		{evaluateFlags{time: time.Second}, "time", byBoards + " " + byLearned, ""},
		{evaluateFlags{}, "hands time", "", "no bound has all of --hands, --time"},
		{evaluateFlags{by: "best"}, "by", "", "--by best: want real, boards, lbr, learned or bound"},
		{evaluateFlags{by: byLearned}, "boards", "", "--by learned and --boards cannot be combined"},
		{evaluateFlags{by: byLearned}, "threads", "", "--by learned and --threads cannot be combined"},
		{evaluateFlags{by: byReal}, "program", "", "--by real and --program cannot be combined"},
		{evaluateFlags{by: byBoards, actions: "fchpa"}, "actions", byBoards, ""},
		{evaluateFlags{actions: "fcpa", sampling: judge.Sampling{Boards: 8}}, "actions boards", byBoards, ""},
		{evaluateFlags{by: byBoards, rounds: "flop"}, "rounds", byBoards, ""},
		{evaluateFlags{by: byReal, rounds: "flop"}, "rounds actions", "", "--rounds and --actions cannot be combined"},
		{evaluateFlags{actions: "fx"}, "actions", "", `--actions fx: actions "fx"`},
		{evaluateFlags{by: byLocal}, "device", "", "--device has no effect without --solve-from"},
		{evaluateFlags{}, "iterations", "", "--iterations 0: want at least 1"},
		{evaluateFlags{sampling: judge.Sampling{Boards: 7}}, "boards", "", "--boards 7: want at least 8"},
		{evaluateFlags{by: byBoards}, "solve", "", "--by boards and --solve cannot be combined"},
		{evaluateFlags{time: -1}, "time", "", "--time -1ns: want a time over 0"},
		{evaluateFlags{bot: "call"}, "bot solve", "", "want a strategy file, not --bot"},
	} {
		test.flags.local.Deals = defaultHands
		asked, err := test.flags.measures(given(test.given))
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: %v, want %s", test.given, err, test.err)
			}
			continue
		}
		if err != nil || strings.Join(asked, " ") != test.asked {
			t.Errorf("%s: by %q, want %q: %v", test.given, asked, test.asked, err)
		}
	}
	flags := evaluateFlags{local: judge.LBR{Deals: 1}}
	if _, err := flags.measures(given("hands")); err == nil {
		t.Error("one deal has an interval")
	}
}
