package cfr

import (
	"cmp"
	"slices"

	"gamebots/acpc"
)

// Kind is what a node of the betting tree is.
type Kind uint8

const (
	// Decision is a node where a player acts.
	Decision Kind = iota
	// Terminal is the end of the hand.
	Terminal
	// Deal is the end of a betting round: the hand goes on in another
	// segment when the next round's cards are on the table.
	Deal
)

// Node is one public betting sequence.
type Node struct {
	Kind       Kind
	Actor      int8 // at a decision: who acts
	Round      uint8
	NumActions uint16 // at a decision: how many children
	// Action led here from Parent. At the root of a segment it is the action
	// that ended the round before, and Parent the deal there; the root of
	// the whole tree has Parent -1.
	Action acpc.Action
	Parent int32
	// First is a decision's first child (the others follow it, in the order
	// fold, call, raises upwards), a deal's segment, or in Tree.Ends the end
	// of the hand.
	First int32
}

// Segment is one betting round as it is played after one sequence of earlier
// rounds: the nodes [First, Last), its root first, level by level.
type Segment struct {
	Round       int
	First, Last int32
}

// Tree is the public tree of a game without its cards: every betting sequence
// once, in flat arrays. Segments are in order of their rounds; the nodes of a
// segment are adjacent and in level order. A tree is not changed after it is
// built and may be shared between goroutines.
type Tree struct {
	Game     *acpc.Game
	Shape    Shape
	Nodes    []Node
	Segments []Segment
	Ends     []acpc.Stakes // of each betting sequence that ends the hand
}

// NewTree lists the betting sequences of a game, whose shape is complete.
func NewTree(g *acpc.Game, shape Shape) *Tree {
	s := sketch{
		tree:     &Tree{Game: g, Shape: shape, Ends: make([]acpc.Stakes, 0, shape.Ends)},
		nodes:    make([]found, 0, shape.Nodes),
		segments: make([]int, 0, shape.Segments),
	}
	s.deal(newLine(g), 0, 0, acpc.Action{}, -1)
	s.arrange()
	return s.tree
}

// sketch is a tree in the order in which it is found, depth first.
type sketch struct {
	tree     *Tree
	nodes    []found
	segments []int // round of each segment, as they are found
}

// found is a node of a sketch: its Parent and a deal's First are not yet the
// places in the finished tree.
type found struct {
	Node
	segment, depth int32
}

// deal starts the segment in which the hand at the depth of a line is played
// on in a round, after the node parent.
func (s *sketch) deal(l line, depth, round int, by acpc.Action, parent int32) {
	segment := int32(len(s.segments))
	s.segments = append(s.segments, round)
	if parent >= 0 {
		s.nodes[parent].First = segment
	}
	s.visit(l, depth, found{Node: Node{Action: by, Parent: parent}, segment: segment})
}

// visit appends the node of the hand at the depth of a line, and all that
// follow it.
func (s *sketch) visit(l line, depth int, n found) {
	state := &l[depth]
	id := int32(len(s.nodes))
	round := s.segments[n.segment]
	n.Round = uint8(round)
	switch {
	case state.Round() > round:
		n.Kind = Deal
		s.nodes = append(s.nodes, n)
		s.deal(l, depth, round+1, n.Action, id)
	case state.Finished():
		n.Kind = Terminal
		n.First = int32(len(s.tree.Ends))
		s.tree.Ends = append(s.tree.Ends, state.Stakes())
		s.nodes = append(s.nodes, n)
	default:
		n.Actor = int8(state.Actor())
		s.nodes = append(s.nodes, n)
		for a := range s.tree.Shape.Betting.Legal(state) {
			l.play(depth, a)
			s.nodes[id].NumActions++
			s.visit(l, depth+1, found{Node: Node{Action: a, Parent: id}, segment: n.segment, depth: n.depth + 1})
		}
	}
}

// arrange puts the sketch in order: segments by round, nodes by level.
func (s *sketch) arrange() {
	bySegment := make([]int32, len(s.segments)) // sketch's segments in their final order
	for i := range bySegment {
		bySegment[i] = int32(i)
	}
	slices.SortStableFunc(bySegment, func(a, b int32) int { return cmp.Compare(s.segments[a], s.segments[b]) })
	segmentAt := make([]int32, len(s.segments))
	for i, segment := range bySegment {
		segmentAt[segment] = int32(i)
	}
	order := make([]int32, len(s.nodes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		x, y := &s.nodes[a], &s.nodes[b]
		return cmp.Or(cmp.Compare(segmentAt[x.segment], segmentAt[y.segment]), cmp.Compare(x.depth, y.depth))
	})
	at := make([]int32, len(s.nodes))
	for i, id := range order {
		at[id] = int32(i)
	}

	t := s.tree
	t.Nodes = make([]Node, len(order))
	t.Segments = make([]Segment, len(s.segments))
	for i, segment := range bySegment {
		t.Segments[i].Round = s.segments[segment]
	}
	for i, id := range order {
		n := s.nodes[id]
		if n.depth == 0 {
			t.Segments[segmentAt[n.segment]].First = int32(i)
		}
		t.Segments[segmentAt[n.segment]].Last = int32(i + 1)
		if n.Parent >= 0 {
			n.Parent = at[n.Parent]
		}
		switch n.Kind {
		case Decision:
			n.First = at[id+1] // the first child was found next
		case Deal:
			n.First = segmentAt[n.First]
		}
		t.Nodes[i] = n.Node
	}
}

// Find returns the decision node that a hand has come to, or -1 where the
// betting is not in the tree or nobody is to act.
func (t *Tree) Find(s *acpc.State) int32 {
	node := t.Segments[0].First
	for r := range s.Round() + 1 {
		for _, a := range s.Actions(r) {
			n := &t.Nodes[node]
			if n.Kind != Decision {
				return -1
			}
			node = n.First
			for t.Nodes[node].Action != a {
				if node++; node == n.First+int32(n.NumActions) {
					return -1
				}
			}
		}
		for t.Nodes[node].Kind == Deal {
			node = t.Segments[t.Nodes[node].First].First
		}
	}
	if t.Nodes[node].Kind != Decision {
		return -1
	}
	return node
}
