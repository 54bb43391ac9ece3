package mccfr

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// Game is a game laid out for sampling: its decisions as flat arrays, and the
// entries of each bucket as rows. An entry is a pair of an information set and an
// action. A Game does not change after it is made and may be shared between
// goroutines.
//
// A deal puts a player into one bucket per round. The entries of a bucket, over
// all decisions of the player in the round, therefore lie together as a row: a
// traversal touches a few rows and nothing between them.
type Game struct {
	Rules   *acpc.Game
	Buckets policy.Buckets
	Shape   betting.Shape
	// Entries is the number of (information set, action) pairs.
	Entries int

	Nodes []Node
	Folds []bool // whether the first action of each decision is a fold; not in level order
	// Committed is the part of the player's stack that is in the pot after a call, by decision; not in level order.
	Committed  []float32
	Children   []int32 // node after each action, ^t for terminal t, or ^(firstMerge+m) for merge m
	Levels     []int32 // where each level starts, then len(Nodes); level order only
	Rows       [acpc.MaxRounds][acpc.MaxPlayers]Rows
	Terminals  Terminals
	Merges     []Merge
	Cards      Cards
	Depth      int // actions of the longest betting sequence
	MaxActions int // the largest number of actions of a decision
}

// Node is a decision.
type Node struct {
	Offset  uint32 // entry of its first action in a row
	Actions uint16
	Round   uint8
	Actor   uint8
}

// Merge is a betting sequence that goes on in the round after another one, in which the players who have folded had put
// in other chips.
type Merge struct {
	Node int32
	// More is what a player has put in more there than here, so that it is added to the value of the node.
	More [acpc.MaxPlayers]float32
}

// firstMerge is added to the numbers of merges among the children of decisions.
const firstMerge = 1 << 30

// Merged returns the merge that a child is, or nil.
func (g *Game) Merged(child int32) *Merge {
	if ^child < firstMerge {
		return nil
	}
	return &g.Merges[^child-firstMerge]
}

// Rows are the entries of a player in a round, one row per bucket.
type Rows struct {
	First  int // entry at which the first bucket's row starts
	Width  int // entries of a row, which is the number of actions
	action int // number of the first action
}

// Of returns the entry at which a bucket's row starts.
func (r *Rows) Of(bucket int) int { return r.First + bucket*r.Width }

// FirstAction returns the number of a decision's first action. Actions are
// numbered in the order of rows, so that a node need not hold the number.
func (g *Game) FirstAction(n *Node) int { return g.Rows[n.Round][n.Actor].action + int(n.Offset) }

// ChildrenOf returns the children of a decision, by action.
func (g *Game) ChildrenOf(n *Node) []int32 { return g.Children[g.FirstAction(n):][:n.Actions] }

// maxActions bounds the betting trees: their actions have 32-bit numbers.
const maxActions = 1 << 31

// NewGame lays a game out in depth-first order. It fails for games with too many
// betting sequences and for games without a decision.
func NewGame(rules *acpc.Game, actions betting.Actions, buckets policy.Buckets) (*Game, error) {
	g := &Game{Rules: rules, Buckets: buckets, Shape: actions.ShapeOf(rules, maxActions-1)}
	if !g.Shape.Complete {
		return nil, fmt.Errorf("%s has over %d betting sequences", rules.Name, maxActions-1)
	}
	decisions, children := 0, 0
	for r := range rules.NumRounds {
		decisions += g.Shape.Decisions[r]
		children += g.Shape.Actions[r]
	}
	g.Nodes = memory.MakeTable[Node](decisions)[:0]
	g.Children = make([]int32, 0, children)
	b := builder{game: g, line: betting.NewLine(rules, actions), terminals: make(map[acpc.Pot]int32),
		entered: make(map[betting.Entrance]subtree)}
	g.Terminals = NewTerminals(rules.NumPlayers)
	root := b.visit(0)
	if root.item != 0 {
		return nil, fmt.Errorf("%s has no decision: its blinds leave nobody to act", rules.Name)
	}
	g.Depth = root.depth
	action := 0
	for r := range rules.NumRounds {
		for p := range rules.NumPlayers {
			in := &g.Rows[r][p]
			in.First, in.action = g.Entries, action
			g.Entries += in.Width * buckets.NumBuckets(r)
			action += in.Width
		}
	}
	// The builder listed the children in the order of the nodes. Now that actions
	// have numbers, bring them into the order of these.
	listed := g.Children
	g.Children = memory.MakeTable[int32](len(listed))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		copy(g.ChildrenOf(n), listed[:n.Actions])
		listed = listed[n.Actions:]
	}
	g.Cards = newCards(rules, buckets)
	return g, nil
}

// builder lists the nodes of a game.
type builder struct {
	game      *Game
	line      *betting.Line
	terminals map[acpc.Pot]int32 // terminals that were added already
	// entered has the rounds that were added already, if the betting is forgetful.
	entered map[betting.Entrance]subtree
}

// subtree is a part of a game.
type subtree struct {
	item  int32 // index in Game.Children
	depth int   // actions of the longest betting sequence from there on
	spent [acpc.MaxPlayers]int32
}

// visit adds the state at a depth of the line and all that follow it.
func (b *builder) visit(depth int) subtree {
	s := b.line.State(depth)
	if depth == 0 || !b.game.Shape.Betting.IsForgetful() || s.Round() == b.line.State(depth-1).Round() {
		return b.add(depth)
	}
	entrance := b.line.Entrance(depth, s.Round())
	known, ok := b.entered[entrance]
	spent := s.Pot().Spent
	if !ok {
		known = b.add(depth)
		known.spent = spent
		b.entered[entrance] = known
	}
	if known.spent == spent {
		return known
	}
	m := Merge{Node: known.item}
	for p := range spent {
		m.More[p] = float32(known.spent[p] - spent[p])
	}
	b.game.Merges = append(b.game.Merges, m)
	return subtree{item: ^int32(firstMerge + len(b.game.Merges) - 1), depth: known.depth}
}

// add adds a state that is not there already, and all that follow it.
func (b *builder) add(depth int) (added subtree) {
	s := b.line.State(depth)
	g := b.game
	if s.Finished() {
		pot := s.Pot()
		t, ok := b.terminals[pot]
		if !ok {
			t = g.Terminals.Add(&pot)
			b.terminals[pot] = t
		}
		return subtree{item: ^t}
	}
	r, actor := s.Round(), s.Actor()
	first := len(g.Children)
	added.item = int32(len(g.Nodes))
	for range b.line.Legal(depth) {
		g.Children = append(g.Children, 0)
	}
	actions := len(g.Children) - first
	in := &g.Rows[r][actor]
	g.Folds = append(g.Folds, s.CanFold())
	g.Committed = append(g.Committed, min(1, float32(s.MaxSpent())/float32(b.game.Rules.Stack[actor])))
	g.Nodes = append(g.Nodes, Node{
		Offset: uint32(in.Width), Actions: uint16(actions), Round: uint8(r), Actor: uint8(actor),
	})
	in.Width += actions
	g.MaxActions = max(g.MaxActions, actions)
	for a := range b.line.Legal(depth) {
		b.line.Play(depth, a)
		child := b.visit(depth + 1)
		added.depth = max(added.depth, 1+child.depth)
		g.Children[first] = child.item
		first++
	}
	return added
}

// InfoSets returns the number of information sets.
func (g *Game) InfoSets() int {
	n := 0
	for r := range g.Rules.NumRounds {
		n += g.Shape.Decisions[r] * g.Buckets.NumBuckets(r)
	}
	return n
}
