package mccfr

import (
	"context"
	"errors"
	"math"
	"testing"

	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
)

// respond returns the winnings of a learned response.
func respond(t *testing.T, s *Sampler) (value, interval float64) {
	t.Helper()
	r, err := s.Respond(t.Context(), 200_000, 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	value, interval, err = r.Value(t.Context(), 50_000, 6)
	if err != nil {
		t.Fatal(err)
	}
	return value, interval
}

// TestRespondCancelled stops learning and valuing a response.
func TestRespondCancelled(t *testing.T) {
	g := mccfrtest.Game(t, "kuhn", mccfrtest.Lossless)
	s := NewSampler(g, Method{Sampling: External, Batch: 1}, 1, 1)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := s.Respond(ctx, 10, 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := s.Respond(ctx, 1<<40, 5, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("learning: error %v", err)
	}
	if _, _, err := r.Value(ctx, 1<<20, 6); !errors.Is(err, context.Canceled) {
		t.Errorf("valuing: error %v", err)
	}
}

// TestRespond compares learned responses with exact ones: with perfect recall they
// win as much.
func TestRespond(t *testing.T) {
	for _, name := range []string{"kuhn", "kuhn-3p", "leduc"} {
		g := mccfrtest.Game(t, name, mccfrtest.Lossless)
		s := NewSampler(g, Method{Sampling: External, Batch: 1}, 1, 1)
		for _, iterations := range []uint64{10, 20_000} {
			for s.Iterations() < iterations {
				s.Step()
			}
			before := s.Weights()
			want := mccfrtest.Evaluator(g).Evaluate(before).Exploitability()
			got, interval := respond(t, s)
			if math.Abs(got-want) > 2.5*interval {
				t.Errorf("%s, %d iterations: a response wins %v ± %v, the best one %v", name, iterations, got, interval,
					want)
			}
			for i, x := range s.Weights() {
				if x != before[i] {
					t.Fatalf("%s: the strategy changed", name)
				}
			}
			if again, _ := respond(t, s); again != got {
				t.Errorf("%s: %v, then %v", name, got, again)
			}
			elsewhere := TableOf(g, before)
			for i, x := range elsewhere.Weights() {
				if x != before[i] {
					t.Fatalf("%s: a table of its strategy has another", name)
				}
			}
		}
	}
}
