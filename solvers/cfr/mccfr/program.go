package mccfr

import (
	"slices"

	"gamebots/cudalib"
)

// programmer writes the walk over a betting tree for a player as a program: what
// vectors does by recursion.
type programmer struct {
	game   *Game
	player int
	out    cudalib.BoardsProgram

	strategy []int // by node, where its strategies are
	sums     []int // by node, where its sums are
	places   []int // by round, room for sums
	ends     map[int32]int

	// Each reach has a number; that of a depth of the stack, and the one that
	// ends are prepared with.
	reach            []int
	reaches, prepare int
	scanned          bool               // whether it is prepared for ends at which cards are looked at
	path             []cudalib.BoardsOp // the other player's actions that lead to the node
	parts            [][]cudalib.BoardsOp
	ops              []cudalib.BoardsOp

	// Where the last round is done by buckets, its trees, and by node which is
	// which.
	splits    bool
	trees     []cudalib.BoardsTree
	tree      map[int32]int
	firstPart int // the root of the first part
}

// program returns the walk for a player. Nodes have their strategies and their
// sums, of which the program sets the number.
func (p *programmer) program() cudalib.BoardsProgram {
	p.ends = make(map[int32]int)
	p.reach = []int{0}
	p.prepare = -1
	p.visit(0, 0, 0)
	return p.finish()
}

// finish puts the parts together.
func (p *programmer) finish() cudalib.BoardsProgram {
	for _, ops := range append(p.parts, p.ops) {
		p.out.Parts = append(p.out.Parts, len(p.out.Ops))
		p.out.Ops = append(p.out.Ops, ops...)
	}
	p.out.Parts = append(p.out.Parts, len(p.out.Ops))
	return p.out
}

// visit leaves the value of what a child is in x. Reach and value are the depths
// of the two stacks.
func (p *programmer) visit(child int32, reach, value int) {
	p.out.Depth = max(p.out.Depth, reach+1, value+1)
	g := p.game
	if child < 0 {
		p.prepareFor(^child, reach)
		p.emit(cudalib.BoardsOp{Kind: cudalib.BoardsEnd, To: p.end(^child)})
		return
	}
	if p.splits && int(g.nodes[child].round) == g.Rules.NumRounds-1 {
		p.emit(cudalib.BoardsOp{Kind: cudalib.BoardsLoad, To: p.addTree(child)})
		return
	}
	n := &g.nodes[child]
	actions := make([]int, n.actions)
	for a := range actions {
		actions[a] = a
	}
	round, buckets := int(n.round), g.Buckets.NumBuckets(int(n.round))
	children := g.children[g.action(n):][:n.actions]
	own := int(n.actor) == p.player
	if own {
		// Ends come first, as what follows other actions changes the reach.
		slices.SortStableFunc(actions, func(a, b int) int { return boolOf(children[a] >= 0) - boolOf(children[b] >= 0) })
	} else {
		p.emit(cudalib.BoardsOp{Kind: cudalib.BoardsSum, Depth: reach, Round: round, To: p.sums[child]})
	}
	for i, a := range actions {
		strategy, below := p.strategy[child]+a*buckets, reach
		if !own {
			below = p.play(cudalib.BoardsOp{Kind: cudalib.BoardsPlay, Depth: reach, Round: round, Strategy: strategy})
		}
		p.part(children[a], round, below, value+1)
		if own {
			p.emit(cudalib.BoardsOp{Kind: cudalib.BoardsGain, Depth: value, Round: round, First: i == 0, Strategy: strategy, To: p.sums[child] + a*p.places[round]})
		} else {
			p.path = p.path[:len(p.path)-1]
			p.emit(cudalib.BoardsOp{Kind: cudalib.BoardsAdd, Depth: value, First: i == 0})
		}
	}
	p.emit(cudalib.BoardsOp{Kind: cudalib.BoardsResult, Depth: value})
}

// prepareFor prepares an end with a reach, unless that was done before.
func (p *programmer) prepareFor(end int32, reach int) {
	kind := cudalib.BoardsScan
	if won, lost, _ := p.payoffs(end); p.splits && won == lost {
		kind = cudalib.BoardsTotal // as few other ends have the same reach
	}
	if p.prepare != p.reach[reach] || kind == cudalib.BoardsScan && !p.scanned {
		p.prepare, p.scanned = p.reach[reach], kind == cudalib.BoardsScan
		p.emit(cudalib.BoardsOp{Kind: kind, Depth: reach})
	}
}

