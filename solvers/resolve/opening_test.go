package resolve

import (
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
)

// A raise before the flop that the blueprint lacks is not translated, and neither is one that the solution of another
// one lacks. What the blueprint has is its own.
func TestOpening(t *testing.T) {
	o := Options{From: River, Iterations: 30}
	p := newPlayer(t, o, higher)
	for _, test := range []struct {
		line   string
		solved bool
	}{
		{"", false}, {"r300", false}, {"r20000", false}, {"c", false},
		{"r220", true}, {"r300r750", true}, {"cr350", true},
		{"r300r20000", false}, {"r220r660r1500", true}, {"r220r660r1980", true}, {"r220r660r20000", true},
	} {
		s := state(t, test.line, "")
		a := answer(t, p, s)
		if a.Solved != test.solved || a.Late || a.Solved && a.Added != 1 {
			t.Errorf("%q: solved %v, late %v, %d added", test.line, a.Solved, a.Late, a.Added)
		}
		for i := range p.holes {
			sum := 0.
			for k := range a.Actions {
				sum += a.Probability[k][i]
			}
			if math.Abs(sum-1) > 1e-6 {
				t.Fatalf("%q: %v plays with %v in all", test.line, p.holes[i], sum)
			}
		}
		for _, x := range a.Actions {
			if err := s.Check(x); err != nil {
				t.Errorf("%q: %v: %v", test.line, x, err)
			}
		}
		other := newPlayer(t, o, higher) // was asked nothing else before
		if again := answer(t, other, state(t, test.line, "")); !sameChoices(again.Choices, a.Choices) {
			t.Errorf("%q: other questions changed the decision", test.line)
		}
	}
}

// After a solved opening the ranges are those of its solution, and what the player did before it as it was.
func TestRangesAfterOpening(t *testing.T) {
	p := newPlayer(t, Options{From: Turn, Iterations: 30}, higher)
	start := state(t, "r300r750c/", "AsAc"+flopBoard)
	before := answer(t, p, state(t, "r300r750", "AsAc"))
	var reach [2][]float64
	var err error
	reach[1], reach[0], err = p.trunk.At(start, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	own, err := p.before.Choices(t.Context(), state(t, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	raise := slices.Index(own.Actions, acpc.Action{Type: acpc.Raise, Size: 300})
	board := start.Board[:3]
	other := 0.
	for i, hole := range p.holes {
		if hole.Has(board[0]) || hole.Has(board[1]) || hole.Has(board[2]) {
			continue
		}
		called := before.Probability[slices.Index(before.Actions, call)][i]
		if want := own.Probability[raise][i] * called; math.Abs(reach[1][i]-want) > 1e-12 {
			t.Fatalf("%v comes to the flop with %g, want %g", hole, reach[1][i], want)
		}
		other += reach[0][i]
	}
	if other == 0 || slices.Max(reach[0]) > 1 {
		t.Errorf("the opponent comes with %g hands", other)
	}
	for _, line := range []string{"r300r750c/cc/c", "r220r660c/cc/"} {
		if a := answer(t, p, state(t, line, "AsAc|AdAh"+flopBoard[1:]+"/2c")); !a.Solved {
			t.Errorf("%s: the turn is not solved", line)
		}
	}
}

// An opening that is late is the blueprint's for the whole hand, and is solved in the next one.
func TestLateOpening(t *testing.T) {
	p := newPlayer(t, Options{From: River, Iterations: 1000}, higher)
	s := state(t, "r220", "")
	a, err := p.Answer(&countdown{t.Context(), 20}, s)
	if err != nil || !a.Late {
		t.Fatalf("late %v, error %v", a.Late, err)
	}
	want, err := p.before.Choices(t.Context(), s)
	if again := answer(t, p, s); err != nil || !again.Late || !sameChoices(again.Choices, want) {
		t.Error("it is not the blueprint's", err)
	}
	p.options.Iterations = 3
	s.HandID++
	if a := answer(t, p, s); a.Late || !a.Solved {
		t.Error("it is not solved in the next hand")
	}
}
