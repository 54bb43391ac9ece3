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

func TestDescribe(t *testing.T) {
	g := smallStacks(t)
	for _, test := range []struct{ betting, action, want string }{
		{"", "f", "fold"},
		{"", "c", "call 1"},
		{"", "r6", "raise to 6"},
		{"c", "c", "check"},
		{"cc/", "r8", "bet 6"},
		{"cc/r8", "r20", "raise to 20"},
		{"cc/r8", "r40", "all-in to 40"},
		{"cc/r8r40", "c", "all-in to 40"},
	} {
		s, err := g.ParseBetting(test.betting)
		if err != nil {
			t.Fatal(err)
		}
		a, _, err := g.ParseAction(test.action)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Describe(a); got != test.want {
			t.Errorf("%s after %q: %q, want %q", test.action, test.betting, got, test.want)
		}
	}
}
