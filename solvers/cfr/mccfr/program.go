package mccfr

import (
	"slices"

	"gamebots/cudalib/mccfrgpu"
	"gamebots/solvers/cfr/mccfr/internal/tree"
)

// compiler writes the traversal of a betting tree for a player as a program for
// the device. The program is the recursion of vectors as a list.
type compiler struct {
	game   *Game
	player int
	out    mccfrgpu.Program

	strategy   []int // where the strategies of a node are
	sums       []int // where the sums of a node are
	maxBuckets []int // most buckets of a board in each round
	terminals  map[int32]int

	// Each reach vector has a number. Terminal values need sums over it, which an
	// operation prepares.
	reach       []int // reach at each depth of the stack
	reachCount  int
	prepared    int           // the reach whose sums are prepared, -1 for none
	forShowdown bool          // whether they are prepared for showdowns too
	path        []mccfrgpu.Op // the other player's actions that lead to the node
	parts       [][]mccfrgpu.Op
	ops         []mccfrgpu.Op

	// Only where the last round is done by buckets.
	splits    bool
	subtrees  []mccfrgpu.RiverTree // subtrees of the last round
	subtreeOf map[int32]int        // subtree of a root
	firstPart int                  // the number of the first part's result
}

// program returns the traversal, but for the number of its sums.
func (c *compiler) program() mccfrgpu.Program {
	c.terminals = make(map[int32]int)
	c.reach = []int{0}
	c.prepared = -1
	c.visit(0, 0, 0)
	return c.finish()
}

// finish puts the parts together.
func (c *compiler) finish() mccfrgpu.Program {
	for _, ops := range append(c.parts, c.ops) {
		c.out.Parts = append(c.out.Parts, len(c.out.Ops))
		c.out.Ops = append(c.out.Ops, ops...)
	}
	c.out.Parts = append(c.out.Parts, len(c.out.Ops))
	return c.out
}

// visit emits the operations that compute the value of a child. Reach and value are
// the depths of the two stacks.
func (c *compiler) visit(child int32, reach, value int) {
	c.out.Depth = max(c.out.Depth, reach+1, value+1)
	g := c.game
	if child < 0 {
		c.prepare(^child, reach)
		c.emit(mccfrgpu.Op{Kind: mccfrgpu.OpTerminal, To: c.terminal(^child)})
		return
	}
	if c.splits && int(g.Nodes[child].Round) == g.Rules.NumRounds-1 {
		c.emit(mccfrgpu.Op{Kind: mccfrgpu.OpLoad, To: c.addSubtree(child)})
		return
	}
	n := &g.Nodes[child]
	actions := make([]int, n.Actions)
	for a := range actions {
		actions[a] = a
	}
	round, buckets := int(n.Round), g.Buckets.NumBuckets(int(n.Round))
	children := g.ChildrenOf(n)
	own := int(n.Actor) == c.player
	if own {
		// Terminals first: decisions below change the reach that is prepared.
		slices.SortStableFunc(actions, func(a, b int) int { return intOf(children[a] >= 0) - intOf(children[b] >= 0) })
	} else {
		c.emit(mccfrgpu.Op{Kind: mccfrgpu.OpSum, Depth: reach, Round: round, To: c.sums[child]})
	}
	for i, a := range actions {
		strategy, below := c.strategy[child]+a*buckets, reach
		if !own {
			below = c.play(mccfrgpu.Op{Kind: mccfrgpu.OpPlay, Depth: reach, Round: round, Strategy: strategy})
		}
		c.part(children[a], round, below, value+1)
		if own {
			c.emit(mccfrgpu.Op{Kind: mccfrgpu.OpGain, Depth: value, Round: round, First: i == 0, Strategy: strategy,
				To: c.sums[child] + a*c.maxBuckets[round]})
		} else {
			c.path = c.path[:len(c.path)-1]
			c.emit(mccfrgpu.Op{Kind: mccfrgpu.OpAdd, Depth: value, First: i == 0})
		}
	}
	c.emit(mccfrgpu.Op{Kind: mccfrgpu.OpResult, Depth: value})
}

// prepare emits the sums over a reach that a terminal needs, unless they are
// prepared already.
func (c *compiler) prepare(terminal int32, reach int) {
	kind := mccfrgpu.OpScan
	if won, lost, _ := c.payoffs(terminal); c.splits && won == lost {
		kind = mccfrgpu.OpTotal // enough, as few other terminals have the same reach
	}
	if c.prepared != c.reach[reach] || kind == mccfrgpu.OpScan && !c.forShowdown {
		c.prepared, c.forShowdown = c.reach[reach], kind == mccfrgpu.OpScan
		c.emit(mccfrgpu.Op{Kind: kind, Depth: reach})
	}
}

