package pcs

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// pair returns trainers of two players who know no board cards against opponents who do.
func pair(t *testing.T, x *policy.Index, m Method) *Pair {
	t.Helper()
	var trainers [2]*Trainer
	for player := range trainers {
		g, err := NewAgainst(x, player, abstraction.New(x.Tree.Game, abstraction.Lossless), m.Batch)
		if err != nil {
			t.Fatal(err)
		}
		trainers[player] = NewTrainer(g, m, 1, 2)
	}
	return NewPair(x, trainers[0], trainers[1])
}

// Against opponents who tell more cards apart, a strategy is trained that loses less in the game
// itself, from a state to the same bits.
func TestPair(t *testing.T) {
	rules := oneRaise(t, 2, 4, 1, 1)
	tree := betting.NewTree(rules, betting.Actions{}.ShapeOf(rules, 1<<20))
	x := policy.NewIndex(tree, abstraction.NewBoardless(rules))
	m := Method{Batch: 8, Plus: true}
	exploitability := func(weights []float32) float64 {
		s, err := bestresponse.FromWeights(x, weights, nil)
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

// Of opponents with more raises each player learns what it learns in the game with its own raises
// and those of the opponents, and never makes theirs.
func TestPairOfRaises(t *testing.T) {
	rules := noLimit(t, 2, 3, [2]int32{800, 700}, 1, 1)
	actions, err := actions(t, "1,a/a").Against(actions(t, "min,0.5,a; p1: 2"))
	if err != nil {
		t.Fatal(err)
	}
	index := func(a betting.Actions) *policy.Index {
		return policy.NewIndex(betting.NewTree(rules, a.ShapeOf(rules, 1<<20)), pokertest.Hashed{7, 10, 20})
	}
	const batches = 3 // so few that some information sets are never visited
	m := Method{Batch: 2, Plus: true}
	trainer := func(player int) *Trainer {
		g, err := New(index(actions.Training(player)), m.Batch)
		if err != nil {
			t.Fatal(err)
		}
		return NewTrainer(g, m, 1, 2)
	}
	x := index(actions)
	pair := NewPair(x, trainer(0), trainer(1))
	for range batches {
		pair.Step()
	}
	joined := policy.Played[float32](x, pair.Weights(), nil)
	for player := range 2 {
		alone := steps(trainer(player), batches)
		probability := policy.Played[float32](alone.Index, alone.Weights(), nil)
		for node, same := range x.Tree.Follow(alone.Tree) {
			n, m := &alone.Tree.Nodes[node], &x.Tree.Nodes[same]
			if n.Kind != betting.Decision || int(n.Actor) != player {
				continue
			}
			buckets := x.Buckets.NumBuckets(int(n.Round))
			want := map[acpc.Action][]float32{}
			for a := range int(n.NumActions) {
				action := alone.Tree.Nodes[int(n.First)+a].Action()
				want[action] = probability[alone.Entry(int32(node))+a*buckets:][:buckets]
			}
			for a := range int(m.NumActions) {
				action, got := x.Tree.Nodes[int(m.First)+a].Action(), joined[x.Entry(same)+a*buckets:][:buckets]
				if w, ok := want[action]; ok && !slices.Equal(got, w) || !ok && slices.Max(got) > 0 {
					t.Fatalf("player %d plays %v at node %d with probabilities %v, alone %v", player+1, action,
						same, got, w)
				}
			}
		}
	}
}
