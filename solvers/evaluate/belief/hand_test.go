package belief

import (
	"math"
	"testing"

	"gamebots/acpc"
)

// An action that no hand of the range takes, and a range without hands, leave numbers.
func TestActImpossible(t *testing.T) {
	g := game(t, "leduc")
	s := g.NewState(0)
	acpc.NewShuffler(1).Deal(&s)
	h := Begin(NewEquities(g), s, s.Actor())
	n := len(Holes(g))
	var c Choices
	for i := range n {
		c.Row(call, n)[i] = 1
	}
	c.Row(acpc.Action{Type: acpc.Raise}, n)
	before := h.Showdown(&h.State)
	h.Act(c, 1)
	if got := h.Corrections.Sum(); got != 0 {
		t.Errorf("corrected by %g", got)
	}
	if h.State.NumActions() != 1 {
		t.Error("the action was not applied")
	}
	if after := h.Showdown(&s); after != before {
		t.Errorf("the range changed: %g at a showdown, and %g before", after, before)
	}
	clear(h.Range)
	h.normalise()
	if got := h.Showdown(&h.State); math.IsNaN(got) {
		t.Error("no hands, and no number")
	}
}
