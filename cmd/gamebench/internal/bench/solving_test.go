package bench

import (
	"math"
	"strings"
	"testing"

	"gamebots/solvers/resolve"
)

// Bench solving-flops plays all betting of flops, with bets that the strategy does not have.
func TestSolvingFlops(t *testing.T) {
	t.Chdir("../../../..")
	w := solvingWork{"holdem-nolimit-2p", resolve.Flop, []uint64{5}, 2}
	rows := 0
	if err := w.run(t.Context(), nil, Deals{}, func(r Row) {
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
	if err := w.run(t.Context(), nil, Deals{}, func(r Row) {
		values[r.Metric] = r.Value
	}); err != nil {
		t.Fatal(err)
	}
	if values["won"] <= 0 {
		t.Errorf("%v", values)
	}
}

// The means of parts of the deals are those of all.
func TestSolvingParts(t *testing.T) {
	t.Chdir("../../../..")
	w := solvingWork{"holdem-nolimit-2p", resolve.River, []uint64{2}, 4}
	won := func(deals Deals) (row Row) {
		if err := w.run(t.Context(), nil, deals, func(r Row) {
			if r.Metric == "won" {
				row = r
			}
		}); err != nil {
			t.Fatal(err)
		}
		return row
	}
	all, first, rest := won(Deals{}), won(Deals{1, 3}), won(Deals{4, 4})
	if want := (3*first.Value + rest.Value) / 4; all.Value == 0 || math.Abs(all.Value-want) > 1e-9*math.Abs(want) {
		t.Errorf("all deals %g, by parts %g", all.Value, want)
	}
	if !strings.HasSuffix(rest.Case, "deals 4-4") || !strings.HasSuffix(first.Case, "3 deals") {
		t.Errorf("%q, %q", first.Case, rest.Case)
	}
}
