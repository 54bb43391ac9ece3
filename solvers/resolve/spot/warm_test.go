//go:build linux

package spot_test

import (
	"errors"
	"slices"
	"testing"

	"gamebots/acpc/card"
	"gamebots/cudalib/cudatest"
	"gamebots/solvers/resolve/spot"
)

// A solver that starts from a solution for other ranges needs fewer iterations, and gets as far.
func TestStartFrom(t *testing.T) {
	const first, second = "22+,A2s+,K9s+,QTs+,A9o+", "22-88,99+:0.5,A2s+:0.8,K9s+,QTs+,A9o+,87s"
	for _, algorithm := range []string{"dcfr", "dcfr/16"} {
		before := spot.SpotOf(t, "Qs7h2c5d9s", first, first, 200, 900, "50,100", "75")
		s := spot.SpotOf(t, "Qs7h2c5d9s", second, first, 200, 900, "50,100", "75")
		last, cold, warm := spot.SolverOf(t, before, algorithm, 150, 1), spot.SolverOf(t, s, algorithm, 0, 1),
			spot.SolverOf(t, s, algorithm, 0, 1)
		if err := warm.StartFrom(last); err != nil {
			t.Fatal(err)
		}
		began := warm.Iterations()
		limits := spot.Limits{Iterations: 500, Exploitability: 2}
		a := cold.Solve(t.Context(), limits, func(float64) {})
		b := warm.Solve(t.Context(), limits, func(float64) {})
		if n := warm.Iterations() - began; a > 2 || b > 2 || 3*n > 2*cold.Iterations() {
			t.Errorf("%s: %v after %d iterations, and %v after %d from a solution",
				algorithm, a, cold.Iterations(), b, n)
		}
	}
}

// On a device a solver starts from another one to the bits of the CPU.
func TestStartFromOnDevice(t *testing.T) {
	before := spot.SpotOf(t, "2c3d7h8sTc", "AA,QhJh,QdJd", "99,A8s", 100, 300, "100", "50")
	s := spot.SpotOf(t, "2c3d7h8sTc", "AA:0.5,QhJh,QdJd", "99,A8s:0.3", 100, 300, "100", "50")
	for _, algorithm := range []string{"dcfr", "dcfr/16"} {
		device := cudatest.Open(t, "memory=200000000;shared=200000", "spot")
		var solvers [2][2]*spot.Solver // on the CPU and on the device, before and after
		for i, x := range []*spot.Spot{before, s} {
			var err error
			solvers[0][i] = spot.SolverOf(t, x, algorithm, 0, 1)
			if solvers[1][i], err = onDevice(device, x, algorithm); err != nil {
				t.Fatal(err)
			}
			defer solvers[1][i].Close()
		}
		for _, both := range solvers {
			both[0].Step()
			if err := both[1].StartFrom(both[0]); err != nil {
				t.Fatal(err)
			}
			both[1].Step()
		}
		a, b := solvers[0][1].Solution().Evaluate(), solvers[1][1].Solution().Evaluate()
		if a != b || solvers[1][1].Err() != nil {
			t.Errorf("%s: %+v on the device, %+v on the CPU: %v", algorithm, b, a, solvers[1][1].Err())
		}
		if err := solvers[0][1].StartFrom(solvers[1][0]); !errors.Is(err, spot.ErrOtherState) {
			t.Errorf("from a device: %v", err)
		}
	}
	other := spot.SolverOf(t, spot.SpotOf(t, "2c3d7h8sTd", "AA", "99", 100, 300, "50", ""), "dcfr", 0, 1)
	if err := other.StartFrom(spot.SolverOf(t, s, "dcfr", 0, 1)); !errors.Is(err, spot.ErrOtherState) {
		t.Errorf("from another board: %v", err)
	}
}

// A solver with a bet more begins with the strategies of the one without, and gets further in a few iterations. What
// it is locked to stays.
func TestStartFromOtherBets(t *testing.T) {
	const hands = "22+,A2s+,K9s+,QTs+,A9o+"
	check, bet := spot.Action{Kind: spot.Check}, spot.Action{Kind: spot.Bet, To: 80}
	for _, algorithm := range []string{"dcfr", "dcfr/16"} {
		s := spot.SpotOf(t, "Qs7h2c5d9s", hands, hands, 200, 900, "50,100", "75")
		before := spot.SolverOf(t, s, algorithm, 150, 1)
		s.Lines = [][]spot.Action{{check, bet}}
		checks := spot.Lock{Hands: map[card.Set]map[string]float64{}}
		root, err := before.Solution().Strategy("")
		if err != nil {
			t.Fatal(err)
		}
		for _, hole := range root.Hands {
			checks.Hands[hole] = map[string]float64{check.String(): 1}
		}
		s.Locks = []spot.Lock{checks}
		cold, warm := spot.SolverOf(t, s, algorithm, 0, 1), spot.SolverOf(t, s, algorithm, 0, 1)
		if err := warm.StartFrom(before); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			cold.Step()
			warm.Step()
		}
		a, b := cold.Solution().Exploitability(), warm.Solution().Exploitability()
		if b > a/2 {
			t.Errorf("%s: best responses win %g from a solution that starts with none, and %g", algorithm, a, b)
		}
		if root, err = warm.Solution().Strategy(""); err != nil {
			t.Fatal(err)
		}
		for i, hole := range root.Hands {
			if k := slices.Index(root.Actions, check); root.Probabilities[k][i] != 1 {
				t.Fatalf("%s: %v checks with %g", algorithm, hole, root.Probabilities[k][i])
			}
		}
	}
}
