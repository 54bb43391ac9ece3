package resolve

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/ranges"
	"gamebots/internal/testkit"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/preflop"
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

// In the game of the values of pairs of hands, a best response that has a raise which the strategy lacks wins less from
// solutions than from the strategy, which translates it.
func TestOpeningsLoseLess(t *testing.T) {
	testkit.SlowOnly(t)
	b, err := policy.Open("../../configs/strategies/holdem-nolimit-2p.strategy", 1<<32, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	played := belief.Played(b, nil)
	p, err := NewNoLimit(Blueprint{Index: b.Index, Rounds: 4, Played: played, Expected: played},
		Options{From: River, Iterations: 300})
	if err != nil {
		t.Fatal(err)
	}
	// loses returns what a best response with the raises of a line wins from a player.
	loses := func(player belief.Player, own int, line ...preflop.Action) float64 {
		g := preflop.Game{Stack: 200, Raises: openingRaises, Calls: true, Line: line}
		g.Given = func(at, actions []preflop.Action) (given [][]float64) {
			if p.opener(len(at)) != own {
				return nil
			}
			s := p.game.NewState(1)
			for _, a := range at {
				s.Apply(p.realOf(a))
			}
			c, err := player.Choices(t.Context(), &s)
			if errors.Is(err, policy.ErrOffTree) {
				return nil // the player never comes there
			}
			if err != nil {
				t.Fatal(err)
			}
			for range actions {
				given = append(given, make([]float64, ranges.NumClasses))
			}
			for k, a := range c.Actions {
				row := given[nearest(actions, p.openedWith(&s, len(at), a))]
				for class := range row {
					i := slices.Index(p.classes, ranges.Class(class))
					row[class] += c.Probability[k][i]
				}
			}
			return given
		}
		s, err := preflop.Solve(t.Context(), g, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		other := preflop.SmallBlind // the response is the other one's best, not its average strategy
		if own == int(p.game.FirstPlayer[0]) {
			other = preflop.BigBlind
		}
		return 1000 * (s.Values[other] + 2*s.Gain)
	}
	small := int(p.game.FirstPlayer[0])
	var sums [2]float64
	for i, to := range []float64{2.2, 2.7, 3.3, 5, 9} {
		again := []float64{5, 6.5, 7.5, 13.5, 27}[i]
		for own, line := range map[int][]preflop.Action{
			1 - small: {{Kind: preflop.Raise, To: to}},
			small:     {{Kind: preflop.Raise, To: 3}, {Kind: preflop.Raise, To: again}},
		} {
			without, table, solved := loses(p.before, own), loses(p.before, own, line...), loses(p, own, line...)
			t.Logf("%v: %.1f mb without, %.1f translated, %.1f solved", line, without, table, solved)
			sums[0], sums[1] = sums[0]+table-without, sums[1]+solved-without
		}
	}
	t.Logf("the raises win %.1f mb if they are translated, and %.1f", sums[0]/10, sums[1]/10)
	if sums[1] > sums[0]/2 {
		t.Error("they win more than half of it if they are solved")
	}
}
