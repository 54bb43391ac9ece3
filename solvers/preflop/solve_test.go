package preflop

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gamebots/acpc/ranges"
)

// solved solves a game until best responses gain no more than a target.
func solved(t testing.TB, g Game, target float64) *Solution {
	t.Helper()
	s, err := Solve(t.Context(), g, target, 20_000)
	if err != nil {
		t.Fatal(err)
	}
	if s.Gain > target {
		t.Errorf("%+v: best responses gain %g after %d iterations", g, s.Gain, s.Iterations)
	}
	return s
}

// often returns how often the last action is played with a hand at a decision.
func often(t testing.TB, s *Solution, decision int, hand string) float64 {
	d := s.Decisions()[decision]
	return d.Strategy[len(d.Actions)-1][class(t, hand)]
}

// Hands are pushed and called up to the stacks of HoldemResources' chart (holdemresources.net, 2014): T3s up to 7.7
// big blinds, Q2o called up to 5.6; 63s is pushed from 7.1 down to 5.1 and below 2.3.
func TestPushFold(t *testing.T) {
	for _, test := range []struct {
		stack    float64
		decision int
		hand     string
		plays    bool
	}{
		{7.5, 0, "T3s", true}, {7.9, 0, "T3s", false}, {5.5, 1, "Q2o", true}, {5.7, 1, "Q2o", false},
		{7.3, 0, "63s", false}, {7, 0, "63s", true}, {5.2, 0, "63s", true},
		{4.9, 0, "63s", false}, {2.2, 0, "63s", true},
	} {
		s := solved(t, Game{Stack: test.stack}, 1e-5)
		if p := often(t, s, test.decision, test.hand); (p > .5) != test.plays {
			t.Errorf("stacks of %g: %s plays on with %.2f, want %v", test.stack, test.hand, p, test.plays)
		}
		if sum := s.Values[0] + s.Values[1]; math.Abs(sum) > 1e-9 {
			t.Errorf("stacks of %g: both win %g", test.stack, sum)
		}
	}
}

// Raises that only the small blind has let it win no less, with antes it pushes more, and the house takes its part.
func TestSolve(t *testing.T) {
	const target = 1e-3
	plain, ante := solved(t, Game{Stack: 12}, target), solved(t, Game{Stack: 12, Ante: .125}, target)
	raising := solved(t, Game{Stack: 12, Raises: [][]Size{{{To: 2.5}, {To: 2}}}}, target)
	raked := solved(t, Game{Stack: 12, Rake: .05, Cap: .5}, target)
	if raising.Values[0] < plain.Values[0]-2*target {
		t.Errorf("the small blind wins %v, and %v with raises", plain.Values, raising.Values)
	}
	if hand := "T4s"; often(t, plain, 0, hand) > .25 || often(t, ante, 0, hand) < .75 {
		t.Errorf("%s is pushed with %v, with antes with %v", hand, often(t, plain, 0, hand), often(t, ante, 0, hand))
	}
	if sum := raked.Values[0] + raked.Values[1]; sum >= -.01 || sum < -.5 {
		t.Errorf("the house takes %v", -sum)
	}
	sizes := [][]Size{{{To: 2.5}}, {{To: 3.5}, {To: 8}}}
	decisions := solved(t, Game{Stack: 20, Raises: sizes, Ante: .125}, target).Decisions()
	if second := decisions[1].Actions; len(second) != 3 || second[1].String() != "raise to 8" {
		t.Errorf("the big blind may %v", second) // 3.5 is too small: the raise before was by 1.5
	}
	for _, d := range decisions {
		for c := range classes {
			sum := 0.
			for a := range d.Actions {
				sum += d.Strategy[a][c]
			}
			if math.Abs(sum-1) > 1e-9 || d.Reach[c] < 0 || d.Reach[c] > 1+1e-9 {
				t.Fatalf("after %v: %v in all, reach %v", d.Line, sum, d.Reach[c])
			}
		}
	}
}

// usual are raises of deep stacks.
var usual = [][]Size{{{To: 2.5}}, {{Times: 3.5}}, {{Times: 2.3}}}

