//go:build linux

package resolve

import (
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot/ondevice"
)

// Turns that a device solves have the bits of those that are too large for it.
func TestDevice(t *testing.T) {
	g := holdem(t)
	g.Stack[0], g.Stack[1] = 120, 120 // all-in is the only bet
	tree := betting.NewTree(g, betting.FCPA1.ShapeOf(g, 1<<20))
	// Before the flop only the lowest hands call, so that a turn is small.
	play := func(dst []float64, node int32, bucket int) ([]float64, error) {
		n := &tree.Nodes[node]
		for a := range int(n.NumActions) {
			calls := tree.Nodes[int(n.First)+a].Action() == call
			if n.Round == 0 {
				calls = calls == (bucket == 0)
			}
			p := 0.0
			if calls {
				p = 1
			}
			dst = append(dst, p)
		}
		return dst, nil
	}
	m, _, err := g.ParseMatchState("MATCHSTATE:0:0:cc/cc/:2s2c" + board)
	if err != nil {
		t.Fatal(err)
	}
	var answers []Answer
	for _, memory := range []string{"memory=200000000 shared=200000", "memory=1000"} {
		p, err := NewNoLimit(
			Blueprint{Index: policy.NewIndex(tree, highest{}), Rounds: 4, Played: play, Expected: play},
			Options{From: Turn, Iterations: 1, Device: ondevice.Of(cudatest.OpenFake(t, memory, "spot"))})
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer(t, p, &m.State))
	}
	if !answers[0].Solved || !sameChoices(answers[0].Choices, answers[1].Choices) {
		t.Errorf("%+v on the device, %+v on the CPU", answers[0].Actions, answers[1].Actions)
	}
}
