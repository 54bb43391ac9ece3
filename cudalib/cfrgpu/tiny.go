package cfrgpu

import (
	"math"
	"unsafe"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

const (
	// MaxTinyStride is the largest stride of a game that one block trains alone: a
	// wider one has too many entries for its memory anyway.
	MaxTinyStride  = 64
	maxTinyThreads = 512
)

// A tiny trains a game that fits in the shared memory of one block.
type tiny struct {
	plan      *tinyPlan
	words     driver.Buffer[uint32]
	constants driver.Buffer[float32]
	train     *launch.Kernel[tinyParams]
}

// tinyParams are the parameters of cfr_tiny in tiny.cu.
type tinyParams struct {
	Plan                                         driver.Buffer[uint32]
	Constants, Regret, Matched, Sum, Discounts   driver.Buffer[float32]
	Iterations, PlanWords, NumConstants, Entries uint32
}

// newTiny plans the training of a game in one block. It returns nil where the
// rounds are too wide or there are too many entries.
func newTiny(g *Game) *tiny {
	if g.HoleCards != 1 || g.Entries > math.MaxUint16 {
		return nil
	}
	for _, x := range g.Rounds {
		if x.Stride > MaxTinyStride {
			return nil
		}
	}
	plan := newTinyPlan(g)
	if len(plan.words) > math.MaxUint16 || plan.values > math.MaxUint16 {
		return nil
	}
	return &tiny{plan: plan}
}

// shared returns how many bytes of shared memory a block has for a tiny game.
func (t *tiny) shared(g *Game, predictive bool) int {
	arrays := 3
	if predictive {
		arrays = 4
	}
	return 4 * (arrays*g.Entries + len(t.plan.constants) + len(t.plan.words) + t.plan.values)
}

func (t *tiny) load(l *launch.Launcher) {
	t.train = launch.Find[tinyParams](l, "cfr_tiny")
	t.words, t.constants = launch.Upload(l, t.plan.words), launch.Upload(l, t.plan.constants)
}

// grid returns a grid with a block for each copy of a tiny game, and a thread for
// each item of the step with the most items, up to the limit of a block.
func (t *tiny) grid(g *Game, o Options) driver.Grid {
	return driver.Grid{Blocks: o.Copies, Threads: min(maxTinyThreads, launch.Whole(t.plan.widest)),
		Shared: t.shared(g, o.Predictive)}
}

// The structs of tiny.cu.
type (
	tinyHeader struct {
		rounds                uint32
		_                     [3]uint32
		terminals, strategies [2]tinyList
		updates               [4][2]tinyList
		segments, deals       [4]tinyList
	}
	tinyList struct{ at, num uint32 }
)

// A tinyPlan is a tiny game as its kernel reads it: lists of work items, with the
// offsets that they read and write. Two offsets share a word, see [Pair].
type tinyPlan struct {
	arrays
	game   *Game
	values int // floats: a vector for each node, and one more for each showdown
	widest int // items of a step

	value, sums []uint32 // where they are, by node
	parent      []int    // parent by node, -1 at the root
	rounds      []tinyRound
}

// A tinyRound has the offsets of a round's arrays.
type tinyRound struct {
	size, weight uint32 // offsets in the constants
	ties         uint32
	ancestors    uint32 // ancestors of all buckets one round ago, then two
	children     uint32
}

func newTinyPlan(g *Game) *tinyPlan {
	p := &tinyPlan{game: g}
	header := tinyHeader{rounds: uint32(len(g.Rounds))}
	p.words = make([]uint32, unsafe.Sizeof(header)/4)
	p.layOut()
	for r := range g.Rounds {
		p.rounds = append(p.rounds, p.round(r))
	}
	paths := [2][]uint32{p.paths(0), p.paths(1)}
	for player := range 2 {
		var terminals, strategies []uint32
		updates := make([][]uint32, len(g.Rounds))
		for k, s := range g.Segments {
			for i := s.First; i < s.Last; i++ {
				n := &g.Nodes[i]
				switch {
				case n.Kind == Terminal:
					terminals = append(terminals, p.terminals(k, i, player, paths[1-player][i])...)
				case n.Kind == Decision && n.Actor == player:
					for column := 0; column < g.Rounds[s.Round].Stride; column += bucketsPerThread {
						strategies = append(strategies, p.strategy(k, i, column, paths[player][i])...)
						updates[s.Round] = append(updates[s.Round], p.update(k, i, column)...)
					}
				}
			}
		}
		header.terminals[player], header.strategies[player] = p.list(terminals, 8), p.list(strategies, 4)
		p.widest = max(p.widest, len(terminals)/8+len(strategies)/4)
		for r := range updates {
			header.updates[r][player] = p.list(updates[r], 4)
		}
	}
	for r := range g.Rounds {
		header.segments[r] = p.list(p.segmentsOf(r), 4)
		header.deals[r] = p.list(p.deals(r), 4)
	}
	p.put(make([]uint32, 4)) // decisions are read one ahead
	copy(p.words, launch.Words([]tinyHeader{header}))
	return p
}

// list adds a list of items of equal length, in words, to the plan.
func (p *tinyPlan) list(items []uint32, words int) tinyList {
	p.widest = max(p.widest, len(items)/words)
	return tinyList{p.put(items), uint32(len(items) / words)}
}

// layOut decides where the values of nodes are, and finds their parents.
func (p *tinyPlan) layOut() {
	g := p.game
	p.value, p.sums, p.parent = make([]uint32, len(g.Nodes)), make([]uint32, len(g.Nodes)), make([]int, len(g.Nodes))
	for _, s := range g.Segments {
		p.parent[s.First] = s.From
		for i := s.First; i < s.Last; i++ {
			p.value[i] = uint32(p.values)
			p.values += g.Rounds[s.Round].Stride
			if n := &g.Nodes[i]; n.Kind == Decision {
				for child := n.First; child < n.First+n.Actions; child++ {
					p.parent[child] = i
				}
			}
		}
		for i := s.First; i < s.Last; i++ { // children have their values one after the other
			if g.Nodes[i].Showdown {
				p.sums[i] = uint32(p.values)
				p.values += g.Rounds[s.Round].Stride
			}
		}
	}
}

func (p *tinyPlan) round(r int) tinyRound {
	x := &p.game.Rounds[r]
	round := tinyRound{size: p.putConstants(x.Size), weight: p.putConstants(convert[float32](x.Weight)),
		ties: p.put(x.Ties)}
	ancestors, all := x.Up, []uint32{}
	for before := r - 1; before >= 0; before-- {
		all = append(all, ancestors...)
		up := make([]uint32, len(ancestors))
		for h, a := range ancestors {
			up[h] = p.game.Rounds[before].Up[a]
		}
		ancestors = up
	}
	round.ancestors, round.children = p.put(all), p.put(x.Children)
	return round
}

// paths returns by node the path of a player's actions to it: a [Pair] of the offset
// of the first action and how many there are.
func (p *tinyPlan) paths(player int) []uint32 {
	g := p.game
	paths, known := make([]uint32, len(g.Nodes)), map[[2]int]uint32{}
	for _, s := range g.Segments {
		for i := s.First; i < s.Last; i++ {
			var steps []uint32
			last := [2]int{-1, s.Round} // the player's last action, and from where it is seen
			round := s.Round
			for child, n := i, p.parent[i]; n >= 0; child, n = n, p.parent[n] {
				switch node := &g.Nodes[n]; {
				case node.Kind == Deal:
					round--
				case node.Actor == player:
					if last[0] < 0 {
						last[0] = child
					}
					entry := node.Entry + (child-node.First)*g.Rounds[round].Stride
					steps = append([]uint32{Pair(uint32(entry), uint32(s.Round-round))}, steps...)
				}
			}
			if _, ok := known[last]; !ok {
				known[last] = Pair(p.put(steps), uint32(len(steps)))
			}
			paths[i] = known[last]
		}
	}
	return paths
}

// terminals returns the items of a terminal node, one for each board.
func (p *tinyPlan) terminals(segment, node, player int, path uint32) (items []uint32) {
	n, r := &p.game.Nodes[node], p.game.Segments[segment].Round
	x, at := &p.game.Rounds[r], &p.rounds[r]
	amount, showdown := n.Amount, uint32(1)
	if !n.Showdown {
		showdown = 0
		if player == 1 {
			amount = -amount
		}
	}
	for column := 0; column < x.Stride; column += int(x.Groups[column]) * Lanes {
		c := uint32(column)
		items = append(items, path, Pair(p.value[node]+c, p.sums[node]+c),
			c|x.Groups[column]<<8|uint32(x.Stride)<<16|showdown<<24,
			math.Float32bits(amount), Pair(at.size+c, at.ancestors+c), at.ties+c, 0, 0)
	}
	return items
}

func (p *tinyPlan) strategy(segment, node, column int, path uint32) []uint32 {
	n, r := &p.game.Nodes[node], p.game.Segments[segment].Round
	c, at := uint32(column), &p.rounds[r]
	return []uint32{path, Pair(uint32(n.Entry)+c, uint32(n.Actions)), Pair(c, uint32(p.game.Rounds[r].Stride)),
		Pair(at.size+c, at.ancestors+c)}
}

func (p *tinyPlan) update(segment, node, column int) []uint32 {
	n, c := &p.game.Nodes[node], uint32(column)
	stride := p.game.Rounds[p.game.Segments[segment].Round].Stride
	return []uint32{Pair(uint32(n.Entry)+c, uint32(n.Actions)),
		Pair(p.value[node]+c, p.value[n.First]+c), uint32(stride), 0}
}

// segmentsOf returns the items of a round's segments, which list their decisions
// from the last to the first.
func (p *tinyPlan) segmentsOf(r int) (items []uint32) {
	g, x := p.game, &p.game.Rounds[r]
	for _, s := range g.Segments[x.FirstSegment:][:x.Segments] {
		var decisions []uint32
		for i := s.Last - 1; i >= s.First; i-- {
			if n := &g.Nodes[i]; n.Kind == Decision {
				decisions = append(decisions, Pair(p.value[i], p.value[n.First]),
					uint32(n.Entry)|uint32(n.Actions)<<16|uint32(n.Actor)<<24)
			}
		}
		at := Pair(p.put(decisions), uint32(len(decisions)/2))
		for column := 0; column < x.Stride; column += bucketsPerThread {
			items = append(items, at, uint32(column), uint32(x.Stride), 0)
		}
	}
	return items
}

// deals returns the items of a round's deals, one for each bucket.
func (p *tinyPlan) deals(r int) (items []uint32) {
	g, x := p.game, &p.game.Rounds[r]
	for _, s := range g.Segments[x.FirstSegment:][:x.Segments] {
		for i := s.First; i < s.Last; i++ {
			n := &g.Nodes[i]
			if n.Kind != Deal {
				continue
			}
			for h := range x.Stride {
				first, last := x.ChildStart[h], x.ChildStart[h+1]
				items = append(items, Pair(p.value[i]+uint32(h), p.value[g.Segments[n.First].First]),
					Pair(p.rounds[r].children+first, last-first), p.rounds[r+1].weight, 0)
			}
		}
	}
	return items
}
