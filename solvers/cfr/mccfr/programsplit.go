package mccfr

import (
	"slices"

	"gamebots/cudalib"
)

// split returns the walk with the last round apart.
func (p programmer) split() cudalib.BoardsSplit {
	p.splits, p.tree = true, make(map[int32]int)
	p.firstPart = p.game.roots()
	up := p.program()
	down := programmer{game: p.game, player: p.player, strategy: p.strategy, tree: p.tree}
	down.reach = []int{0}
	down.bring(0, 0, 0)
	return cudalib.BoardsSplit{Down: down.finish(), Up: up, Trees: p.trees}
}

// roots returns how many ways there are to the last round.
func (g *Game) roots() (n int) {
	last := g.Rules.NumRounds - 1
	for i := range g.nodes {
		if round := int(g.nodes[i].round); round < last {
			for _, child := range g.children[g.action(&g.nodes[i]):][:g.nodes[i].actions] {
				n += boolOf(child >= 0 && int(g.nodes[max(0, child)].round) == last)
			}
		}
	}
	return max(1, n)
}

// bring brings the reach to the trees of the last round, which have their
// numbers. Each way to the second round is a part of its own.
func (p *programmer) bring(child int32, round, reach int) {
	if child < 0 {
		return
	}
	p.out.Depth = max(p.out.Depth, reach+1)
	g := p.game
	n := &g.nodes[child]
	if round == 0 && n.round > 0 {
		above := p.ops
		p.ops = slices.Clone(p.path)
		p.bring(child, int(n.round), reach)
		p.parts = append(p.parts, p.ops)
		p.ops = above
		return
	}
	if number, ok := p.tree[child]; ok {
		p.emit(cudalib.BoardsOp{Kind: cudalib.BoardsLeave, Depth: reach, To: number})
		return
	}
	for a, next := range g.children[g.action(n):][:n.actions] {
		if int(n.actor) == p.player {
			p.bring(next, int(n.round), reach)
			continue
		}
		strategy := p.strategy[child] + a*g.Buckets.NumBuckets(int(n.round))
		below := p.play(cudalib.BoardsOp{Kind: cudalib.BoardsPlay, Depth: reach, Round: int(n.round), Strategy: strategy})
		p.bring(next, int(n.round), below)
		p.path = p.path[:len(p.path)-1]
	}
}

// addTree adds the tree of the last round at a node, and returns its number.
func (p *programmer) addTree(child int32) int {
	number := len(p.trees)
	p.tree[child] = number
	p.trees = append(p.trees, cudalib.BoardsTree{})
	p.grow(&p.trees[number], child, 0, 0)
	return number
}

// grow adds what follows two sequences to a tree.
func (p *programmer) grow(t *cudalib.BoardsTree, child int32, own, other int) {
	g := p.game
	if child < 0 {
		won, lost, tied := p.payoffs(^child)
		t.Ends = append(t.Ends, cudalib.BoardsEndOf{Own: own, Other: other, Won: won, Lost: lost, Tied: tied})
		return
	}
	n := &g.nodes[child]
	mine := int(n.actor) == p.player
	if !mine {
		t.Nodes = append(t.Nodes, cudalib.BoardsReached{Sequence: other, To: p.sums[child]})
	}
	for a, next := range g.children[g.action(n):][:n.actions] {
		strategy := p.strategy[child] + a*g.Buckets.NumBuckets(int(n.round))
		if mine {
			t.Own = append(t.Own, cudalib.BoardsSequence{Before: own, Strategy: strategy, To: p.sums[child] + a*p.places[n.round]})
			p.grow(t, next, len(t.Own), other)
		} else {
			t.Others = append(t.Others, cudalib.BoardsSequence{Before: other, Strategy: strategy})
			p.grow(t, next, own, len(t.Others))
		}
	}
}
