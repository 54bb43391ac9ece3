package spot

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"gamebots/acpc/card"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/internal/vectors"
)

// What hands win if both players go on is the same for any number of threads, and is computed of one turn and river
// where there is no time.
func TestContinued(t *testing.T) {
	c := continuedSpot(t, 0)
	continued := func(ctx context.Context, count, threads int) map[card.Set]float64 {
		t.Helper()
		values, err := c.Continued(ctx, c.Continuation, c.Start, 1, count, threads)
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	want := continued(t.Context(), 5, 1)
	if again := continued(t.Context(), 5, 3); !maps.Equal(again, want) {
		t.Errorf("with three threads %v, want %v", again, want)
	}
	vectors.Portably(func() {
		if again := continued(t.Context(), 5, 1); !maps.Equal(again, want) {
			t.Errorf("with portable loops %v, want %v", again, want)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if early, one := continued(ctx, 5, 1), continued(t.Context(), 1, 1); !maps.Equal(early, one) {
		t.Errorf("without time %v, want %v", early, one)
	}
}

// Hands that differ by names of suits only are offered the same, however few turns and rivers are dealt: the mean of
// what they would be offered otherwise. A spot with these offers is solved with the symmetries of its flop.
func TestContinuedSymmetric(t *testing.T) {
	const hands, more = "22+,A2s+,K9s+,QTs+,AJo+", ",3c2d:0.000001" // more has no symmetry
	c := continuedSpot(t, 1)
	s := c.Spot
	s.Ranges = testSpot(t, "QsJh2h", hands, hands, 900, 2400, "", "").Ranges
	flop, swap := card.SetOf(s.Board...), abstraction.Renaming{1, 0, 2, 3} // clubs for diamonds
	got, err := s.Continued(t.Context(), c.Continuation, c.Start, 0, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	uneven := *s
	uneven.Ranges = testSpot(t, "QsJh2h", hands+more, hands, 900, 2400, "", "").Ranges
	raw, err := uneven.Continued(t.Context(), c.Continuation, c.Start, 0, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	for hole, x := range got {
		other := swap.Of(hole)
		if want := (raw[hole] + raw[other]) / 2; got[other] != x || math.Abs(x-want) > 1e-3 {
			t.Errorf("%v is offered %g and %v %g, want %g", hole, x, other, got[other], want)
		}
	}
	s.Offer = &Offer{Player: 0, Values: got, Known: .5}
	if all := s.symmetries(flop); !slices.Equal(all, []abstraction.Renaming{{0, 1, 2, 3}, swap}) {
		t.Errorf("with offers symmetries %v", all)
	}
}

// Entries are those of solvers, and none are for a tree that is too large.
func TestEntries(t *testing.T) {
	s := testSpot(t, "Qs7h2c", "22+,AKs,QJs", "88-55,A5s,KTs", 100, 300, "100", "a")
	menus := []Menu{s.Menu, testSpot(t, "Qs7h2c", "AA", "KK", 100, 300, "a", "").Menu}
	if testkit.SlowEnabled() {
		menus = append(menus, testSpot(t, "Qs7h2c", "AA", "KK", 10, 1<<20, "1,2,3,4,5,6,7,8,9", "1,2,3,4,5,6").Menu)
		s.Stack = 1 << 20
	}
	got, err := s.Entries(menus, 2)
	if err != nil || len(got) != len(menus) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, m := range menus {
		if i == 2 {
			if got[i] != 0 {
				t.Errorf("%d entries of a tree that is too large", got[i])
			}
			continue
		}
		s.Menu = m
		if solver := testSolver(t, s, "dcfr", 0, 1); got[i] != solver.Entries() {
			t.Errorf("menu %d: %d entries, want %d", i, got[i], solver.Entries())
		}
	}
	s.Board = s.Board[:2]
	if _, err := s.Entries(nil, 1); err == nil {
		t.Error("two cards are a board")
	}
}

// A solver with an offer is evaluated for the ranges, or with its choice, and goes on as if it had not been.
func TestEvaluateOffer(t *testing.T) {
	const text = "22+,A2s+,K9s+,QTs+,AJo+"
	s := testSpot(t, "QsJh2h8d3c", text, text, 100, 300, "100", "a")
	free := testSolver(t, s, "dcfr", 40, 1)
	s.Offer = &Offer{Player: 1, Values: responses(free, 1), Known: .5}
	asked, plain := testSolver(t, s, "dcfr", 20, 1), testSolver(t, s, "dcfr", 40, 1)
	if e := asked.Solution().Evaluate(); e.Values[0]+e.Values[1] < 99.99 || e.Values[0]+e.Values[1] > 100.01 {
		t.Errorf("%+v", e)
	}
	if x := asked.Solution().Exploitability(); x <= 0 {
		t.Errorf("exploitability %g", x)
	}
	for range 20 {
		asked.Step()
	}
	if !sameEntries(asked, plain) {
		t.Error("evaluation changed what follows")
	}
	evaluation := plain.Solution().Evaluate()
	s.Offer = nil
	ranges := testSolver(t, s, "dcfr", 0, 1)
	ranges.sums = plain.sums
	if e := ranges.Solution().Evaluate(); e != evaluation {
		t.Errorf("%+v, want %+v as without an offer", evaluation, e)
	}
}
