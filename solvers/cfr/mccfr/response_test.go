package mccfr

import (
	"math"
	"testing"

	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
)

// TestRespond compares learned responses with exact ones: with perfect recall they
// win as much.
func TestRespond(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc"} {
		g := mccfrtest.Game(t, name, mccfrtest.Lossless)
		s := NewSampler(g, Method{Sampling: External, Batch: 1}, 1, 1)
		for _, iterations := range []uint64{10, 20_000} {
			for s.Iterations() < iterations {
				s.Step()
			}
			before := s.Weights()
			want := mccfrtest.Evaluator(g).Evaluate(before).Exploitability()
			got, interval := s.Respond(200_000, 5).Value(50_000, 6)
			if math.Abs(got-want) > 2.5*interval {
				t.Errorf("%s, %d iterations: a response wins %v ± %v, the best one %v", name, iterations, got, interval, want)
			}
			for i, x := range s.Weights() {
				if x != before[i] {
					t.Fatalf("%s: the strategy changed", name)
				}
			}
			again, _ := s.Respond(200_000, 5).Value(50_000, 6)
			if again != got {
				t.Errorf("%s: %v, then %v", name, got, again)
			}
		}
	}
}