func intOf(x bool) int {
	if x {
		return 1
	}
	return 0
}

// play emits an action of the other player, and returns the depth of the reach
// after it.
func (c *compiler) play(op mccfrgpu.Op) int {
	c.emit(op)
	c.path = append(c.path, op)
	depth := op.Depth + 1
	c.reach = append(c.reach[:depth], 0)
	c.reachCount++
	c.reach[depth] = c.reachCount
	return depth
}

// part visits a child. Every entrance to the second round becomes a part of its
// own, which starts with the actions that lead there.
func (c *compiler) part(child int32, round, reach, value int) {
	if child < 0 || round > 0 || c.game.Nodes[child].Round == 0 {
		c.visit(child, reach, value)
		return
	}
	above, prepared, forShowdown := c.ops, c.prepared, c.forShowdown
	c.ops, c.prepared = slices.Clone(c.path), -1
	c.visit(child, reach, 0)
	number := len(c.parts)
	c.emit(mccfrgpu.Op{Kind: mccfrgpu.OpStore, To: c.firstPart + number})
	c.parts = append(c.parts, c.ops)
	c.ops, c.prepared, c.forShowdown = above, prepared, forShowdown
	c.emit(mccfrgpu.Op{Kind: mccfrgpu.OpLoad, To: c.firstPart + number})
}

func (c *compiler) emit(op mccfrgpu.Op) { c.ops = append(c.ops, op) }

// terminal returns the number of a terminal's payoffs in the program.
func (c *compiler) terminal(t int32) int {
	if number, ok := c.terminals[t]; ok {
		return number
	}
	number := len(c.terminals)
	c.terminals[t] = number
	won, lost, tied := c.payoffs(t)
	c.out.Terminals = append(c.out.Terminals, won, lost, tied)
	return number
}

// payoffs returns the player's terminal values with the better hand, with the worse
// one, and with equal hands.
func (c *compiler) payoffs(terminal int32) (won, lost, tied float32) {
	result := func(winners tree.PlayerSet) float32 {
		return c.game.Terminals.Value(terminal, c.player, []tree.PlayerSet{0, 1, 2, winners})
	}
	return result(1 << c.player), result(1 << (1 - c.player)), result(3)
}

// deviceLayout lays a game of two players out for a device: its nodes, and a
// traversal for each player. Cards is the number of cards that a board leaves.
func deviceLayout(g *Game, cards int) mccfrgpu.PublicGame {
	hands := tree.Binomial[cards][g.Rules.NumHoleCards]
	out := mccfrgpu.PublicGame{
		Rounds: g.Rules.NumRounds, Cards: cards, TwoCards: g.Rules.NumHoleCards == 2, Hands: hands, Entries: g.Entries,
	}
	maxBuckets := make([]int, g.Rules.NumRounds)
	for r := range maxBuckets {
		maxBuckets[r] = min(hands, g.Buckets.NumBuckets(r))
	}
	strategy := make([]int, len(g.Nodes))
	sums := [2][]int{make([]int, len(g.Nodes)), make([]int, len(g.Nodes))}
	var count [2]int // number of sums for each traversing player
	for i := range g.Nodes {
		n := &g.Nodes[i]
		r, actor, actions := int(n.Round), int(n.Actor), int(n.Actions)
		rows, buckets := &g.Rows[r][actor], g.Buckets.NumBuckets(r)
		strategy[i] = out.Strategies
		out.Strategies += actions * buckets
		for player := range sums {
			sums[player][i] = count[player]
			if player == actor {
				count[player] += actions * maxBuckets[r]
			} else {
				count[player] += maxBuckets[r]
			}
		}
		out.Nodes = append(out.Nodes, mccfrgpu.PublicNode{
			First: rows.Of(0) + int(n.Offset), Width: rows.Width, Actions: actions, Actor: actor, Round: r,
			Strategy: strategy[i], Buckets: buckets, Sums: [2]int{sums[0][i], sums[1][i]}, NumSums: maxBuckets[r],
		})
	}
	for player := range out.Programs {
		c := compiler{game: g, player: player, strategy: strategy, sums: sums[player], maxBuckets: maxBuckets}
		out.Splits[player] = c.split()
		out.Programs[player] = c.program()
		out.Programs[player].Sums = count[player]
	}
	return out
}
