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
)

// What hands win if both players go on is the mean of what they are offered on turns and rivers, for any
// number of threads.
func TestContinued(t *testing.T) {
	for player := range 2 {
		s := limitedSpot(t, 1-player)
		solver := testSolver(t, s, "linear", 0, 1)
		solver.leaves.read(&pass{}, solver.leaves.start)
		const count = 5
		want := make([]float64, len(solver.offers))
		for i := range uint64(count) {
			solver.leaves.deal(i)
			solver.leaves.offer(solver.leaves.walkers[0], player)
			for h, x := range solver.offers {
				want[h] += x / count
			}
		}
		got, err := s.Continued(t.Context(), s.Leaves, player, count, 1)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d hands, want %d: %v", len(got), len(want), err)
		}
		root := solver.Root()
		values := make([]float64, len(want))
		opposing := solver.opposing(root, player, solver.reach[1-player])
		for h, x := range root.Hands[player].Holes {
			values[h] = (got[x.Set()] - float64(s.Pot)/2) * float64(opposing[h])
		}
		same(t, values, want)
		again, err := s.Continued(t.Context(), s.Leaves, player, count, 3)
		if err != nil || !maps.Equal(again, got) {
			t.Errorf("with three threads %v, want %v: %v", again, got, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		one, _ := s.Continued(t.Context(), s.Leaves, player, 1, 1)
		if early, err := s.Continued(ctx, s.Leaves, player, count, 1); err != nil || !maps.Equal(early, one) {
			t.Errorf("without time %v, want %v: %v", early, one, err)
		}
	}
}

// Hands that differ by names of suits only are offered the same, however few turns and rivers are dealt: the mean of
// what they would be offered otherwise. A spot with these offers is solved with the symmetries of its flop.
func TestContinuedSymmetric(t *testing.T) {
	const hands, more = "22+,A2s+,K9s+,QTs+,AJo+", ",3c2d:0.000001" // more has no symmetry
	s := limitedSpot(t, 1)
	s.Ranges = testSpot(t, "QsJh2h", hands, hands, 900, 2400, "", "").Ranges
	flop, swap := card.SetOf(s.Board...), abstraction.Renaming{1, 0, 2, 3} // clubs for diamonds
	got, err := s.Continued(t.Context(), s.Leaves, 0, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	uneven := *s
	uneven.Ranges = testSpot(t, "QsJh2h", hands+more, hands, 900, 2400, "", "").Ranges
	raw, err := uneven.Continued(t.Context(), s.Leaves, 0, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	for hole, x := range got {
		other := swap.Of(hole)
		if want := (raw[hole] + raw[other]) / 2; got[other] != x || math.Abs(x-want) > 1e-3 {
			t.Errorf("%v is offered %g and %v %g, want %g", hole, x, other, got[other], want)
		}
	}
	s.Leaves, s.Offer = nil, &Offer{Player: 0, Values: got, Known: .5}
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
