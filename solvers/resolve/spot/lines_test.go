package spot

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// actionsAt returns the texts of the actions at a decision.
func actionsAt(t *testing.T, s *Solver, line string) (texts []string) {
	t.Helper()
	at, err := s.Solution().Strategy(line)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range at.Actions {
		texts = append(texts, a.String())
	}
	return texts
}

// A line is played with bets that the menu lacks; after them and elsewhere the menu holds.
func TestLines(t *testing.T) {
	s := testSpot(t, "QsJh2h8d", "AA,KJs:0.5,T9s", "KK,QTs,A5s", 100, 1000, "100", "100")
	s.Lines = [][]Action{{{Check, 0}, {Bet, 37}, {Raise, 90}}, {{Check, 0}, {Bet, 100}}}
	solver := testSolver(t, s, "dcfr", 1, 1)
	for line, want := range map[string][]string{
		"":                       {"x", "b100"},
		"x":                      {"x", "b37", "b100"},
		"x-b37":                  {"f", "c", "r90", "r211"},
		"x-b37-r90":              {"f", "c", "r370"},
		"b100":                   {"f", "c", "r400"},
		"x-b37-r90-c-3c-x":       {"x", "b280"},
		"x-b37-r90-c-3c-x-b280":  {"f", "c", "r910"},
		"x-b100-r400-c-3c-x-x":   nil,
		"x-b100-r400-r1000-c-3c": nil,
	} {
		if want == nil {
			if err := solver.Solution().Check(line); !errors.As(err, new(*LineError)) {
				t.Errorf("%q: error %v", line, err)
			}
			continue
		}
		if got := actionsAt(t, solver, line); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

func TestAllows(t *testing.T) {
	s := testSpot(t, "QsJh2h8d", "AA", "KK", 100, 1000, "100", "100")
	s.Lines = [][]Action{{{Check, 0}, {Bet, 37}}}
	for _, tt := range []struct {
		line []Action
		want bool
	}{
		{nil, true},
		{[]Action{{Bet, 100}, {Raise, 400}}, true},
		{[]Action{{Bet, 37}}, false},
		{[]Action{{Check, 0}, {Bet, 37}, {Raise, 211}}, true},
		{[]Action{{Check, 0}, {Bet, 37}, {Raise, 212}}, false},
		{[]Action{{Check, 0}, {Check, 0}}, true},
		{[]Action{{Check, 0}, {Check, 0}, {Check, 0}}, false},
		{[]Action{{Fold, 0}}, false},
	} {
		if got := s.Allows(tt.line); got != tt.want {
			t.Errorf("%s: %v", LineOf(tt.line), got)
		}
	}
}

func TestLinesRefused(t *testing.T) {
	for _, line := range [][]Action{{{Bet, 1001}}, {{Raise, 100}}, {{Bet, 100}, {Raise, 90}}, {{Fold, 0}}, {{Bet, 0}}} {
		s := testSpot(t, "QsJh2h8d", "AA", "KK", 100, 1000, "100", "100")
		s.Lines = [][]Action{line}
		if _, err := New(s, Options{Memory: math.MaxInt64}); !errors.As(err, new(*LineError)) {
			t.Errorf("%s: error %v", LineOf(line), err)
		}
	}
}

// No bet is less than the least one, and no raise is by less, but all-in.
func TestMinBet(t *testing.T) {
	s := testSpot(t, "QsJh2h8d3c", "AA,KJs:0.5,T9s", "KK,QTs,A5s", 100, 130, "10", "10")
	s.MinBet = 50
	solver := testSolver(t, s, "dcfr", 1, 1)
	for line, want := range map[string][]string{"": {"x", "b50"}, "b50": {"f", "c", "r100"},
		"b50-r100": {"f", "c", "r130"}} {
		if got := actionsAt(t, solver, line); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// The strategy of a decision is what At says of it.
func TestStrategy(t *testing.T) {
	s := testSpot(t, "Td9d6hQh", "88,KsJs:0.5,KcJc:0.5,A5s", "QQ,T9s,AsKs,AcKc", 200, 500, "60", "a")
	solver := testSolver(t, s, "dcfr/16", 9, 1)
	for _, line := range []string{"", "x", "b120-c-2s", "b120-c-2c-x"} {
		got, err := solver.Solution().Strategy(line)
		if err != nil {
			t.Fatal(err)
		}
		want, err := solver.Solution().At(line)
		if err != nil {
			t.Fatal(err)
		}
		if got.Player != want.Player || len(got.Hands) != len(want.Hands[want.Player]) {
			t.Fatalf("%q: %+v", line, got)
		}
		for _, h := range want.Hands[want.Player] {
			i := slices.Index(got.Hands, h.Hole)
			for a := range got.Actions {
				if i < 0 || got.Probabilities[a][i] != h.Probabilities[a] {
					t.Errorf("%q: %v plays %v with other probabilities", line, h.Hole, got.Actions[a])
				}
			}
		}
	}
}
