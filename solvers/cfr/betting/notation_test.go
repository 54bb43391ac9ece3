package betting

import (
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/internal/pokertest"
)

// Abstractions are printed in one form, which is read as the same.
func TestNotation(t *testing.T) {
	for text, want := range map[string]string{
		"pa":                                   "fcpa",
		"0.5,1,a":                              "fchpa",
		"a, 3x ,min,2.5bb,1":                   "f,c,min,2.5bb,3x,1,a",
		"1/a":                                  "1/a",
		"fcpa / fca / -":                       "1,a/a/-",
		"river: a; 1":                          "fcp", // a later part replaces all before it
		"1; river: a":                          "preflop flop turn: 1; river: a",
		"preflop, flop: 1 ; turn river: 1":     "fcp",
		"p2: a; p2 flop: 1":                    "p2 preflop turn river: a; p2 flop: 1",
		"1; p1: a; p3 p2: -":                   "1; p1: a; p2 p3: -",
		"-; river: 1":                          "preflop flop turn: -; river: 1",
		"1,a; p2 turn: 2x/-; p10 p1 turn: 0.5": "1,a; p1 p10 turn: 0.5; p2 turn: 2x/-",
	} {
		a := actions(t, text)
		if a.String() != want {
			t.Errorf("%q reads as %v, want %s", text, a, want)
		}
		if again := actions(t, a.String()); again.String() != want {
			t.Errorf("%v reads as %v", a, again)
		}
	}
	for text, want := range map[string]string{
		"-":                                  "at least one raise",
		"flop: -; turn: -":                   "at least one raise",
		"1;":                                 "at least one raise",
		"flop:":                              "at least one raise",
		"1//a":                               "at least one raise",
		": 1":                                "no round and no player",
		"rivr: 1":                            `"rivr" is neither a round`,
		"p0: 1":                              `"p0" is neither a round`,
		"p11: 1":                             `"p11" is neither a round`,
		"p01: 1":                             `"p01" is neither a round`,
		"flop flop: 1":                       `"flop" occurs twice`,
		"p1 p1: 1":                           `"p1" occurs twice`,
		"1x":                                 "a multiple of the bet must be above 1",
		"0bb,1":                              `"0bb" is neither`,
		"f,1":                                "both f and c",
		"h,0.5":                              `"0.5" occurs twice`,
		"3x,3x":                              `"3x" occurs twice`,
		strings.Repeat("1/", maxSizes) + "a": "over 100 menus after each other",
		hundredAndOne():                      "over 100 raises",
	} {
		if a, err := ParseActions(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q reads as %v: error %v, want %s", text, a, err, want)
		}
	}
}

// hundredAndOne returns a menu with as many sizes.
// The raises of a player and of its opponents are one text in files.
func TestMeta(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"all":                             "",
		"pa":                              "fcpa",
		"1,a; river: a against 0.5,1 / a": "preflop flop turn: 1,a; river: a against 0.5,1/a",
		"pa against p2: a; 1":             "fcpa against fcp",
	} {
		a, err := ParseMeta(text)
		if err != nil || a.Meta() != want {
			t.Errorf("%q reads as %q: %v, want %q", text, a.Meta(), err, want)
		}
		if again, err := ParseMeta(a.Meta()); err != nil || again.Meta() != want {
			t.Errorf("%q reads as %q: %v", a.Meta(), again.Meta(), err)
		}
	}
	for text, want := range map[string]string{
		"all against 1":          `"all": want a list`,
		"1 against all":          `"all": want a list`,
		"1 against 1; forgetful": `"fcp; forgetful": want a list`,
		"1; forgetful against 1": `"fcp; forgetful": want a list`,
		"1 against -":            "at least one raise",
		"1 against a against 2":  "is neither one of",
	} {
		if a, err := ParseMeta(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q reads as %v: error %v, want %s", text, a, err, want)
		}
	}
}

func hundredAndOne() string {
	var sizes []string
	for i := range maxSizes + 1 {
		sizes = append(sizes, size{ofPot, float64(i + 1)}.String())
	}
	return strings.Join(sizes, ",")
}

