package mccfr

import (
	"slices"

	"gamebots/cudalib/mccfrgpu"
)

// split returns the traversal with the subtrees of the last round apart.
func (c compiler) split() mccfrgpu.RiverSplit {
	c.splits, c.subtreeOf = true, make(map[int32]int)
	c.firstPart = lastRoundEntrances(c.game)
	up := c.program()
	down := compiler{game: c.game, player: c.player, strategy: c.strategy, subtreeOf: c.subtreeOf}
	down.reach = []int{0}
	down.descend(0, 0, 0)
	return mccfrgpu.RiverSplit{Down: down.finish(), Up: up, Trees: c.subtrees}
}

// lastRoundEntrances returns the number of betting sequences that lead into the last
// round, at least 1.
func lastRoundEntrances(g *Game) (n int) {
	last := g.Rules.NumRounds - 1
	for i := range g.Nodes {
		if round := int(g.Nodes[i].Round); round < last {
			for _, child := range g.ChildrenOf(&g.Nodes[i]) {
				n += intOf(child >= 0 && int(g.Nodes[max(0, child)].Round) == last)
			}
		}
	}
	return max(1, n)
}

// descend emits the operations that compute the reach at the roots of all
// subtrees. Every entrance to the second round becomes a part of its own.
func (c *compiler) descend(child int32, round, reach int) {
	if child < 0 {
		return
	}
	c.out.Depth = max(c.out.Depth, reach+1)
	g := c.game
	n := &g.Nodes[child]
	if round == 0 && n.Round > 0 {
		above := c.ops
		c.ops = slices.Clone(c.path)
		c.descend(child, int(n.Round), reach)
		c.parts = append(c.parts, c.ops)
		c.ops = above
		return
	}
	if number, ok := c.subtreeOf[child]; ok {
		c.emit(mccfrgpu.Op{Kind: mccfrgpu.OpStoreReach, Depth: reach, To: number})
		return
	}
	for a, next := range g.ChildrenOf(n) {
		if int(n.Actor) == c.player {
			c.descend(next, int(n.Round), reach)
			continue
		}
		strategy := c.strategy[child] + a*g.Buckets.NumBuckets(int(n.Round))
		below := c.play(mccfrgpu.Op{Kind: mccfrgpu.OpPlay, Depth: reach, Round: int(n.Round), Strategy: strategy})
		c.descend(next, int(n.Round), below)
		c.path = c.path[:len(c.path)-1]
	}
}

// addSubtree adds the subtree of the last round at a node, and returns its number.
func (c *compiler) addSubtree(root int32) int {
	number := len(c.subtrees)
	c.subtreeOf[root] = number
	c.subtrees = append(c.subtrees, mccfrgpu.RiverTree{})
	c.extend(&c.subtrees[number], root, 0, 0)
	return number
}

// extend adds a child to a subtree. Own and other are the sequences of the two
// players that lead there.
func (c *compiler) extend(t *mccfrgpu.RiverTree, child int32, own, other int) {
	g := c.game
	if child < 0 {
		won, lost, tied := c.payoffs(^child)
		t.Terminals = append(t.Terminals, mccfrgpu.RiverTerminal{Own: own, Other: other, Won: won, Lost: lost,
			Tied: tied})
		return
	}
	n := &g.Nodes[child]
	mine := int(n.Actor) == c.player
	if !mine {
		t.Nodes = append(t.Nodes, mccfrgpu.ReachSum{Sequence: other, To: c.sums[child]})
	}
	for a, next := range g.ChildrenOf(n) {
		strategy := c.strategy[child] + a*g.Buckets.NumBuckets(int(n.Round))
		if mine {
			t.Own = append(t.Own, mccfrgpu.Sequence{Before: own, Strategy: strategy,
				To: c.sums[child] + a*c.maxBuckets[n.Round]})
			c.extend(t, next, len(t.Own), other)
		} else {
			t.Others = append(t.Others, mccfrgpu.Sequence{Before: other, Strategy: strategy})
			c.extend(t, next, own, len(t.Others))
		}
	}
}