func boolOf(x bool) int {
	if x {
		return 1
	}
	return 0
}

// play takes an action of the other player, and returns the depth of the reach
// after it.
func (p *programmer) play(op cudalib.BoardsOp) int {
	p.emit(op)
	p.path = append(p.path, op)
	depth := op.Depth + 1
	p.reach = append(p.reach[:depth], 0)
	p.reaches++
	p.reach[depth] = p.reaches
	return depth
}

// part visits a child. Each way to the second round is a part of its own, which
// starts with the actions that lead there.
func (p *programmer) part(child int32, round, reach, value int) {
	if child < 0 || round > 0 || p.game.nodes[child].round == 0 {
		p.visit(child, reach, value)
		return
	}
	above, prepared, scanned := p.ops, p.prepare, p.scanned
	p.ops, p.prepare = slices.Clone(p.path), -1
	p.visit(child, reach, 0)
	number := len(p.parts)
	p.emit(cudalib.BoardsOp{Kind: cudalib.BoardsStore, To: p.firstPart + number})
	p.parts = append(p.parts, p.ops)
	p.ops, p.prepare, p.scanned = above, prepared, scanned
	p.emit(cudalib.BoardsOp{Kind: cudalib.BoardsLoad, To: p.firstPart + number})
}

func (p *programmer) emit(op cudalib.BoardsOp) { p.ops = append(p.ops, op) }

// end returns the number of what an end is worth to the player.
func (p *programmer) end(e int32) int {
	if number, ok := p.ends[e]; ok {
		return number
	}
	number := len(p.ends)
	p.ends[e] = number
	won, lost, tied := p.payoffs(e)
	p.out.Ends = append(p.out.Ends, won, lost, tied)
	return number
}

// payoffs returns what an end is worth to the player with the best hand, with
// another and with one as good.
func (p *programmer) payoffs(e int32) (won, lost, tied float32) {
	result := func(winners players) float32 {
		return p.game.ends.value(e, p.player, []players{0, 1, 2, winners})
	}
	return result(1 << p.player), result(1 << (1 - p.player)), result(3)
}

// boardsGame lays a game of two players out for a device: its nodes, and a walk
// for each of them. Cards is how many a board leaves.
func (g *Game) boardsGame(cards int) cudalib.BoardsGame {
	hands := choose[cards][g.Rules.NumHoleCards]
	out := cudalib.BoardsGame{
		Rounds: g.Rules.NumRounds, Cards: cards, TwoCards: g.Rules.NumHoleCards == 2, Hands: hands, Entries: g.Entries,
	}
	places := make([]int, g.Rules.NumRounds)
	for r := range places {
		places[r] = min(hands, g.Buckets.NumBuckets(r))
	}
	strategy := make([]int, len(g.nodes))
	sums := [2][]int{make([]int, len(g.nodes)), make([]int, len(g.nodes))}
	var found [2]int
	for i := range g.nodes {
		n := &g.nodes[i]
		r, actor, actions := int(n.round), int(n.actor), int(n.actions)
		rows, buckets := &g.rows[r][actor], g.Buckets.NumBuckets(r)
		strategy[i] = out.Strategies
		out.Strategies += actions * buckets
		for walker := range sums {
			sums[walker][i] = found[walker]
			if walker == actor {
				found[walker] += actions * places[r]
			} else {
				found[walker] += places[r]
			}
		}
		out.Nodes = append(out.Nodes, cudalib.BoardsNode{
			First: rows.of(0) + int(n.row), Width: rows.width, Actions: actions, Actor: actor, Round: r,
			Strategy: strategy[i], Buckets: buckets, Sums: [2]int{sums[0][i], sums[1][i]}, Places: places[r],
		})
	}
	for player := range out.Programs {
		p := programmer{game: g, player: player, strategy: strategy, sums: sums[player], places: places}
		out.Splits[player] = p.split()
		out.Programs[player] = p.program()
		out.Programs[player].Sums = found[player]
	}
	return out
}
