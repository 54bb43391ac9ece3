package acpc

import (
	"strings"
	"testing"
)

func TestPositionAndRoundNames(t *testing.T) {
	for name, test := range map[string]struct{ players, blind, first, board, positions, rounds string }{
		"heads-up": {"2", "100 50", "2 1 1 1", "0 3 1 1", "BB BTN", "before the flop, flop, turn, river"},
		"heads-up, button first": {"2", "50 100", "1 2 2 2", "0 3 1 1", "BTN BB",
			"before the flop, flop, turn, river"},
		"one round": {"2", "10 5", "2", "0", "BB BTN", "before the flop"},
		"three":     {"3", "5 10 0", "3 1 1 1", "0 3 1 1", "SB BB BTN", "before the flop, flop, turn, river"},
		"four":      {"4", "5 10 0 0", "3 1 1 1", "0 3 1 1", "SB BB CO BTN", "before the flop, flop, turn, river"},
		"six": {"6", "50 100 0 0 0 0", "3 1 1 1", "0 3 1 1", "SB BB UTG HJ CO BTN",
			"before the flop, flop, turn, river"},
		"six, button first": {"6", "0 50 100 0 0 0", "4 2 2 2", "0 3 1 1", "BTN SB BB UTG HJ CO",
			"before the flop, flop, turn, river"},
		"nine": {"9", "50 100 0 0 0 0 0 0 0", "3 1 1 1", "0 3 1 1", "SB BB UTG UTG+1 UTG+2 LJ HJ CO BTN",
			"before the flop, flop, turn, river"},
		"antes":        {"3", "1 1 1", "1 1", "0 1", ". . BTN", "round 1, round 2"},
		"straddle":     {"4", "1 2 4 0", "4 1", "0 3", ". . . BTN", "before the flop, flop"},
		"Rhode Island": {"2", "5 5", "1 1 1", "0 1 1", ". BTN", "round 1, round 2, round 3"},
	} {
		rounds := strings.Fields(test.first)
		g := parseGame(t, "nolimit", "numPlayers = "+test.players, "numRounds = "+string(rune('0'+len(rounds))),
			"stack ="+strings.Repeat(" 1000", len(strings.Fields(test.blind))), "blind = "+test.blind,
			"firstPlayer = "+test.first, "numSuits = 4", "numRanks = 13", "numHoleCards = 2",
			"numBoardCards = "+test.board)
		got := g.PositionNames()
		for p := range got {
			if got[p] == "" {
				got[p] = "."
			}
		}
		if positions := strings.Join(got, " "); positions != test.positions {
			t.Errorf("%s: %s, want %s", name, positions, test.positions)
		}
		if rounds := strings.Join(g.RoundNames(), ", "); rounds != test.rounds {
			t.Errorf("%s: %s, want %s", name, rounds, test.rounds)
		}
	}
}

// The public "normal blinds" are the "reverse blinds" with the seats named from the other one on. Other stacks, and
// blinds in another order, are other games.
func TestOffset(t *testing.T) {
	rules := func(players, blind, first, stack string) *Game {
		return parseGame(t, "nolimit", "numPlayers = "+players, "numRounds = 2", "stack = "+stack, "blind = "+blind,
			"firstPlayer = "+first, "numSuits = 4", "numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3")
	}
	reverse, three := rules("2", "100 50", "2 1", "900 900"), rules("3", "5 10 0", "3 1", "70 80 90")
	for name, test := range map[string]struct {
		g, other *Game
		by       int
		same     bool
	}{
		"itself":                    {reverse, rules("2", "100 50", "2 1", "900 900"), 0, true},
		"normal blinds":             {reverse, rules("2", "50 100", "1 2", "900 900"), 1, true},
		"the big blind acts first":  {reverse, rules("2", "50 100", "2 1", "900 900"), 0, false},
		"other stacks":              {reverse, rules("2", "50 100", "1 2", "900 800"), 0, false},
		"other players":             {reverse, three, 0, false},
		"three, button first":       {three, rules("3", "0 5 10", "1 2", "90 70 80"), 1, true},
		"three, button second":      {three, rules("3", "10 0 5", "2 3", "80 90 70"), 2, true},
		"three, stacks left behind": {three, rules("3", "0 5 10", "1 2", "70 80 90"), 0, false},
		"three, the other way":      {three, rules("3", "0 10 5", "1 2", "90 80 70"), 0, false},
	} {
		if by, same := test.g.Offset(test.other); by != test.by || same != test.same {
			t.Errorf("%s: %d %t, want %d %t", name, by, same, test.by, test.same)
		}
	}
}
