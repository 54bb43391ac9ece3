package spot

import (
	"context"
	"testing"

	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// Each iteration visits each river once, and in rotation improves what comes before the river with each part of them.
func TestRotation(t *testing.T) {
	dcfr, _ := cfr.AlgorithmByName("dcfr")
	r := rotation{dcfr, 3}
	for iteration := range uint64(5) {
		visits, passes := [7]int{}, r.parts(iteration)
		for pass := range passes {
			p := r.improve(iteration, pass, 1)
			for board := range visits {
				if p.Skips(layout.Turn, board) || p.Player != 1 {
					t.Errorf("iteration %d: %+v skips turn %d", iteration, p, board)
				}
				if !p.Skips(layout.River, board) {
					visits[board]++
				}
			}
			values := []float32{1}
			if p.Weigh(layout.Turn, values); values[0] != 1 {
				t.Errorf("iteration %d: turns count %g times", iteration, values[0])
			}
			if p.Weigh(layout.River, values); values[0] != float32(passes) {
				t.Errorf("iteration %d: rivers count %g times in %d passes", iteration, values[0], passes)
			}
			before, scale := uint64(passes)*iteration+uint64(pass), float32(1)
			if iteration == r.rotated { // the visits so far weigh as many iterations
				scale = layout.Parts
			}
			for k, v := range p.Visits {
				want := dcfr.Discounts(before + 1).Single()
				want.Positive, want.Negative = want.Positive/scale, want.Negative/scale
				want.Average /= scale
				if k == layout.River {
					before, want = iteration, dcfr.Discounts(iteration+1).Single()
				}
				if v.Number != before || v.Discounts != want {
					t.Errorf("iteration %d, street %d: %+v, want %+v after %d visits", iteration, k, v, want, before)
				}
			}
		}
		if visits != [7]int{1, 1, 1, 1, 1, 1, 1} || passes == 1 != (iteration >= r.rotated) {
			t.Errorf("iteration %d of %d passes visits rivers %v times", iteration, passes, visits)
		}
	}
}

// Rotation leaves less exploitability after the same work, and ends where little is to be left.
func TestRotationPays(t *testing.T) {
	s := testSpot(t, "Ks9d7h4c", "99,AK,KQ,QJ,JT,T9,87s,65s", "77,88,AQ,KJ,KT,QT,98s,A5s", 100, 400, "66", "100")
	for _, algorithm := range []string{"dcfr", "dcfr+", "dcfr/16"} {
		var left [2]float64
		for i, target := range []float64{.6, .1} {
			solver := testSolver(t, s, algorithm, 0, 1)
			left[i] = solver.Solve(t.Context(), Limits{Iterations: 30, Exploitability: target}, func(float64) {})
		}
		if left[0] > .75*left[1] {
			t.Errorf("%s: %.3g chips in rotation, %.3g without", algorithm, left[0], left[1])
		}
	}
	solver := testSolver(t, s, "dcfr", 0, 1)
	limits := Limits{Iterations: 1000, Exploitability: 1}
	for range 2 {
		solver.Solve(context.Background(), limits, func(float64) {})
		limits.Exploitability = .05
	}
	if n := solver.Iterations(); n == limits.Iterations || solver.rotated == 0 || solver.rotated >= n {
		t.Errorf("%d of %d iterations in rotation", solver.rotated, n)
	}
}
