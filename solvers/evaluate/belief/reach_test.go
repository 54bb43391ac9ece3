package belief

import (
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// A Reach has the products of what both players do, each with probabilities of its own. A bet of
// the opponent between two of the tree counts as both.
func TestReach(t *testing.T) {
	g := game(t, "leduc-nolimit")
	cards := abstraction.New(g, abstraction.Lossless)
	tree := betting.NewTree(g, betting.FCPA.ShapeOf(g, 1<<20))
	index := policy.NewIndex(tree, cards)
	of := func(player int) Probabilities {
		return func(dst []float64, node int32, bucket int) ([]float64, error) {
			n := int(tree.Nodes[node].NumActions)
			for a := range n {
				dst = append(dst, (1+float64((a+bucket+3*player+int(node))%5))/10)
			}
			return dst, nil
		}
	}
	const own = 0
	player := NewStrategy(index, of(own))
	reach := NewReach(player, of(1))
	s := g.NewState(0)
	s.Apply(acpc.Action{Type: acpc.Call})
	low, allIn, _ := s.RaiseBounds()
	pot := int32(0)
	for a := range betting.FCPA.Legal(&s) {
		if a.Type == acpc.Raise && a.Size < allIn {
			pot = a.Size
		}
	}
	for _, size := range []int32{pot, (pot + allIn) / 2, low} {
		after := *After(&s, acpc.Action{Type: acpc.Raise, Size: size})
		after = *After(&after, call)
		var got [2][]float64
		var err error
		got[own], got[1-own], err = reach.At(&after, own, 1-own)
		if err != nil {
			t.Fatal(err)
		}
		translation := tree.NewTranslation(0).After(call, own)[0]
		first, err := translation.Decision()
		if err != nil {
			t.Fatal(err)
		}
		for i, hole := range Holes(g) {
			bucket := cards.Bucket(0, abstraction.Deal{Hole: hole})
			row := func(player int, node int32) []float64 {
				p, _ := of(player)(nil, node, bucket)
				return p
			}
			var want [2]float64
			for _, m := range translation.After(acpc.Action{Type: acpc.Raise, Size: size}, own) {
				bet := row(1, first)[m.Node-tree.Nodes[first].First]
				answer := row(own, m.Node)
				want[own] += m.Probability * row(own, 0)[first-tree.Nodes[0].First] * answer[1]
				want[1] += m.Probability * bet
			}
			for p := range want {
				if math.Abs(got[p][i]-want[p]) > 1e-12 {
					t.Errorf("raise to %d: player %d with %v: %g, want %g", size, p, hole, got[p][i], want[p])
				}
			}
		}
	}
}

// A raise that the opponent makes with no hand tells of its hands what all its raises do.
func TestReachOfUnexpectedRaise(t *testing.T) {
	g := game(t, "leduc-nolimit")
	tree := betting.NewTree(g, betting.FCPA.ShapeOf(g, 1<<20))
	index := policy.NewIndex(tree, abstraction.New(g, abstraction.Lossless))
	// The player calls. The opponent moves all-in with a part of each hand, and never bets the pot.
	part := func(bucket int) float64 { return 1 / float64(2+bucket) }
	opponent := func(dst []float64, node int32, bucket int) ([]float64, error) {
		dst = append(dst, make([]float64, tree.Nodes[node].NumActions)...)
		dst[0], dst[len(dst)-1] = 1-part(bucket), part(bucket)
		return dst, nil
	}
	calls := func(dst []float64, node int32, bucket int) ([]float64, error) {
		dst = append(dst, make([]float64, tree.Nodes[node].NumActions)...)
		dst[0] = 1
		return dst, nil
	}
	s := g.NewState(0)
	s.Apply(call)
	first := tree.Find(&s)
	raise := tree.Nodes[tree.Nodes[first].First+1].Action()
	if raise.Type != acpc.Raise || tree.Nodes[first].NumActions != 3 {
		t.Fatalf("%v is no raise among two", raise)
	}
	s.Apply(raise)
	const own = 0
	_, reach, err := NewReach(NewStrategy(index, calls), opponent).At(&s, own, 1-own)
	if err != nil {
		t.Fatal(err)
	}
	for i, hole := range Holes(g) {
		if want := part(index.Buckets.Bucket(0, abstraction.Deal{Hole: hole})); reach[i] != want {
			t.Errorf("%v: %g, want %g", hole, reach[i], want)
		}
	}
}
