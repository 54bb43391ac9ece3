package betting

import (
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/internal/pokertest"
)

// smallNoLimit has all-in showdowns before the last round, unequal stacks and
// board cards in every round.
func smallNoLimit() *acpc.Game {
	g := &acpc.Game{
		Name: "small no-limit", Betting: acpc.NoLimit, NumPlayers: 2, NumRounds: 3, NumSuits: 2, NumRanks: 5,
		NumHoleCards: 1, MaxRaises: [4]uint8{2, 1, 1}, NumBoardCards: [4]uint8{1, 0, 2},
	}
	for p := range g.NumPlayers {
		g.Stack[p] = int32(5 + p)
		g.Blind[p] = int32(1 + p)
	}
	return g
}

// TestTree checks the order of the tree's arrays, and finds every decision.
func TestTree(t *testing.T) {
	for _, g := range []*acpc.Game{pokertest.Game(t, "leduc"), pokertest.Game(t, "kuhn-3p"), pokertest.Game(t, "reis-c"), smallNoLimit()} {
		tree := NewTree(g, Actions{}.ShapeOf(g, 1<<20))
		start := g.NewState(0)
		found := 0
		listed := make([]bool, len(tree.Nodes)) // as the child of a decision
		var visit func(s acpc.State)
		visit = func(s acpc.State) {
			if s.Finished() {
				if i := tree.Find(&s); i >= 0 {
					t.Fatalf("%s: found decision %d at the end of %v", g.Name, i, &s)
				}
				return
			}
			i := tree.Find(&s)
			if i < 0 || tree.Nodes[i].Kind != Decision || int(tree.Nodes[i].Actor) != s.Actor() {
				t.Fatalf("%s: found %d for %v", g.Name, i, &s)
			}
			found++
			n := tree.Nodes[i]
			for c := n.First; c < n.First+int32(n.NumActions); c++ {
				if c <= i || listed[c] {
					t.Fatalf("%s: node %d is no child of %d", g.Name, c, i)
				}
				listed[c] = true
				next := s
				if err := next.Check(tree.Nodes[c].Action()); err != nil {
					t.Fatal(err)
				}
				next.Apply(tree.Nodes[c].Action())
				switch child := &tree.Nodes[c]; {
				case child.Kind == Terminal && tree.Terminals[child.First] != next.Pot():
					t.Fatalf("%s: %v ends with %+v", g.Name, &next, tree.Terminals[child.First])
				case child.Kind == Deal && tree.Segments[child.First].From != c:
					t.Fatalf("%s: segment %d does not follow node %d", g.Name, child.First, c)
				}
				visit(next)
			}
		}
		visit(start)
		decisions, round := 0, 0
		for r := range g.NumRounds {
			decisions += tree.Shape.Decisions[r]
		}
		if found != decisions {
			t.Errorf("%s: %d decisions found, %d counted", g.Name, found, decisions)
		}
		for _, s := range tree.Segments {
			if s.Round < round {
				t.Errorf("%s: a segment of round %d after one of round %d", g.Name, s.Round, round)
			}
			round = s.Round
		}
	}
}
