package betting

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/internal/pokertest"
)

func actions(t testing.TB, text string) Actions {
	t.Helper()
	a, err := ParseActions(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestParseActions(t *testing.T) {
	for text, want := range map[string]string{
		"all": "all", "fcpa": "fcpa", "f,c,1,a": "fcpa", "a,p,c,f": "fcpa", "fchpa": "fchpa", "f,c,0.5,1,a": "fchpa",
		"f,c,2,0.75": "f,c,0.75,2", "fca": "fca", "f, c, p": "fcp", "f,c,p,3": "f,c,1,3",
		"all; forgetful": "all; forgetful", "f,c,1,a;forgetful ": "fcpa; forgetful",
		"fcpa; forgetful, dead money": "fcpa; forgetful, dead money",
		"fcpa; flop: a; forgetful":    "preflop turn river: 1,a; flop: a; forgetful",
	} {
		a := actions(t, text)
		if a.String() != want {
			t.Errorf("%q reads as %v, want %s", text, a, want)
		}
		if again := actions(t, a.String()); again.String() != want {
			t.Errorf("%v reads as %v", a, again)
		}
	}
	for _, text := range []string{"", "fc", "f,c", "cpa", "fpa", "fcpp", "f,c,1,p",
		"fcx", "f,c,-1", "f,c,0", "f,c,Inf", "f,c,NaN", "ALL", "forgetful", "; forgetful", "fcpa; forgetful; forgetful",
		"forgetful; fcpa", "fcpa; dead money", "fcpa/forgetful"} {
		if a, err := ParseActions(text); err == nil {
			t.Errorf("%q reads as %v", text, a)
		}
	}
}

// after plays a betting such as "r300 c" of a shipped game.
func after(t testing.TB, game string, betting ...acpc.Action) acpc.State {
	t.Helper()
	s := pokertest.Game(t, game).NewState(0)
	for _, a := range betting {
		if err := s.Check(a); err != nil {
			t.Fatal(err)
		}
		s.Apply(a)
	}
	return s
}

func raiseTo(size int32) acpc.Action { return acpc.Action{Type: acpc.Raise, Size: size} }

var callAction, foldAction = acpc.Action{Type: acpc.Call}, acpc.Action{Type: acpc.Fold}

func TestActionsLegal(t *testing.T) {
	for _, test := range []struct {
		actions, game string
		betting       []acpc.Action
		want          []acpc.Action
	}{
		// Antes of 100: the pot is 200, and a raise of it is to 300.
		{"fcpa", "leduc-nolimit", nil, []acpc.Action{callAction, raiseTo(300), raiseTo(1200)}},
		{"fchpa", "leduc-nolimit", []acpc.Action{raiseTo(300)},
			[]acpc.Action{foldAction, callAction, raiseTo(600), raiseTo(900), raiseTo(1200)}},
		// Raises over the stack are all-in, those under the least are that.
		{"fcpa", "leduc-nolimit", []acpc.Action{raiseTo(300), raiseTo(900)},
			[]acpc.Action{foldAction, callAction, raiseTo(1200)}},
		{"fcp", "leduc-nolimit", []acpc.Action{raiseTo(300), raiseTo(900)},
			[]acpc.Action{foldAction, callAction, raiseTo(1200)}},
		{"f,c,0.1,0.2,1", "leduc-nolimit", nil, []acpc.Action{callAction, raiseTo(200), raiseTo(300)}},
		{"fcpa", "leduc-nolimit", []acpc.Action{raiseTo(1200)}, []acpc.Action{foldAction, callAction}},
		// Blinds of 50 and 100: after calling there are 200 in the middle.
		{"fcpa", "holdem-nolimit-2p", nil, []acpc.Action{foldAction, callAction, raiseTo(300), raiseTo(20000)}},
		{"fcpa", "leduc", nil, []acpc.Action{callAction, raiseTo(0)}}, // limit games have one size
	} {
		s := after(t, test.game, test.betting...)
		if got := slices.Collect(actions(t, test.actions).Legal(&s)); !slices.Equal(got, test.want) {
			t.Errorf("%s in %s after %v: %v, want %v", test.actions, test.game, test.betting, got, test.want)
		}
	}
}

// The mapping's axioms: the neighbours are themselves, and in between it falls.
func TestPseudoHarmonic(t *testing.T) {
	for _, n := range [][2]float64{{0, 1}, {.5, 1}, {1, 20}} {
		low, high := n[0], n[1]
		if a, b := pseudoHarmonic(low, high, low), pseudoHarmonic(low, high, high); a != 1 || b != 0 {
			t.Errorf("%v: probabilities %v and %v at the ends", n, a, b)
		}
		for x := low; x < high; x += (high - low) / 16 {
			if pseudoHarmonic(low, high, x) < pseudoHarmonic(low, high, x+(high-low)/16) {
				t.Errorf("%v: rises at %v", n, x)
			}
		}
		// By the paper, one half at the pseudo-harmonic mean.
		if mean := (low + high + 2*low*high) / (low + high + 2); math.Abs(pseudoHarmonic(low, high, mean)-.5) > 1e-12 {
			t.Errorf("%v: %v at the pseudo-harmonic mean", n, pseudoHarmonic(low, high, mean))
		}
	}
}

func ExampleActions() {
	a, err := ParseActions("f,c,0.5,1,a")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, text, _ := configs.GameText("holdem-nolimit-2p")
	game, _ := acpc.ParseGame("holdem-nolimit-2p", text)
	s := game.NewState(0) // blinds of 50 and 100, stacks of 20,000
	for action := range a.Legal(&s) {
		fmt.Print(action, " ")
	}
	fmt.Println()
	// Output: f c r200 r300 r20000
}

// TestLargestRaise lists the raises up to the largest number of chips there is.
func TestLargestRaise(t *testing.T) {
	g := &acpc.Game{Betting: acpc.NoLimit, NumPlayers: 2, NumRounds: 1, NumSuits: 1, NumRanks: 3,
		NumHoleCards: 1, MaxRaises: [4]uint8{1}}
	for p := range g.NumPlayers {
		g.Stack[p], g.Blind[p] = acpc.NoStackLimit, acpc.NoStackLimit-10
	}
	s := g.NewState(0)
	sizes := []int32{}
	for a := range (Actions{}).Legal(&s) {
		if a.Type == acpc.Raise {
			sizes = append(sizes, a.Size)
		}
	}
	if !slices.Equal(sizes, []int32{acpc.NoStackLimit}) {
		t.Errorf("raises to %v, want all-in only", sizes)
	}
}

// Where the pot is empty, as in a game without blinds, raises are compared by their chips.
func TestEmptyPot(t *testing.T) {
	g := &acpc.Game{
		Name: "free", Betting: acpc.NoLimit, NumPlayers: 2, NumRounds: 1, NumSuits: 1, NumRanks: 3, NumHoleCards: 1,
		Stack: [acpc.MaxPlayers]int32{100, 100}, MaxRaises: [acpc.MaxRounds]uint8{3},
	}
	s := g.NewState(0)
	for _, size := range []int32{1, 3, 50, 100} {
		if got := raiseSize(&s, potFraction(&s, size)); got != size {
			t.Errorf("a raise to %d of an empty pot becomes one to %d", size, got)
		}
	}
	menu, err := ParseActions("min,a")
	if err != nil {
		t.Fatal(err)
	}
	tree := NewTree(g, menu.ShapeOf(g, 1<<10))
	s.Apply(acpc.Action{Type: acpc.Raise, Size: 3})
	for _, test := range []struct {
		draw float64
		want int32
	}{{0.1, 1}, {0.9, 100}} {
		at, err := tree.Translate(&s, func(int) float64 { return test.draw })
		if err != nil {
			t.Fatal(err)
		}
		if got := at.Hand().MaxSpent(); got != test.want {
			t.Errorf("with the draw %g a raise to 3 is one to %d, want %d", test.draw, got, test.want)
		}
	}
}
