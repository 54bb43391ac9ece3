package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// A run of a file's probabilities is that of the whole, wherever it cuts information sets.
func TestSaveRuns(t *testing.T) {
	g, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	// Its information sets have two to four actions.
	tree := betting.NewTree(g, betting.FCPA.ShapeOf(g, betting.CountLimit))
	x := NewIndex(tree, abstraction.New(g, abstraction.Lossless))
	var decisions []int32
	for i := range x.Tree.Nodes {
		if x.Tree.Nodes[i].Kind == betting.Decision {
			decisions = append(decisions, int32(i))
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	whole := make([]float32, x.Entries)
	draw := func(_ int32, _, _ int, weights []float32) error {
		for a := range weights {
			weights[a] = random.Float32()
		}
		return nil
	}
	if err := x.fill(whole, 0, decisions, draw); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		at := random.IntN(len(whole))
		run := make([]float32, 1+random.IntN(min(100, len(whole)-at)))
		err := x.fill(run, at, decisions, func(_ int32, first, bucket int, weights []float32) error {
			copy(weights, whole[first+bucket*len(weights):])
			for a := range weights {
				weights[a] *= 3
			}
			return nil
		})
		for i := range run {
			if err != nil || math.Abs(float64(run[i]-whole[at+i])) > 1e-6 {
				t.Fatalf("%d probabilities from %d on: number %d is %v, want %v (%v)", len(run), at, i,
					run[i], whole[at+i], err)
			}
		}
	}
}
