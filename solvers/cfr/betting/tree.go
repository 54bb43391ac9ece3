package betting

import (
	"math"
	"sort"
	"unsafe"

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

// Node is one public betting sequence. It takes 16 bytes.
type Node struct {
	// First is a decision's first child, which the others follow in the order
	// fold, call, raises upwards; a deal's segment; or the pot of a terminal, an
	// index of Tree.Terminals.
	First      int32
	raise      int32  // the size of the last action
	NumActions uint16 // at a decision: the number of children
	Kind       Kind
	Actor      int8 // at a decision: the player to act
	Round      uint8
	last       acpc.ActionType
}

// Action returns the action that led here from the node's parent. At the root of a
// segment it is the action that ended the round before.
func (n *Node) Action() acpc.Action { return acpc.Action{Type: n.last, Size: n.raise} }

// Segment is one betting round after one sequence of earlier rounds: the nodes
// [First, Last), its root first, level by level.
type Segment struct {
	Round       int
	First, Last int32
	From        int32 // the deal that leads here, the first of them, or -1 at the start of the hand
}

// Tree is the public tree of a game without its cards: every betting sequence
// once, in flat arrays. Segments are in the order of their rounds; the nodes of a
// segment are adjacent and in level order. A tree does not change after it is
// built and may be shared between goroutines.
//
// In a tree of a forgetful abstraction several deals may lead to one segment, so that a
// node stands for all sequences that lead there.
type Tree struct {
	Game      *acpc.Game
	Shape     Shape
	Nodes     []Node
	Segments  []Segment
	Terminals []acpc.Pot // the different results of betting sequences that end the hand
}

// MaxNodes bounds the trees that can be listed: nodes have 32-bit numbers.
const MaxNodes = math.MaxInt32

// CountLimit ends the count of a tree that no memory holds.
const CountLimit = 1 << 36

// Bytes returns the memory that the tree of a shape takes, but for its few terminals.
func (c *Counts) Bytes() int64 {
	bytes := int64(c.Nodes) * int64(unsafe.Sizeof(Node{}))
	for _, segments := range c.Segments {
		bytes += int64(segments) * int64(unsafe.Sizeof(Segment{}))
	}
	return bytes
}

// NewTree lists the betting sequences of a game. The shape is the game's, is complete,
// and has at most MaxNodes nodes. Ten million nodes take about a second.
func NewTree(g *acpc.Game, shape Shape) *Tree {
	b := builder{
		tree:      &Tree{Game: g, Shape: shape, Nodes: make([]Node, shape.Nodes)},
		line:      NewLine(g, shape.Betting),
		terminals: make(map[acpc.Pot]int32),
		entered:   make(map[Entrance]int32),
	}
	node, segment := 0, 0
	for r := range b.rounds {
		b.rounds[r] = builderRound{node: int32(node), segment: int32(segment)}
		node += shape.roundNodes(r)
		segment += shape.Segments[r]
	}
	b.tree.Segments = make([]Segment, segment)
	b.deal(0, 0, acpc.Action{}, -1)
	return b.tree
}

// In returns the tree for a game that names its seats by so many positions further on, see [acpc.Game.Offset]. Its
// nodes are in the same places.
func (t *Tree) In(g *acpc.Game, by int) *Tree {
	shape := t.Shape
	for _, m := range []**menus{&shape.Betting.menus, &shape.Betting.opponent} {
		if *m != nil {
			moved := **m
			for p := range g.NumPlayers {
				moved[(p+by)%g.NumPlayers] = (*m)[p]
			}
			*m = &moved
		}
	}
	return NewTree(g, shape)
}

// builder lists a tree in depth-first order, and puts every node in its place.
type builder struct {
	tree      *Tree
	line      *Line
	rounds    [acpc.MaxRounds]builderRound
	terminals map[acpc.Pot]int32 // those in the tree already
	// entered has the segments that are in the tree already, if the abstraction is forgetful.
	entered map[Entrance]int32
}

// builderRound is where a round's next segment begins.
type builderRound struct {
	node, segment int32
	// levels has, by level of the segment that is being listed, the place of the next
	// node; while nodes are counted, their number.
	levels []int32
}

// deal lists the segment of a round that begins with the state at depth, after the node
// from, and all that follows.
func (b *builder) deal(depth, round int, by acpc.Action, from int32) {
	r := &b.rounds[round]
	s := &b.tree.Segments[r.segment]
	r.segment++
	clear(r.levels)
	b.countLevels(depth, round, 0)
	*s = Segment{Round: round, First: r.node, From: from}
	for level, nodes := range r.levels {
		r.levels[level] = r.node
		r.node += nodes
	}
	s.Last = r.node
	b.visit(depth, round, 0, by)
}

// countLevels counts the state at depth, which is on a level of a segment, and those that
// follow in the segment.
func (b *builder) countLevels(depth, round, level int) {
	r, state := &b.rounds[round], b.line.State(depth)
	if level == len(r.levels) {
		r.levels = append(r.levels, 0)
	}
	r.levels[level]++
	if state.Round() > round || state.Finished() {
		return
	}
	for a := range b.line.Legal(depth) {
		b.line.Play(depth, a)
		b.countLevels(depth+1, round, level+1)
	}
}

// visit lists the node of the state at depth, which is on a level of a segment, and all
// that follow.
func (b *builder) visit(depth, round, level int, by acpc.Action) {
	levels, state := b.rounds[round].levels, b.line.State(depth)
	id := levels[level]
	levels[level]++
	n := &b.tree.Nodes[id]
	*n = Node{raise: by.Size, last: by.Type, Round: uint8(round)}
	switch {
	case state.Round() > round:
		n.Kind, n.First = Deal, b.rounds[round+1].segment
		if b.tree.Shape.Betting.forgetful {
			entrance := b.line.Entrance(depth, round+1)
			if segment, ok := b.entered[entrance]; ok {
				n.First = segment
				return
			}
			b.entered[entrance] = n.First
		}
		b.deal(depth, round+1, by, id)
	case state.Finished():
		n.Kind, n.First = Terminal, b.tree.terminal(state.Pot(), b.terminals)
	default:
		n.Actor, n.First = int8(state.Actor()), levels[level+1]
		for a := range b.line.Legal(depth) {
			b.line.Play(depth, a)
			b.visit(depth+1, round, level+1, a)
			n.NumActions++
		}
	}
}

// terminal returns the place of a pot in the tree's terminals, of which those that are there are known.
func (t *Tree) terminal(pot acpc.Pot, known map[acpc.Pot]int32) int32 {
	at, ok := known[pot]
	if !ok {
		at = int32(len(t.Terminals))
		known[pot] = at
		t.Terminals = append(t.Terminals, pot)
	}
	return at
}

// SegmentOf returns the segment that a node is in.
func (t *Tree) SegmentOf(node int32) int {
	return sort.Search(len(t.Segments), func(k int) bool { return t.Segments[k].Last > node })
}

// AfterDeal returns the node at which a hand goes on after a node: the root of the segment
// after a deal, or else the node itself.
func (t *Tree) AfterDeal(node int32) int32 {
	for t.Nodes[node].Kind == Deal {
		node = t.Segments[t.Nodes[node].First].First
	}
	return node
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
			for t.Nodes[node].Action() != a {
				if node++; node == n.First+int32(n.NumActions) {
					return -1
				}
			}
		}
		node = t.AfterDeal(node)
	}
	if t.Nodes[node].Kind != Decision {
		return -1
	}
	return node
}

// Follow returns for every node of a tree what stands in t at the same betting sequence. The
// two have the same game, and t has the raises of the other. One or both may be forgetful.
func (t *Tree) Follow(tree *Tree) (nodes []int32) {
	nodes = make([]int32, len(tree.Nodes))
	for i := range tree.Nodes { // parents come before their children
		switch n := &tree.Nodes[i]; n.Kind {
		case Deal:
			nodes[tree.Segments[n.First].First] = t.Segments[t.Nodes[nodes[i]].First].First
		case Decision:
			same := t.Nodes[nodes[i]].First
			for child := n.First; child < n.First+int32(n.NumActions); child++ {
				for t.Nodes[same].Action() != tree.Nodes[child].Action() { // both are in the same order
					same++
				}
				nodes[child] = same
				same++
			}
		}
	}
	return nodes
}
