package betting

import (
	"testing"

	"gamebots/acpc"
)

// Rounds have numbers and names.
func TestParseRounds(t *testing.T) {
	two, four := &acpc.Game{Name: "two", NumRounds: 2}, &acpc.Game{Name: "four", NumRounds: 4}
	for _, test := range []struct {
		game *acpc.Game
		text string
		want [acpc.MaxRounds]bool
	}{
		{two, "", [acpc.MaxRounds]bool{true, true}},
		{two, "2", [acpc.MaxRounds]bool{false, true}},
		{two, "flop", [acpc.MaxRounds]bool{false, true}},
		{four, "turn, river", [acpc.MaxRounds]bool{false, false, true, true}},
		{four, "preflop,3", [acpc.MaxRounds]bool{true, false, true}},
	} {
		if got, err := ParseRounds(test.game, test.text); err != nil || got != test.want {
			t.Errorf("%s of %s: %v, want %v: %v", test.text, test.game.Name, got, test.want, err)
		}
	}
	for text, g := range map[string]*acpc.Game{"turn": two, "0": two, "3": two, "1,": two, "rivr": four, "5": four} {
		if rounds, err := ParseRounds(g, text); err == nil {
			t.Errorf("%q of %s: %v", text, g.Name, rounds)
		}
	}
}
