package mccfr

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
)

// Game is a game laid out for sampling: its decisions as flat arrays, and the
// rows of entries that each bucket has. It is not changed after it is made and
// may be shared between goroutines.
//
// A deal puts a player into one bucket a round, so the entries of a bucket, over
// all decisions of the player in the round, lie together as a row: a traversal
// then touches a few rows and nothing between them.
type Game struct {
	Rules   *acpc.Game
	Buckets cfr.Buckets
	Shape   betting.Shape
	// Entries is how many (information set, action) pairs there are.
	Entries int

	nodes    []node
	children []int32 // by action: a node, or ^e for the end e
	levels   []int32 // in level order: where each level starts, and one more
	rows     [acpc.MaxRounds][acpc.MaxPlayers]rows
	ends     ends
	views    views
	depth    int // of the longest betting sequence
	widest   int // the largest number of actions of a decision
}

// node is a decision.
type node struct {
	row     uint32 // place of its first action in rows
	actions uint16
	round   uint8
	actor   uint8
}

// rows are the entries of a player in a round, one row a bucket.
type rows struct {
	first  int // where the first bucket's row starts
	width  int // length of a row: the number of actions
	action int // the number of the first action
}

// of returns where a bucket's row starts.
func (r *rows) of(bucket int) int { return r.first + bucket*r.width }

// action returns the number of a decision's first action. Actions are numbered in
// the order of rows, so that a decision needs no other place for it.
func (g *Game) action(n *node) int { return g.rows[n.round][n.actor].action + int(n.row) }

// maxActions bounds the betting trees, whose actions are counted in 32 bits.
const maxActions = 1 << 31

// NewGame lays a game out in depth-first order: what follows an action of a
// round comes before what follows the next. It fails where there are too many
// betting sequences.
func NewGame(rules *acpc.Game, actions betting.Actions, buckets cfr.Buckets) (*Game, error) {
	g := &Game{Rules: rules, Buckets: buckets, Shape: actions.ShapeOf(rules, maxActions-1)}
	if !g.Shape.Complete {
		return nil, fmt.Errorf("%s has over %d betting sequences", rules.Name, maxActions-1)
	}
	decisions, children := 0, 0
	for r := range rules.NumRounds {
		decisions += g.Shape.Decisions[r]
		children += g.Shape.Actions[r]
	}
	g.nodes = make([]node, 0, decisions)
	g.children = make([]int32, 0, children)
	l := lister{game: g, stakes: make(map[acpc.Stakes]int32)}
	g.ends = newEnds(rules.NumPlayers)
	l.line = make([]acpc.State, acpc.MaxRounds*acpc.MaxActions+1)
	l.line[0] = rules.NewState(0)
	if root := l.visit(0); root != 0 {
		return nil, fmt.Errorf("%s has no decision: its blinds leave nobody to act", rules.Name)
	}
	action := 0
	for r := range rules.NumRounds {
		for p := range rules.NumPlayers {
			in := &g.rows[r][p]
			in.first, in.action = g.Entries, action
			g.Entries += in.width * buckets.NumBuckets(r)
			action += in.width
		}
	}
	// The children are still in the order of the nodes.
	found := g.children
	g.children = make([]int32, len(found))
	for i := range g.nodes {
		n := &g.nodes[i]
		copy(g.children[g.action(n):], found[:n.actions])
		found = found[n.actions:]
	}
	g.views = newViews(rules, buckets)
	return g, nil
}

// lister lists the decisions of a game.
type lister struct {
	game   *Game
	line   []acpc.State          // before each action of the sequence, and after the last
	stakes map[acpc.Stakes]int32 // ends by what they are
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
	r, actor := s.Round(), s.Actor()
	id, first := int32(len(g.nodes)), len(g.children)
	for range g.Shape.Betting.Legal(s) {
		g.children = append(g.children, 0)
	}
	actions := len(g.children) - first
	in := &g.rows[r][actor]
	g.nodes = append(g.nodes, node{
		row: uint32(in.width), actions: uint16(actions), round: uint8(r), actor: uint8(actor),
	})
	in.width += actions
	g.widest = max(g.widest, actions)
	for a := range g.Shape.Betting.Legal(s) {
		l.line[depth+1] = *s
		l.line[depth+1].Apply(a)
		child := l.visit(depth + 1)
		g.children[first] = child
		first++
	}
	return id
}

// InfoSets returns the number of information sets.
func (g *Game) InfoSets() int {
	n := 0
	for r := range g.Rules.NumRounds {
		n += g.Shape.Decisions[r] * g.Buckets.NumBuckets(r)
	}
	return n
}
