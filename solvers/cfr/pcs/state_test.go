package pcs

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"gamebots/cudalib/segments"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// A compact state is small, keeps the average strategy to a fifteenth, and training goes on from
// it about as well as without an interruption.
func TestCompact(t *testing.T) {
	rules := pokertest.Game(t, "leduc")
	g := layout(t, rules, 8)
	l, err := publictree.Prepare(rules, betting.Actions{}, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	e := publictree.NewEvaluator(l, 2)
	for _, m := range []Method{{Batch: 8}, {Batch: 8, Plus: true}} {
		straight := steps(NewTrainer(g, m, 1, 2), 500)
		full := len(stateOf(t, straight))
		straight.Compact()
		state := stateOf(t, straight)
		if 5*len(state) > full {
			t.Errorf("%v: a compact state of %d bytes, and one of %d", m, len(state), full)
		}
		again := NewTrainer(g, m, 1, 1)
		if err := again.ReadState(bytes.NewReader(state)); err != nil {
			t.Fatal(err)
		}
		if again.Iterations() != straight.Iterations() {
			t.Errorf("%v: %d iterations, want %d", m, again.Iterations(), straight.Iterations())
		}
		want, got := policy.Played[float64](g.Index, straight.Weights(), nil),
			policy.Played[float64](g.Index, again.Weights(), nil)
		for i, p := range want {
			if math.Abs(got[i]-p) > 1./wholeShare {
				t.Fatalf("%v: entry %d is played with %v, want %v", m, i, got[i], p)
			}
		}
		x, y := e.Evaluate(steps(straight, 2000).Weights()).Exploitability(),
			e.Evaluate(steps(again, 2000).Weights()).Exploitability()
		if y > 1.5*x {
			t.Errorf("%v: exploitability %.4f chips after a compact state, %.4f without", m, y, x)
		}
	}
}

// Shares add up to one, and none is a whole share away from its probability.
func TestShares(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		weights := []float32{random.Float32(), random.Float32() * random.Float32(),
			max(0, random.Float32()-.5)}[:2+random.IntN(2)]
		total, sum := float32(0), 0
		for _, w := range weights {
			total += w
		}
		for a, share := range shares(weights) {
			sum += int(share)
			if a < len(weights) && math.Abs(float64(weights[a]/total)*wholeShare-float64(share)) > 1+1e-4 {
				t.Fatalf("%v: shares %v", weights, shares(weights))
			}
		}
		if sum != wholeShare {
			t.Fatalf("%v: shares %v", weights, shares(weights))
		}
	}
	if got := shares([]float32{0, 0}); got != [segments.MaxActions]byte{8, 7} {
		t.Errorf("no weights: shares %v", got)
	}
}

// Powers of four are rounded by a factor of two at most.
func TestPowers(t *testing.T) {
	for _, x := range []float32{1e-20, .3, 1, 7, 1e6, 3e29} {
		if ratio := power(powerOf(x)) / x; ratio < .4999 || ratio > 2.0001 {
			t.Errorf("%v becomes %v", x, power(powerOf(x)))
		}
	}
	if power(powerOf(0)) != 0 || power(powerOf(-1)) != 0 || math.IsInf(float64(power(powerOf(math.MaxFloat32))), 0) {
		t.Error("a sum that is not positive, or too large, is not kept as it should be")
	}
}

// A damaged state is an error.
func TestDamagedState(t *testing.T) {
	trainer := steps(NewTrainer(layout(t, pokertest.Game(t, "kuhn"), 2), Method{Batch: 2}, 1, 1), 2)
	for _, compact := range []bool{false, true} {
		if compact {
			trainer.Compact()
		}
		state := stateOf(t, trainer)
		read := func(state []byte) error {
			return NewTrainer(trainer.Game, Method{Batch: 2}, 1, 1).ReadState(bytes.NewReader(state))
		}
		if err := read(state); err != nil {
			t.Error(err)
		}
		other := bytes.Clone(state)
		other[0] = 7
		if read(other) == nil || read(state[:len(state)-1]) == nil {
			t.Error("a state that is cut short, or of an unknown format, is read")
		}
		for i := 16; compact && i < len(state); i++ {
			state[i] = 255
		}
		if compact && read(state) == nil {
			t.Error("a compact state with impossible codes is read")
		}
	}
}
