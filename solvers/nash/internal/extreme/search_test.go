package extreme

import (
	"context"
	"errors"
	"testing"

	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/verify"
)

// What was found before the end of the context is verified, for any number of threads.
func TestSearchStopped(t *testing.T) {
	g, err := bimatrix.Generate(bimatrix.Recipe{Family: "RandomGame", Rows: 14, Cols: 14, Seed: 1, High: 1})
	if err != nil {
		t.Fatal(err)
	}
	v := verify.New(g)
	for _, threads := range []int{1, 3} {
		ctx, stop := context.WithCancel(t.Context())
		found, _, err := Search(ctx, v, Options{Threads: threads, Progress: func(float64) {}, OnFound: func(n int) {
			if n >= 20 {
				stop()
			}
		}})
		if !errors.Is(err, context.Canceled) || len(found) < 20 {
			t.Errorf("%d threads: %d equilibria: %v", threads, len(found), err)
		}
		for _, e := range found {
			if e.Payoffs[0] == nil || !v.Verify(&e) {
				t.Errorf("%d threads: %v, %v is not verified", threads, e.X, e.Y)
			}
		}
		if s, err := NewStructure(ctx, found); !errors.Is(err, context.Canceled) {
			t.Errorf("%d subsets: %v", len(s.Subsets), err)
		}
	}
}