// With calls the small blind wins more than by pushing, and plays most of its hands, even more with antes. The house
// takes its part of flops, too.
func TestCalls(t *testing.T) {
	const target = 5e-3
	for _, stack := range []float64{20, 50, 100} {
		g := Game{Stack: stack, Raises: usual, Calls: true}
		plain := solved(t, g, target)
		if sum := plain.Values[0] + plain.Values[1]; math.Abs(sum) > 1e-9 {
			t.Errorf("stacks of %g: both win %g", stack, sum)
		}
		if pushed := solved(t, Game{Stack: stack}, target); plain.Values[0] < pushed.Values[0] {
			t.Errorf("stacks of %g: %v, pushing %v", stack, plain.Values, pushed.Values)
		}
		folds := part(folded(plain))
		if folds > .2 {
			t.Errorf("stacks of %g: the small blind folds %.3f of its hands", stack, folds)
		}
		for _, hand := range []string{"AA", "KK", "AKs"} {
			if p := folded(plain)[class(t, hand)]; p > .01 {
				t.Errorf("stacks of %g: %s is folded with %g", stack, hand, p)
			}
		}
		g.Rake, g.Cap = .05, 1
		if raked := solved(t, g, target); raked.Values[0]+raked.Values[1] > -.02 {
			t.Errorf("stacks of %g: with a rake they win %v", stack, raked.Values)
		}
		g.Rake, g.Ante = 0, .125
		if ante := part(folded(solved(t, g, target))); ante >= folds {
			t.Errorf("stacks of %g: folds %.3f, with antes %.3f", stack, folds, ante)
		}
	}
}

// folded returns how often the small blind folds at first, by class.
func folded(s *Solution) []float64 { return s.Decisions()[0].Strategy[0] }

// part returns the part of all hands that some are.
func part(often []float64) (sum float64) {
	for c, p := range often {
		sum += p * float64(len(ranges.Class(c).Hands())) / 1326
	}
	return sum
}

// class returns the class of a name.
func class(t testing.TB, hand string) int {
	t.Helper()
	for c := range classes {
		if ranges.Class(c).String() == hand {
			return c
		}
	}
	t.Fatal(hand)
	return 0
}

// A raise of a line is possible only there, and a given strategy is not changed. What comes before it is solved.
func TestGiven(t *testing.T) {
	line := []Action{{Raise, 2.5}, {Raise, 7}}
	g := Game{Stack: 50, Raises: usual, Calls: true, Line: line}
	given := [][]float64{}
	for a := range 4 {
		given = append(given, make([]float64, classes))
		for c := range classes {
			given[a][c] = [4]float64{.1, .2, .6, .1}[a]
		}
	}
	g.Given = func(at, actions []Action) [][]float64 {
		if len(at) > 0 {
			return nil
		}
		return given
	}
	s := solved(t, g, 5e-3)
	sizes := 0
	for _, d := range s.Decisions() {
		if slices.Contains(d.Actions, line[1]) {
			if sizes++; !slices.Equal(d.Line, line[:1]) {
				t.Errorf("%v after %v", line[1], d.Line)
			}
		}
	}
	if first := s.Decisions()[0]; sizes != 1 || !slices.EqualFunc(first.Strategy, given, slices.Equal) {
		t.Errorf("%d decisions have the raise, the first one is %v", sizes, first.Strategy)
	}
	if free := solved(t, Game{Stack: 50, Raises: usual, Calls: true}, 5e-3); free.Values[0] < s.Values[0] {
		t.Errorf("the small blind wins %v, and %v with a given strategy", free.Values, s.Values)
	}
}

// Games that cannot be played are refused, and Solve stops when it is told.
func TestRefuses(t *testing.T) {
	nan := math.NaN()
	for _, g := range []Game{{}, {Stack: 1}, {Stack: nan}, {Stack: 2000}, {Stack: 2, Ante: 1}, {Stack: 9, Ante: -1},
		{Stack: 9, Rake: 1}, {Stack: 9, Rake: nan}, {Stack: 9, Cap: -1},
		{Stack: 9, Raises: slices.Repeat([][]Size{make([]Size, 9)}, 5)}} {
		if _, err := Solve(t.Context(), g, 0, 1); err == nil {
			t.Errorf("%+v is solved", g)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := Solve(ctx, Game{Stack: 9}, 0, 1); !errors.Is(err, enough) {
		t.Error(err)
	}
}
