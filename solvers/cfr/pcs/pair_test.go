package pcs

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/bestresponse"
	"gamebots/solvers/cfr/betting"
)

// pair returns trainers of two players who know no board cards against opponents who do.
func pair(t *testing.T, x *cfr.Index, m Method) *Pair {
	t.Helper()
	var trainers [2]*Trainer
	for player := range trainers {
		g, err := NewAgainst(x, player, abstraction.New(x.Tree.Game, abstraction.Lossless), m.Batch)
		if err != nil {
			t.Fatal(err)
		}
		trainers[player] = NewTrainer(g, m, 1, 2)
	}
	return NewPair(trainers[0], trainers[1])
}

// Against opponents who tell more cards apart, a strategy is trained that loses less in the game
// itself, from a state to the same bits.
func TestPair(t *testing.T) {
	rules := oneRaise(t, 2, 4, 1, 1)
	tree := betting.NewTree(rules, betting.Actions{}.ShapeOf(rules, 1<<20))
	x := cfr.NewIndex(tree, abstraction.NewBoardless(rules))
	m := Method{Batch: 8, Plus: true}
	exploitability := func(weights []float32) float64 {
		s, err := bestresponse.FromWeights(x, weights)
		if err != nil {
			t.Fatal(err)
		}
		best, err := bestresponse.New(s).Exact(context.Background(), 2)
		if err != nil {
			t.Fatal(err)
		}
		return (best[0] + best[1]) / 2
	}
	g, err := New(x, m.Batch)
	if err != nil {
		t.Fatal(err)
	}
	const batches = 300
	alike := NewTrainer(g, m, 1, 2)
	apart := pair(t, x, m)
	for range batches / 2 {
		apart.Step()
	}
	var state bytes.Buffer
	if err := apart.WriteState(&state); err != nil {
		t.Fatal(err)
	}
	again := pair(t, x, m)
	if err := again.ReadState(&state); err != nil {
		t.Fatal(err)
	}
	for range batches / 2 {
		apart.Step()
		again.Step()
	}
	if !slices.Equal(apart.Weights(), again.Weights()) || again.Iterations() != batches*uint64(m.Batch) {
		t.Errorf("another strategy after an interruption, of %d iterations", again.Iterations())
	}
	before, after := exploitability(steps(alike, batches).Weights()), exploitability(apart.Weights())
	t.Logf("exploitability %.3f chips, and %.3f of a pair", before, after)
	if after > .8*before {
		t.Errorf("exploitability %.3f chips, and %.3f of a pair", before, after)
	}
}
