package nash

import (
	"context"
	"errors"
	"testing"

	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/verify"
)

// A search that would take years ends soon after its context, for few and for many columns.
func TestSearchStopped(t *testing.T) {
	for _, size := range []int{22, 30} {
		g, err := bimatrix.Generate(bimatrix.Recipe{Family: "RandomGame", Rows: size, Cols: size, Seed: 1, High: 1000})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		_, err = searchPairs(ctx, verify.New(g), pairOptions{
			Threads: 2, Progress: func(float64) {}, OnCandidate: func(uint64, uint64) { stop() },
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d columns: %v", size, err)
		}
	}
}
