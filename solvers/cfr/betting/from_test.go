package betting

import (
	"gamebots/solvers/internal/pokertest"
	"testing"
)

// The tree from a segment on is the same as the part of the whole tree, with the same pots.
func TestFrom(t *testing.T) {
	g := pokertest.Game(t, "leduc")
	whole := NewTree(g, Actions{}.ShapeOf(g, 1<<20))
	if from := whole.From(0); from.Game.NumRounds != 2 || len(from.Nodes) != len(whole.Nodes) ||
		from.Shape.Counts != whole.Shape.Counts {
		t.Errorf("from the start: %+v, want %+v", from.Shape, whole.Shape)
	}
	for k := 1; k < len(whole.Segments); k++ {
		s, part := &whole.Segments[k], whole.From(k)
		if part.Game.NumRounds != 1 || part.Game.BoardCards(0) != 1 || len(part.Segments) != 1 ||
			len(part.Nodes) != int(s.Last-s.First) {
			t.Fatalf("segment %d: %+v of %d nodes", k, part.Segments, len(part.Nodes))
		}
		for i, n := range part.Nodes {
			want := whole.Nodes[int(s.First)+i]
			if n.Kind != want.Kind || n.Actor != want.Actor || n.Action() != want.Action() || n.Round != 0 ||
				n.Kind == Decision && n.First != want.First-s.First || n.Kind == Terminal &&
				part.Terminals[n.First] != whole.Terminals[want.First] {
				t.Errorf("segment %d, node %d: %+v, want %+v", k, i, n, want)
			}
		}
	}
}

func TestParent(t *testing.T) {
	g := pokertest.Game(t, "leduc")
	tree := NewTree(g, Actions{}.ShapeOf(g, 1<<20))
	if p := tree.Parent(0); p != -1 {
		t.Errorf("the start has the parent %d", p)
	}
	for i := range int32(len(tree.Nodes)) {
		switch n := &tree.Nodes[i]; n.Kind {
		case Decision:
			for child := n.First; child < n.First+int32(n.NumActions); child++ {
				if p := tree.Parent(child); p != i {
					t.Errorf("the parent of %d is %d, not %d", child, p, i)
				}
			}
		case Deal:
			if p := tree.Parent(tree.Segments[n.First].First); p != i {
				t.Errorf("the parent of segment %d is %d, not %d", n.First, p, i)
			}
		}
	}
}
