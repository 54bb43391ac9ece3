package judge

import (
	"testing"

	"gamebots/internal/stats"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/cfrtest"
)

// What a local best response wins spreads over the seeds as is stated, counted in chips and estimated.
func TestSpreadLocal(t *testing.T) {
	for _, game := range []string{"kuhn", "leduc"} {
		s := &Subject{Policy: cfrtest.Trained(t, game, "all", cfr.Algorithms[1], 3)}
		s.Game = s.Policy.Tree.Game
		testkit.Spread(t, game, 40, func(seed uint64) map[string]testkit.Stated {
			l := LBR{Menu: "fcpa", Deals: 200, Seed: seed}
			w, err := l.Play(t.Context(), s, Means{Threads: 2, Memory: 1 << 30}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return map[string]testkit.Stated{
				"chips": testkit.StatedOf(&w.Won), "estimated": testkit.StatedOf(&w.Estimated),
			}
		})
	}
}

// What a learned response wins spreads over the seeds as is stated, and its bound is above what the best one wins in
// no more than one of twenty.
func TestSpreadLearned(t *testing.T) {
	s := &Subject{Policy: cfrtest.Trained(t, "kuhn", "all", cfr.Algorithms[1], 3)}
	s.Game = s.Policy.Tree.Game
	m := Means{Threads: 1, Memory: 1 << 30}
	a, err := NewAbstract(s, m.Memory)
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := a.Evaluate(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	above, all := 0, 0
	testkit.Spread(t, "kuhn", 10, func(seed uint64) map[string]testkit.Stated {
		l := Learned{Iterations: 1000, Seed: seed}
		found, err := l.Respond(t.Context(), s, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		best := found.Best
		if all++; best.Value-best.Interval > e.Exploitability() {
			above++
		}
		return map[string]testkit.Stated{"learned": {
			Result: best.Value, StandardError: best.Interval / stats.Z95, Interval95: best.Interval,
		}}
	})
	if 20*above > all {
		t.Errorf("%d of %d bounds are above what the best response wins", above, all)
	}
}
