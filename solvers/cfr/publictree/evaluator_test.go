package publictree

import (
	"math"
	"math/rand/v2"
	"testing"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/internal/pokertest"
)

// randomWeights returns a random strategy, with actions that are never played.
func randomWeights(l *Layout, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 0))
	weights := make([]float32, l.Entries)
	for i := range weights {
		weights[i] = max(0, random.Float32()-.3)
	}
	return weights
}

// At the root the values of the actions, weighted by their probabilities, add up to the
// value of the game.
func TestActionValues(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "kuhn-3p"} {
		l := prepared(t, pokertest.Game(t, name), abstraction.Lossless)
		weights := randomWeights(l, 3)
		e := NewEvaluator(l, 2)
		values := e.ActionValues(weights)
		root := &l.Tree.Nodes[0]
		first, stride := l.Entry(0), l.Cards.Rounds[0].Stride
		sum := 0.0
		for b, weight := range l.Cards.Rounds[0].Weight {
			total, value := 0.0, 0.0
			for a := range int(root.NumActions) {
				at := first + a*stride + b
				total += float64(weights[at])
				value += float64(weights[at]) * values[at]
			}
			if weight > 0 {
				sum += weight * value / total
			}
		}
		if want := e.Evaluate(weights).Value[root.Actor]; math.Abs(sum-want) > 1e-9 {
			t.Errorf("%s: the root's actions are worth %g, the game %g", name, sum, want)
		}
	}
}
