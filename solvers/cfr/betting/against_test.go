package betting

import (
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/internal/pokertest"
)

// The tree of players who are trained against opponents with other raises has the betting
// sequences of all their trees, and no other ones.
func TestAgainst(t *testing.T) {
	threePlayers := pokertest.SmallNoLimit()
	threePlayers.NumPlayers, threePlayers.Stack[2] = 3, 6
	for _, test := range []struct {
		game *acpc.Game
		text string
	}{
		{pokertest.Game(t, "leduc-nolimit"), "fca against fchpa"},
		// opponents lack a raise of three pots
		{pokertest.Game(t, "leduc-nolimit"), "1,3/a against 0.5,1,a; p1: min,a"},
		{threePlayers, "1/- against min,a"},
	} {
		t.Run(test.text, func(t *testing.T) {
			g, a := test.game, meta(t, test.text)
			tree := NewTree(g, a.ShapeOf(g, 1<<20))
			if len(tree.Nodes) != tree.Shape.Nodes {
				t.Errorf("%d nodes are counted, %d listed", tree.Shape.Nodes, len(tree.Nodes))
			}
			sequences, union := map[string]bool{}, map[string]bool{}
			visit(t, tree, func(s *acpc.State) { sequences[string(s.AppendBetting(nil))] = true })
			for p := range g.NumPlayers {
				own := NewTree(g, a.Training(p).ShapeOf(g, 1<<20))
				visit(t, own, func(s *acpc.State) { union[string(s.AppendBetting(nil))] = true })
				for node, same := range tree.Follow(own) {
					n, m := &own.Nodes[node], &tree.Nodes[same]
					if n.Kind != m.Kind || n.Actor != m.Actor ||
						n.Kind == Terminal && own.Terminals[n.First] != tree.Terminals[m.First] {
						t.Fatalf("node %d of player %d is %+v, and %+v in the tree of all", node, p, n, m)
					}
				}
			}
			if len(sequences) != len(union) {
				t.Fatalf("%d sequences, those of all players are %d", len(sequences), len(union))
			}
			for s := range union {
				if !sequences[s] {
					t.Errorf("lacks %s", s)
				}
			}
		})
	}
	for _, text := range []string{"fca against fcpa; p3: a", "fca; p3: 1 against fcpa", "fca against river: 1"} {
		if err := meta(t, text).Check(pokertest.Game(t, "leduc-nolimit")); err == nil {
			t.Errorf("leduc-nolimit has %s", text)
		}
	}
}

func meta(t *testing.T, text string) Actions {
	t.Helper()
	a, err := ParseMeta(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// visit calls f for all betting sequences of a tree, whose decisions have the actions of its
// abstraction.
func visit(t *testing.T, tree *Tree, f func(s *acpc.State)) {
	var from func(s acpc.State)
	from = func(s acpc.State) {
		f(&s)
		node := tree.Find(&s)
		if node < 0 {
			return
		}
		n := &tree.Nodes[node]
		var children []acpc.Action
		for child := range int32(n.NumActions) {
			children = append(children, tree.Nodes[n.First+child].Action())
		}
		if legal := slices.Collect(tree.Shape.Betting.Legal(&s)); !slices.Equal(legal, children) {
			t.Fatalf("after %v: %v, the tree has %v", &s, legal, children)
		}
		for _, a := range children {
			next := s
			next.Apply(a)
			from(next)
		}
	}
	from(tree.Game.NewState(0))
}
