package acpc

import (
	"strings"
	"testing"
)

// smallStacks is a no-limit game of two rounds and 20 blinds.
func smallStacks(t *testing.T) *Game {
	return parseGame(t, "nolimit", "numPlayers = 2", "numRounds = 2", "stack = 40 40", "blind = 2 1",
		"firstPlayer = 2 1", "numSuits = 4", "numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3")
}

func TestParseBetting(t *testing.T) {
	limit, noLimit := parseGame(t, "limit", "numPlayers = 2", "numRounds = 2", "blind = 2 1", "raiseSize = 2 4",
		"maxRaises = 3 4", "firstPlayer = 2 1", "numSuits = 4", "numRanks = 13", "numHoleCards = 2",
		"numBoardCards = 0 3"), smallStacks(t)
	for _, test := range []struct {
		game       *Game
		text, want string
		err        string
	}{
		{limit, "", "", ""},
		{limit, "crc", "crc/", ""},
		{limit, "crc/r", "crc/r", ""},
		{limit, "CK", "cc/", ""},
		{limit, "f", "f", ""},
		{limit, "ff", "", "byte 2: action after the end of the hand"},
		{limit, "crrrr", "", "byte 5: raise not allowed now"},
		{limit, "x", "", "byte 1: unknown action"},
		{limit, "c:", "", "byte 2: unknown action ':'"},
		{noLimit, "r6c/", "r6c/", ""},
		{noLimit, "r40c", "r40c/", ""},
		{noLimit, "r", "", "byte 1: no-limit raise without a size"},
		{noLimit, "r3", "", "byte 1: raise to 3 is not from 4 to 40"},
	} {
		s, err := test.game.ParseBetting(test.text)
		switch {
		case test.err != "":
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%q: error %v, want %q", test.text, err, test.err)
			}
		case err != nil:
			t.Errorf("%q: %v", test.text, err)
		case string(s.AppendBetting(nil)) != test.want:
			t.Errorf("%q: %s, want %s", test.text, s.AppendBetting(nil), test.want)
		}
	}
}

// describeGames are games of no limit and limit, with blinds and with antes.
var describeGames = map[string][]string{
	"no limit": {"nolimit", "numPlayers = 2", "numRounds = 4", "stack = 20000 20000", "blind = 100 50",
		"firstPlayer = 2 1 1 1"},
	"six": {"nolimit", "numPlayers = 6", "numRounds = 4", "stack = 20000 350 900 20000 20000 250",
		"blind = 50 100 0 0 0 0", "firstPlayer = 3 1 1 1"},
	"limit": {"limit", "numPlayers = 2", "numRounds = 4", "blind = 10 5", "raiseSize = 10 10 20 20",
		"maxRaises = 3 4 4 4", "firstPlayer = 2 1 1 1"},
	"short limit": {"limit", "numPlayers = 2", "numRounds = 4", "blind = 10 5", "raiseSize = 10 10 20 20",
		"maxRaises = 3 4 4 4", "firstPlayer = 2 1 1 1", "stack = 1000 25"},
	"antes": {"nolimit", "numPlayers = 3", "numRounds = 4", "stack = 1200 1200 1200", "blind = 100 100 100",
		"firstPlayer = 1 1 1 1"},
	"no blinds": {"nolimit", "numPlayers = 2", "numRounds = 4", "stack = 50 50", "blind = 0 0",
		"firstPlayer = 1 1 1 1"},
}

func TestDescribe(t *testing.T) {
	for _, test := range []struct{ game, betting, action, want string }{
		{"no limit", "", "f", "fold"},
		{"no limit", "", "c", "call 50"},
		{"no limit", "", "r200", "raise to 200"},
		{"no limit", "", "r20000", "raise to 20000 all-in"},
		{"no limit", "r300", "c", "call 200"},
		{"no limit", "r300", "r900", "raise to 900"},
		{"no limit", "r20000", "c", "call 19900 all-in"},
		{"no limit", "c", "c", "check"}, // after a limp the blind is there to be raised
		{"no limit", "c", "r200", "raise to 200"},
		{"no limit", "c", "r300", "raise to 300"},
		{"no limit", "cr300", "c", "call 200"},
		{"no limit", "cc/", "c", "check"},
		{"no limit", "cc/", "r200", "bet 100"},
		{"no limit", "cc/r300", "c", "call 200"},
		{"no limit", "cc/r300", "r500", "raise to 400"},
		{"no limit", "cc/r300", "r20000", "raise to 19900 all-in"},
		{"no limit", "cc/r300r500", "r1500", "raise to 1400"},
		{"no limit", "r300c/r600c/cc/", "r20000", "bet 19400 all-in"},
		{"no limit", "r300c/r600c/cc/c", "r1200", "bet 600"},
		{"six", "", "c", "call 100"},
		{"six", "", "r250", "raise to 250"},
		{"six", "ff", "r200", "raise to 200"},
		{"six", "r300ff", "c", "call 250 all-in"}, // for less
		{"six", "r200fffc", "r350", "raise to 350 all-in"},
		{"six", "ccccc", "c", "check"},
		{"six", "ccccc", "r350", "raise to 350 all-in"},
		{"six", "cccccc/", "r200", "bet 100"},
		{"six", "cccccc/c", "r350", "bet 250 all-in"},
		{"six", "cccccc/cr350", "r600", "raise to 500"},
		{"six", "cccccc/cr350r900", "c", "call 800"},
		{"limit", "", "c", "call 5"},
		{"limit", "", "r", "raise to 20"},
		{"limit", "c", "r", "raise to 20"},
		{"limit", "rr", "r", "raise to 40"},
		{"limit", "rc/", "r", "bet 10"},
		{"limit", "rc/r", "r", "raise to 20"},
		{"limit", "rc/rc/r", "c", "call 20"},
		{"limit", "rc/rc/r", "r", "raise to 40"},
		{"short limit", "", "r", "raise to 20"},
		{"short limit", "rr", "c", "call 5 all-in"},
		{"antes", "", "c", "check"},
		{"antes", "", "r200", "bet 100"},
		{"antes", "cr300", "c", "call 200"},
		{"antes", "cr300", "r700", "raise to 600"},
		{"antes", "ccc/", "r1200", "bet 1100 all-in"},
		{"no blinds", "", "r5", "bet 5"},
		{"no blinds", "r5", "r10", "raise to 10"},
	} {
		lines := append(describeGames[test.game], "numSuits = 4", "numRanks = 13", "numHoleCards = 2",
			"numBoardCards = 0 3 1 1")
		g := parseGame(t, lines...)
		s, err := g.ParseBetting(test.betting)
		if err != nil {
			t.Fatal(err)
		}
		a, _, err := g.ParseAction(test.action)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(a); err != nil {
			t.Fatalf("%s: %s after %q: %v", test.game, test.action, test.betting, err)
		}
		if got := s.Describe(a); got != test.want {
			t.Errorf("%s: %s after %q: %q, want %q", test.game, test.action, test.betting, got, test.want)
		}
	}
}