// An abstraction is for games whose players and rounds it names.
func TestActionsCheck(t *testing.T) {
	for _, test := range []struct{ actions, game, want string }{
		{"fcpa", "holdem-nolimit-3p", ""},
		{"all", "holdem-nolimit-2p", ""},
		{"p3: a; p1 p2: 1", "holdem-nolimit-3p", ""},
		{"preflop flop: 1", "leduc-nolimit", ""},
		{"preflop flop: 1", "holdem-nolimit-2p", "there are no raises for p1 on the turn"},
		{"1; p3: a", "holdem-nolimit-2p", "has 2 players, and no p3"},
		{"p1: 1", "leduc-nolimit", "there are no raises for p2 on the preflop"},
	} {
		err := actions(t, test.actions).Check(pokertest.Game(t, test.game))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s for %s: %v, want %q", test.actions, test.game, err, test.want)
		}
	}
}

// Sizes depend on the round, the player and the raises before.
func TestMenus(t *testing.T) {
	for _, test := range []struct {
		actions, game string
		betting       []acpc.Action
		want          []int32
	}{
		// Blinds of 100 and 50, stacks of 20,000; the dealer, in position 2, acts first.
		{"min,3x,2.5bb,1,a", "holdem-nolimit-2p", nil, []int32{200, 250, 300, 20000}},
		{"min,3x,2.5bb,1,a", "holdem-nolimit-2p", []acpc.Action{raiseTo(300)}, []int32{500, 900, 20000}},
		{"1/0.5/a/-", "holdem-nolimit-2p", nil, []int32{300}},
		{"1/0.5/a/-", "holdem-nolimit-2p", []acpc.Action{raiseTo(300)}, []int32{600}},
		{"1/0.5/a/-", "holdem-nolimit-2p", []acpc.Action{raiseTo(300), raiseTo(600)}, []int32{20000}},
		{"1/-", "holdem-nolimit-2p", []acpc.Action{raiseTo(300), raiseTo(600)}, nil},
		// On the flop each has put in 300: a bet of two big blinds is to 500, twice that to 700.
		{"1/0.5; flop: 2bb/2x", "holdem-nolimit-2p", []acpc.Action{raiseTo(300), callAction}, []int32{500}},
		{"1/0.5; flop: 2bb/2x", "holdem-nolimit-2p", []acpc.Action{raiseTo(300), callAction, raiseTo(500)},
			[]int32{700}},
		{"flop: 2x; preflop turn river: a", "holdem-nolimit-2p", []acpc.Action{raiseTo(300), callAction}, []int32{500}},
		// The menus of the players differ.
		{"1; p1: 2x; p2 flop: a", "holdem-nolimit-2p", []acpc.Action{raiseTo(300), callAction}, []int32{500}},
		{"1; p1: 2x; p2 flop: a", "holdem-nolimit-2p", []acpc.Action{raiseTo(300), callAction, callAction},
			[]int32{20000}},
		{"1; p1: 2x; p2 flop: a", "holdem-nolimit-2p", nil, []int32{300}},
	} {
		s := after(t, test.game, test.betting...)
		var sizes []int32
		for a := range actions(t, test.actions).Legal(&s) {
			if a.Type == acpc.Raise {
				sizes = append(sizes, a.Size)
			}
		}
		if !slices.Equal(sizes, test.want) {
			t.Errorf("%s after %v: raises to %v, want %v", test.actions, test.betting, sizes, test.want)
		}
	}
}

// A hand of 200 big blinds with up to three sized raises before the flop and four later, each
// of the pot, and all-in at any time has these decisions; another program counted them, too.
func TestMenuCounts(t *testing.T) {
	g := pokertest.Game(t, "holdem-nolimit-2p")
	a := actions(t, "preflop: 1,a/1,a/1,a/a; flop turn river: 1,a/1,a/1,a/1,a/a")
	if got, want := a.ShapeOf(g, 1<<20).Decisions, [acpc.MaxRounds]int{16, 92, 332, 892}; got != want {
		t.Errorf("%v decisions, want %v", got, want)
	}
}
