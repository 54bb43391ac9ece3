package gumbel

import (
	"math"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/mcts"
)

// A choice by approximate probabilities is that by exact ones, and seldom fails: in nodes with any
// visits, values and proofs, and with logits that are far apart or next to each other.
func TestChooseRoughly(t *testing.T) {
	random, chosen := rng.Stream(1), 0
	const nodes = 20_000
	for i := range nodes {
		var s Search
		n := node{value: value(&random), end: int32(2 + random.IntN(100))}
		spread := []float32{0.001, 1, 10, 300}[random.IntN(4)]
		for move := range n.end {
			e := edge{move: mcts.Move(move), logit: spread * value(&random)}
			if move > 0 && random.IntN(10) == 0 {
				e.logit = math.Nextafter32(s.edges[move-1].logit, float32(random.IntN(2)))
			}
			n.highest = max(n.highest, e.logit)
			s.edges = append(s.edges, e)
		}
		s.chooseRoughly(&n) // sets the priors
		for n.visits = int32(random.IntN(200)); n.maxVisits < n.visits/2; {
			e := &s.edges[random.IntN(1+random.IntN(len(s.edges)))]
			e.visits++
			e.sum += value(&random)
			n.maxVisits = max(n.maxVisits, e.visits)
			e.flight = int32(random.IntN(int(e.visits)+1)) * int32(i%2)
		}
		for range random.IntN(3) {
			s.edges[1+random.IntN(len(s.edges)-1)].proof = []mcts.Proof{mcts.Loss, mcts.Draw}[random.IntN(2)]
		}
		if n.visits == 0 {
			n.visits = 1
		}
		got, ok := s.chooseRoughly(&n)
		if !ok {
			continue
		}
		chosen++
		if want := s.chooseExactly(&n); got != want {
			t.Errorf("node %d: move %d, not %d", i, got, want)
		}
	}
	if chosen < nodes*9/10 {
		t.Errorf("only %d of %d nodes are clear", chosen, nodes)
	}
}

// value returns a value from -1 to 1.
func value(random *rng.Stream) float32 { return float32(2*random.Float64() - 1) }
