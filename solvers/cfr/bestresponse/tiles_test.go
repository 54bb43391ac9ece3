package bestresponse

import (
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/internal/pokertest"
)

// The loops of a processor give the bits of the portable ones.
func TestPortably(t *testing.T) {
	for _, g := range []*acpc.Game{pokertest.Game(t, "rhode-island"), pokertest.Holdem(t, 3, 3, 1, 1)} {
		l := layout(t, g, abstraction.Lossless)
		s := fromWeights(t, l.Index, randomWeights(l, 5))
		got := exact(t, s, 2)
		portably(func() {
			if want := exact(t, s, 2); got != want {
				t.Errorf("%s: %v, portably %v", g.Name, got, want)
			}
		})
	}
}
