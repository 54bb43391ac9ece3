package mccfr

import (
	"context"
	"errors"
	"math"
	"testing"

	"gamebots/internal/stats"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/mccfr/internal/mccfrtest"
)

// respond returns the winnings of a learned response.
func respond(t *testing.T, s *Sampler) (value, interval float64) {
	t.Helper()
	r, err := s.NewResponse(5)
	if err != nil {
		t.Fatal(err)
	}
	r.Learn(200_000)
	value, interval, err = r.Value(t.Context(), 50_000, 6)
	if err != nil {
		t.Fatal(err)
	}
	return value, interval
}

// TestValueCancelled stops valuing a response.
func TestValueCancelled(t *testing.T) {
	g := mccfrtest.Game(t, NewGame, "kuhn", mccfrtest.Lossless)
	s := NewSampler(g, Method{Batch: 1}, 1, 1)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := s.NewResponse(5)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, _, err := r.Value(ctx, 1<<20, 6); !errors.Is(err, context.Canceled) {
		t.Errorf("valuing: error %v", err)
	}
}

// TestUnlearned values a response that has learned nothing: it plays the strategy, so that together the positions win
// nothing.
func TestUnlearned(t *testing.T) {
	for _, name := range []string{"kuhn-3p", "leduc"} {
		g := mccfrtest.Game(t, NewGame, name, mccfrtest.Lossless)
		calls := NewTable(g, "", 0)
		for i := range g.Nodes {
			n := &g.Nodes[i]
			rows, call := &g.Rows[n.Round][n.Actor], 0
			if g.Folds[i] {
				call = 1
			}
			for b := range g.Buckets.NumBuckets(int(n.Round)) {
				calls.StrategySum[rows.Of(b)+int(n.Offset)+call] = 1
			}
		}
		r, err := calls.NewResponse(1)
		if err != nil {
			t.Fatal(err)
		}
		if mean, interval, err := r.Value(t.Context(), 100, 2); err != nil || mean != 0 || interval != 0 {
			t.Errorf("%s: it wins %v ± %v: %v", name, mean, interval, err)
		}
		if r.Learn(5000); r.Done < 5000 {
			t.Errorf("%s: %d iterations", name, r.Done)
		}
		if mean, interval, err := r.Value(t.Context(), 10_000, 2); err != nil || mean-interval <= 0 {
			t.Errorf("%s: having learned, it wins %v ± %v from callers: %v", name, mean, interval, err)
		}
	}
}

// TestRespond compares learned responses with exact ones: with perfect recall they
// win as much.
func TestRespond(t *testing.T) {
	for _, name := range []string{"kuhn", "kuhn-3p", "leduc"} {
		g := mccfrtest.Game(t, NewGame, name, mccfrtest.Lossless)
		s := NewSampler(g, Method{Batch: 1}, 1, 1)
		for _, iterations := range []uint64{10, 20_000} {
			for s.Iterations() < iterations {
				s.Step()
			}
			before := s.Weights()
			want := mccfrtest.Evaluator(g.Rules, g.Shape.Betting, g.Buckets).Evaluate(before).Exploitability()
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

// Values of a response spread over the seeds of their deals as is stated, and are not above that of the best one.
func TestSpreadValue(t *testing.T) {
	const deals = 200
	half := stats.Uncertainty{Variance: 1, Freedom: deals - 1}.Interval95()
	for _, name := range []string{"kuhn", "kuhn-3p", "leduc"} {
		g := mccfrtest.Game(t, NewGame, name, mccfrtest.Lossless)
		s := NewSampler(g, Method{Batch: 1}, 1, 1)
		for s.Iterations() < 10 {
			s.Step()
		}
		r, err := s.NewResponse(5)
		if err != nil {
			t.Fatal(err)
		}
		r.Learn(2000)
		testkit.Spread(t, name, 100, func(seed uint64) map[string]testkit.Stated {
			value, interval, err := r.Value(t.Context(), deals, seed)
			if err != nil {
				t.Fatal(err)
			}
			return map[string]testkit.Stated{"response": {
				Result: value, StandardError: interval / half, Interval95: interval,
			}}
		})
	}
}
