package betting

import (
	"cmp"
	"slices"

	"gamebots/acpc"
)

// Kind is the kind of a node.
type Kind uint8

const (
	// Decision is a node where a player acts.
	Decision Kind = iota
	// Terminal is the end of the hand.
	Terminal
	// Deal is the end of a betting round. The hand goes on in another segment
	// once the next round's board cards are dealt.
	Deal
)

// Node is one public betting sequence.
type Node struct {
	Kind       Kind
	Actor      int8 // at a decision: the player to act
	Round      uint8
	NumActions uint16 // at a decision: the number of children
	// Action led here from Parent. At the root of a segment it is the action
	// that ended the round before, and Parent the deal there; the root of
	// the whole tree has Parent -1.
	Action acpc.Action
	Parent int32
	// First is a decision's first child, which the others follow in the order
	// fold, call, raises upwards; a deal's segment; or a terminal's place in
	// Tree.Terminals.
	First int32
}

// Segment is one betting round after one sequence of earlier rounds: the nodes
// [First, Last), its root first, level by level.
type Segment struct {
	Round       int
	First, Last int32
}

// Tree is the public tree of a game without its cards: every betting sequence
// once, in flat arrays. Segments are in the order of their rounds; the nodes of a
// segment are adjacent and in level order. A tree does not change after it is
// built and may be shared between goroutines.
type Tree struct {
	Game      *acpc.Game
	Shape     Shape
	Nodes     []Node
	Segments  []Segment
	Terminals []acpc.Pot // of the betting sequences that end the hand
}

// NewTree lists the betting sequences of a game. The shape is the game's and is
// complete.
func NewTree(g *acpc.Game, shape Shape) *Tree {
	b := builder{
		tree:     &Tree{Game: g, Shape: shape, Terminals: make([]acpc.Pot, 0, shape.Terminals)},
		nodes:    make([]unsortedNode, 0, shape.Nodes),
		segments: make([]int, 0, shape.Segments),
	}
	b.deal(newLine(g), 0, 0, acpc.Action{}, -1)
	b.sort()
	return b.tree
}

// builder holds a tree in depth-first order, before it is sorted.
type builder struct {
	tree     *Tree
	nodes    []unsortedNode
	segments []int // the round of each segment, in depth-first order
}

// unsortedNode is a node whose Parent, and First at a deal, are indices in
// depth-first order.
type unsortedNode struct {
	Node
	segment, depth int32
}

// deal starts the segment of a round that begins with the state at depth, after
// the node parent.
func (b *builder) deal(l line, depth, round int, by acpc.Action, parent int32) {
	segment := int32(len(b.segments))
	b.segments = append(b.segments, round)
	if parent >= 0 {
		b.nodes[parent].First = segment
	}
	b.visit(l, depth, unsortedNode{Node: Node{Action: by, Parent: parent}, segment: segment})
}

// visit appends the node of the state at depth and its subtree.
func (b *builder) visit(l line, depth int, n unsortedNode) {
	state := &l[depth]
	id := int32(len(b.nodes))
	round := b.segments[n.segment]
	n.Round = uint8(round)
	switch {
	case state.Round() > round:
		n.Kind = Deal
		b.nodes = append(b.nodes, n)
		b.deal(l, depth, round+1, n.Action, id)
	case state.Finished():
		n.Kind = Terminal
		n.First = int32(len(b.tree.Terminals))
		b.tree.Terminals = append(b.tree.Terminals, state.Pot())
		b.nodes = append(b.nodes, n)
	default:
		n.Actor = int8(state.Actor())
		b.nodes = append(b.nodes, n)
		for a := range b.tree.Shape.Betting.Legal(state) {
			l.play(depth, a)
			b.nodes[id].NumActions++
			b.visit(l, depth+1, unsortedNode{Node: Node{Action: a, Parent: id}, segment: n.segment, depth: n.depth + 1})
		}
	}
}

// sort puts segments in the order of their rounds, and nodes in level order.
func (b *builder) sort() {
	bySegment := make([]int32, len(b.segments)) // the segments in their final order
	for i := range bySegment {
		bySegment[i] = int32(i)
	}
	slices.SortStableFunc(bySegment, func(x, y int32) int { return cmp.Compare(b.segments[x], b.segments[y]) })
	segmentAt := make([]int32, len(b.segments))
	for i, segment := range bySegment {
		segmentAt[segment] = int32(i)
	}
	order := make([]int32, len(b.nodes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int {
		x, y := &b.nodes[i], &b.nodes[j]
		return cmp.Or(cmp.Compare(segmentAt[x.segment], segmentAt[y.segment]), cmp.Compare(x.depth, y.depth))
	})
	at := make([]int32, len(b.nodes))
	for i, id := range order {
		at[id] = int32(i)
	}

	t := b.tree
	t.Nodes = make([]Node, len(order))
	t.Segments = make([]Segment, len(b.segments))
	for i, segment := range bySegment {
		t.Segments[i].Round = b.segments[segment]
	}
	for i, id := range order {
		n := b.nodes[id]
		if n.depth == 0 {
			t.Segments[segmentAt[n.segment]].First = int32(i)
		}
		t.Segments[segmentAt[n.segment]].Last = int32(i + 1)
		if n.Parent >= 0 {
			n.Parent = at[n.Parent]
		}
		switch n.Kind {
		case Decision:
			n.First = at[id+1] // the first child was visited next
		case Deal:
			n.First = segmentAt[n.First]
		}
		t.Nodes[i] = n.Node
	}
}

// Find returns the decision node that a hand has come to, or -1 if the betting
// is not in the tree or no player is to act.
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
