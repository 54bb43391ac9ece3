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

// Neither of two solvers may be on a device, and both have the same board.
func TestStartFromOther(t *testing.T) {
	s := spot.SpotOf(t, "2c3d7h8sTc", "AA,QhJh,QdJd", "99,A8s", 100, 300, "100", "50")
	device, err := onDevice(cudatest.Open(t, "memory=200000000;shared=200000", "spot"), s, "dcfr")
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	here := spot.SolverOf(t, s, "dcfr", 1, 1)
	other := spot.SolverOf(t, spot.SpotOf(t, "2c3d7h8sTd", "AA", "99", 100, 300, "50", ""), "dcfr", 0, 1)
	for name, err := range map[string]error{
		"from a device": here.StartFrom(device), "on a device": device.StartFrom(here),
		"from another board": other.StartFrom(here),
	} {
		if !errors.Is(err, spot.ErrOtherState) {
			t.Errorf("%s: %v", name, err)
		}
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
