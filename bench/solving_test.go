package bench

import (
	"testing"

	"gamebots/solvers/cfr/resolve"
)

// Rivers that are solved win from the strategy itself.
func TestSolving(t *testing.T) {
	t.Chdir("..")
	w := solvingWork{"holdem-nolimit-2p", resolve.River, []int{60}, 3}
	values := map[string]float64{}
	if err := w.onCPU(t.Context(), func(r Row) error {
		values[r.Metric] = r.Value
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if values["won"] <= 0 {
		t.Errorf("%v", values)
	}
}
