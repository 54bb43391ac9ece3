package betting

import (
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/internal/pokertest"
)

// TestTree checks the order of the tree's arrays, and finds every decision.
func TestTree(t *testing.T) {
	for _, g := range []*acpc.Game{pokertest.Game(t, "leduc"), pokertest.Game(t, "kuhn-3p"),
		pokertest.Game(t, "reis-c"), pokertest.SmallNoLimit()} {
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

// sequence is what a forgetful information set knows of the betting.
type sequence struct {
	entrance Entrance // entrance of the round
	actions  string   // since then
}

// TestForgetfulTree compares the trees of games with those that remember all betting: nodes
// that are one in the forgetful tree have the same sequence and go on in the same way.
func TestForgetfulTree(t *testing.T) {
	for _, test := range []struct {
		game    *acpc.Game
		actions Actions
		shrinks bool // what is kept says all in leduc
	}{
		{pokertest.Game(t, "leduc"), Actions{}, false}, {pokertest.Game(t, "leduc-nolimit"), FCPA, false},
		{pokertest.Game(t, "leduc-3p"), Actions{}, true}, {pokertest.SmallNoLimit(), Actions{}, true},
	} {
		g := test.game
		tree := NewTree(g, test.actions.ShapeOf(g, 1<<20))
		small := NewTree(g, test.actions.Forgetful().ShapeOf(g, 1<<20))
		same := small.Follow(tree)
		known, nodes := map[sequence]int32{}, map[int32]bool{}
		line := NewLine(g, test.actions)
		var visit func(depth int, node int32, s sequence)
		visit = func(depth int, node int32, s sequence) {
			n, m := &tree.Nodes[node], &small.Nodes[same[node]]
			if n.Kind != m.Kind || n.Actor != m.Actor || n.NumActions != m.NumActions || n.Round != m.Round {
				t.Fatalf("%s: node %d is %+v, in the small tree %+v", g.Name, node, n, m)
			}
			switch n.Kind {
			case Terminal:
				if tree.Terminals[n.First] != small.Terminals[m.First] {
					t.Fatalf("%s: node %d ends with another pot in the small tree", g.Name, node)
				}
			case Deal:
				visit(depth, tree.Segments[n.First].First, sequence{entrance: line.Entrance(depth, int(n.Round)+1)})
			case Decision:
				if at, ok := known[s]; ok && at != same[node] || !ok && nodes[same[node]] {
					t.Fatalf("%s: sequence %+v is at node %d of the small tree and elsewhere", g.Name, s, same[node])
				}
				known[s], nodes[same[node]] = same[node], true
				for child := n.First; child < n.First+int32(n.NumActions); child++ {
					a := tree.Nodes[child].Action()
					if b := small.Nodes[m.First+child-n.First].Action(); a != b {
						t.Fatalf("%s: action %v of node %d is %v in the small tree", g.Name, a, node, b)
					}
					line.Play(depth, a)
					visit(depth+1, child, sequence{s.entrance, s.actions + a.String()})
				}
			}
		}
		visit(0, 0, sequence{})
		decisions, all := 0, 0
		for r := range g.NumRounds {
			decisions += small.Shape.Decisions[r]
			all += tree.Shape.Decisions[r]
		}
		if len(known) != decisions || len(small.Nodes) != small.Shape.Nodes {
			t.Errorf("%s: %d decisions of %d nodes, counted %d and %d", g.Name, len(known), len(small.Nodes),
				decisions, small.Shape.Nodes)
		}
		if (decisions < all) != test.shrinks {
			t.Errorf("%s: %d decisions of %d are left", g.Name, decisions, all)
		}
	}
}
