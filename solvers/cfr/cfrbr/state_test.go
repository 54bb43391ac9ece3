package cfrbr

import (
	"bytes"
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// A training begins with the average strategy of public chance sampling, which becomes better,
// and is the current strategy at first.
func TestStart(t *testing.T) {
	startFrom(t, oneRaise(t, 2, 3, 1, 1))
	startFrom(t, noLimit(t))
}

func startFrom(t *testing.T, rules *acpc.Game) {
	t.Helper()
	x := index(rules, abstraction.NewBoardless(rules))
	layout, err := pcs.New(x, 4)
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []pcs.Method{{Batch: 4}, {Batch: 4, Plus: true}} {
		first := pcs.NewTrainer(layout, m, 1, 2)
		for range 300 {
			first.Step()
		}
		var state bytes.Buffer
		if err := first.WriteState(&state); err != nil {
			t.Fatal(err)
		}
		trainer := NewTrainer(g, 1, 2)
		if err := trainer.ReadStart(&state, m, 200); err != nil {
			t.Fatal(err)
		}
		if n := trainer.Iterations(); n != 0 {
			t.Errorf("%v: %d iterations at the start", m, n)
		}
		want := policy.Played[float64](x, first.Weights(), nil)
		for i, p := range policy.Played[float64](x, trainer.Weights(), nil) {
			if math.Abs(p-want[i]) > 1e-5 {
				t.Fatalf("%v: entry %d is played with %v, want %v", m, i, p, want[i])
			}
		}
		before := exploitability(t, x, first.Weights())
		if current := exploitability(t, x, trainer.CurrentWeights()); math.Abs(current-before) > .05*before {
			t.Errorf("%v: exploitability %.3f chips of the strategy at the start, want %.3f", m, current, before)
		}
		after := exploitability(t, x, steps(trainer, 500).Weights())
		if after > .8*before {
			t.Errorf("%v: exploitability %.3f chips after the start with %.3f", m, after, before)
		}
		if resumed := NewTrainer(g, 1, 2); resumed.ReadState(bytes.NewReader(stateOf(t, trainer))) != nil ||
			!bytes.Equal(stateOf(t, steps(resumed, 1)), stateOf(t, steps(trainer, 1))) {
			t.Errorf("%v: other bits after an interruption", m)
		}
	}
}

// A damaged state is an error.
func TestDamagedState(t *testing.T) {
	rules := pokertest.Game(t, "leduc")
	g := layout(t, rules, lossless(rules))
	state := stateOf(t, steps(NewTrainer(g, 1, 1), 1))
	other := bytes.Clone(state)
	other[len(other)-8] = 7 // whether the trunk follows, of which the game has none
	for _, damaged := range [][]byte{state[:len(state)-1], other} {
		if NewTrainer(g, 1, 1).ReadState(bytes.NewReader(damaged)) == nil {
			t.Error("a damaged state is read")
		}
	}
}
