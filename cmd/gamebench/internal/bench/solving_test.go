package bench

import (
	"math"
	"testing"

	"gamebots/solvers/resolve"
)

// Bench solving-flops plays all betting of flops, with bets that the strategy does not have.
func TestSolvingFlops(t *testing.T) {
	t.Chdir("../../../..")
	w := solvingWork{"holdem-nolimit-2p", resolve.Flop, []uint64{5}, 2}
	rows := 0
	if err := w.onCPU(t.Context(), func(r Row) {
		if rows++; math.IsNaN(r.Value) {
			t.Errorf("%+v", r)
		}
	}); err != nil || rows != 2 {
		t.Errorf("%d rows, error %v", rows, err)
	}
}

// Rivers that are solved win from the strategy itself.
func TestSolving(t *testing.T) {
	t.Chdir("../../../..")
	w := solvingWork{"holdem-nolimit-2p", resolve.River, []uint64{60}, 3}
	values := map[string]float64{}
	if err := w.onCPU(t.Context(), func(r Row) {
		values[r.Metric] = r.Value
	}); err != nil {
		t.Fatal(err)
	}
	if values["won"] <= 0 {
		t.Errorf("%v", values)
	}
}
