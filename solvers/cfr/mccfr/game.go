package mccfr

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
)

// Game is a game laid out for sampling: its decisions as flat arrays, and the
// rows of entries that each bucket has. It is not changed after it is made and
// may be shared between goroutines.
//
// A deal puts a player into one bucket a round, so the entries of a bucket, over
// all decisions of a round, lie together as a row: a traversal then touches a
// few rows and nothing between them.
type Game struct {
	Rules   *acpc.Game
	Buckets cfr.Buckets
	Shape   cfr.Shape
	// Entries is how many (information set, action) pairs there are.
	Entries int

	nodes    []node
	children []int32 // by action: a node, or ^e for the end e
	// levels are where the levels of nodes in level order start, and one more;
	// nil in depth-first order.
	levels []int32
	rounds []round
	ends   ends
	views  views
	depth  int // of the longest betting sequence
	widest int // the largest number of actions of a decision
}

// node is a decision. Those of a round are adjacent, and so are their actions.
type node struct {
	child   uint32 // place of its first action in children
	actions uint16
	round   uint8
	actor   uint8
}

// round is where the entries of a betting round are.
type round struct {
	action uint32 // place of its first action in children
	width  int    // number of its actions: the length of a bucket's row
	entry  int    // of its first bucket's row
}

// row returns where a bucket's entries would start if the first action of all
// rounds were the first of its row: add node.child for those of a node.
func (g *Game) row(r, bucket int) int {
	in := &g.rounds[r]
	return in.entry + bucket*in.width - int(in.action)
}

// maxActions bounds the betting trees, whose actions are counted in 32 bits.
const maxActions = 1 << 31

// NewGame lays a game out in depth-first order: what follows an action of a
// round comes before what follows the next. It fails where there are too many
// betting sequences.
func NewGame(rules *acpc.Game, buckets cfr.Buckets) (*Game, error) {
	g := &Game{Rules: rules, Buckets: buckets, Shape: cfr.ShapeOf(rules, maxActions-1)}
	if !g.Shape.Complete {
		return nil, fmt.Errorf("%s has over %d betting sequences", rules.Name, maxActions-1)
	}
	decisions, actions := 0, 0
	l := lister{game: g, stakes: make(map[acpc.Stakes]int32)}
	for r := range rules.NumRounds {
		in := round{action: uint32(actions), width: g.Shape.Actions[r], entry: g.Entries}
		g.rounds = append(g.rounds, in)
		l.node[r], l.child[r] = int32(decisions), in.action
		g.Entries += in.width * buckets.NumBuckets(r)
		decisions += g.Shape.Decisions[r]
		actions += in.width
	}
	g.nodes = make([]node, decisions)
	g.children = make([]int32, actions)
	g.ends = newEnds(rules.NumPlayers)
	l.line = make([]acpc.State, acpc.MaxRounds*acpc.MaxActions+1)
	l.line[0] = rules.NewState(0)
	if root := l.visit(0); root != 0 {
		return nil, fmt.Errorf("%s has no decision: its blinds leave nobody to act", rules.Name)
	}
	g.views = newViews(rules, buckets)
	return g, nil
}

// lister lists the decisions of a game.
type lister struct {
	game   *Game
	line   []acpc.State // before each action of the sequence, and after the last
	node   [acpc.MaxRounds]int32
	child  [acpc.MaxRounds]uint32 // the next free places, by round
	stakes map[acpc.Stakes]int32  // ends by what they are
}

// visit lists the hand at a depth of the line and all that follow it, and
// returns what children call it.
func (l *lister) visit(depth int) int32 {
	s := &l.line[depth]
	g := l.game
	g.depth = max(g.depth, depth)
	if s.Finished() {
		stakes := s.Stakes()
		e, ok := l.stakes[stakes]
		if !ok {
			e = g.ends.add(&stakes)
			l.stakes[stakes] = e
		}
		return ^e
	}
	r := s.Round()
	id, first := l.node[r], l.child[r]
	n := node{child: first, round: uint8(r), actor: uint8(s.Actor())}
	for range cfr.Legal(s) {
		n.actions++
	}
	g.nodes[id] = n
	g.widest = max(g.widest, int(n.actions))
	l.node[r]++
	l.child[r] += uint32(n.actions)
	for a := range cfr.Legal(s) {
		l.line[depth+1] = *s
		l.line[depth+1].Apply(a)
		g.children[first] = l.visit(depth + 1)
		first++
	}
	return id
}

// InfoSets returns the number of information sets.
func (g *Game) InfoSets() int {
	n := 0
	for r := range g.rounds {
		n += g.Shape.Decisions[r] * g.Buckets.NumBuckets(r)
	}
	return n
}
