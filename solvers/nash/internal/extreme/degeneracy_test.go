package extreme

import (
	"testing"

	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/verify"
)

// The test agrees with a visit of all bases in integers, also where ties are frequent
// or nearly ties.
func TestIsDegenerateAgrees(t *testing.T) {
	counts := map[bool]int{}
	for seed := range uint64(600) {
		rows, cols := 1+int(seed%5), 1+int(seed/5%5)
		high := []int64{1, 2, 9, 100, 1e6, 1e15}[seed/25%6]
		g, err := bimatrix.Generate(
			bimatrix.Recipe{Family: "RandomGame", Rows: rows, Cols: cols, Seed: seed, High: high})
		if err != nil {
			t.Fatal(err)
		}
		v := verify.New(g)
		want := newDictionary(v.BT, 0, v.BT.Cols).degenerate(t.Context()) ||
			newDictionary(v.A, 0, v.A.Cols).degenerate(t.Context())
		got, err := IsDegenerate(t.Context(), v, 1+int(seed%2))
		if err != nil || got != want {
			t.Errorf("%s, payoffs to %d: %v, want %v: %v", g.Title, high, got, want, err)
		}
		counts[want]++
	}
	if counts[true] < 100 || counts[false] < 100 {
		t.Errorf("%d degenerate games and %d others", counts[true], counts[false])
	}
}
