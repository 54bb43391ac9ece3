package bestresponse

import (
	"context"
	"math"
	"reflect"
	"testing"

	"gamebots/internal/stats"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// collect values all parts.
func collect(t *testing.T, r *Response, value func(parts []int, take func(int, PartValues) error) error) []PartValues {
	t.Helper()
	all := make([]PartValues, r.Parts())
	var parts []int
	for i := range all {
		parts = append(parts, i)
	}
	if err := value(parts, func(part int, values PartValues) error {
		if all[part][0] != nil {
			t.Errorf("part %d came twice", part)
		}
		all[part] = values
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// valued returns the responses to a simple strategy in a game with the values of all parts.
func valued(t *testing.T, p policy.Plain, suits, ranks int) (*Response, []PartValues) {
	t.Helper()
	g := pokertest.Holdem(t, suits, ranks, 3)
	s, err := PlainStrategy(p, betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	r := New(s)
	return r, collect(t, r, func(parts []int, take func(int, PartValues) error) error {
		return r.Value(context.Background(), parts, 2, take)
	})
}

// A bound is below what the best responses win, but for chance, and near it. Who always
// folds loses the same on every board.
func TestBound(t *testing.T) {
	for p, least := range map[policy.Plain]float64{policy.PlainCall: .6, policy.PlainFold: 1, policy.PlainRaise: .6} {
		r, parts := valued(t, p, 4, 3)
		best := r.Total(parts)
		exact := (best[0] + best[1]) / 2
		const seeds = 50
		over, mean := 0, 0.0
		for seed := range uint64(seeds) {
			s := r.NewSample(seed)
			s.Draw(12)
			b := s.Bound(s.Of(parts))
			if b.Mean.Value-b.Mean.Interval95 > exact+1e-6 {
				over++
			}
			mean += b.Mean.Value / seeds
			if sum := b.Responses[0].Value + b.Responses[1].Value; math.Abs(sum/2-b.Mean.Value) > 1e-9 {
				t.Fatalf("%s: responses win %v, their mean %v", p, b.Responses, b.Mean)
			}
			if p == policy.PlainFold && b.Mean.Interval95 > 1e-6 {
				t.Errorf("%s: %v", p, b.Mean)
			}
		}
		if over > 2 || mean > 1.01*exact || mean < least*exact-1e-6 {
			t.Errorf("%s: the interval is above %.3f in %d of %d samples, the mean %.3f", p, exact, over, seeds, mean)
		}
	}
}

// Boards are drawn as often as they occur, and the same in one step and in several.
func TestDraw(t *testing.T) {
	r, _ := valued(t, policy.PlainFold, 4, 2)
	const n = 20_000
	s := r.NewSample(5)
	times := make([]float64, r.Parts())
	for _, part := range s.Draw(n) {
		times[part]++
	}
	for part, x := range times {
		expected := n * r.boards[part].count / s.all()
		if math.Abs(x-expected) > 4*math.Sqrt(expected) {
			t.Errorf("board %d was drawn %v times of %d, expected %.0f", part, x, n, expected)
		}
	}
	steps := r.NewSample(5)
	for steps.Len() < 30 {
		steps.Draw(7)
	}
	if !reflect.DeepEqual(steps.drawn, s.drawn[:steps.Len()]) {
		t.Error("steps draw other boards")
	}
}

// Bounds spread over the seeds no further than is stated, and their intervals have the mean. The stated error allows
// for decisions that boards have in common, by which they spread at least as far as independent values.
func TestSpreadBound(t *testing.T) {
	seeds := uint64(40)
	if testkit.SlowEnabled() {
		seeds = 200
	}
	within := 3 / math.Sqrt(2*float64(seeds))
	for _, p := range []policy.Plain{policy.PlainCall, policy.PlainRaise} {
		r, parts := valued(t, p, 4, 3)
		for _, n := range []int{MinSample, 16} {
			var results, halves stats.Sample
			var bounds []Estimate
			for seed := range seeds {
				s := r.NewSample(seed)
				s.Draw(n)
				b := s.Bound(s.Of(parts)).Mean
				results.Add(b.Value)
				halves.Add(b.Interval95 * b.Interval95)
				bounds = append(bounds, b)
			}
			covered := 0.
			for _, b := range bounds {
				if math.Abs(b.Value-results.Mean()) <= b.Interval95 {
					covered += 1 / float64(seeds)
				}
			}
			stated := math.Sqrt(halves.Mean()) / stats.Uncertainty{Variance: 1, Freedom: float64(n - 1)}.Interval95()
			ratio := math.Sqrt(results.Variance()) / stated
			t.Logf("%s, %d boards: ratio %.3f, covered %.1f%%", p, n, ratio, 100*covered)
			if ratio > 1+within || ratio < 1/math.Sqrt2-within || covered < .9-within {
				t.Errorf("%s, %d boards: bounds spread %.3f times as far as is stated, and %.1f%% of intervals cover",
					p, n, ratio, 100*covered)
			}
		}
	}
}
