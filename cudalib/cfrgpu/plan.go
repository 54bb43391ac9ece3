package cfrgpu

import (
	"cmp"
	"gamebots/cudalib/internal/launch"
	"math"
	"slices"
	"unsafe"
)

// The structs of traversal.cuh, word for word.
type (
	planHeader struct {
		rounds                       [4]planRound
		numRounds, segments, hole, _ uint32
	}
	planRound struct {
		stride, firstSegment, segments                       uint32
		up, size, weight, board, groups, ties                uint32
		card, firstSums, secondSums                          uint32
		hands, strideHands, parts                            uint32
		partialStart, partialChildren, maxPartials, children uint32
		deals, numDeals                                      uint32
		_                                                    [3]uint32
	}
	slots    struct{ own, other, value, best uint16 }
	planNode struct {
		actor, actions, first, entry, scale, showdown uint32
		slots                                         slots
	}
	planSum     struct{ slot, kinds, firstTerminal, terminals uint32 }
	planSegment struct {
		round                                           uint32
		script, words, program, length, sums, terminals [2]uint32
		opsDown, vectors                                uint32
		reachFrom                                       [2]uint32
		hasParent, frame, root, best, reach             uint32
		_                                               [2]uint32
	}
)

const (
	noSlot          = 0xffff // a slot of no vector
	sumForShowdowns = 1
	sumForFolds     = 2
)

// A plan is a game as the kernels of traversals read it: words and constants, and
// the sizes of the other arrays.
type plan struct {
	arrays
	game       *Game
	evaluating bool // or else training
	weights    []float64
	frames     int // numbers of the vectors of earlier rounds
	segments   []planSegment
	values     []slots     // slots by node; in earlier rounds the same for both players
	classes    []partClass // classes of the last round's parts
	early      []partClass // class of all parts, by round before the last
	means      []mean      // likewise
	roots      [2]int      // where the values at the root of the game are in the frames, and the best responses'
}

// A partClass is adjacent parts in a round's list that are launched together.
type partClass struct {
	first, parts int
	columns      int // columns of the widest part
	cards        int // lists of the board with the most
}

// newPlan writes a game for traversals.
func newPlan(g *Game, evaluating bool) *plan {
	p := &plan{game: g, evaluating: evaluating}
	var header planHeader
	p.words = make([]uint32, unsafe.Sizeof(header)/4)
	header.numRounds, header.hole = uint32(len(g.Rounds)), uint32(g.HoleCards)
	p.layOut()
	for r := range g.Rounds {
		header.rounds[r] = p.round(r)
	}
	header.segments = p.put(launch.Words(p.segments))
	copy(p.words, launch.Words([]planHeader{header}))
	root := &p.segments[0]
	p.roots = [2]int{int(root.root) * Lanes, int(root.best) * Lanes}
	return p
}

// offsets returns the offsets of a round's segments and parts in the words.
func (p *plan) offsets(round int) (segments, parts int) {
	header := (*planHeader)(unsafe.Pointer(unsafe.SliceData(p.words)))
	size := int(unsafe.Sizeof(planSegment{}) / 4)
	return int(header.segments) + size*p.game.Rounds[round].FirstSegment, int(header.rounds[round].parts)
}

// arrays are those of a plan, one after the other.
type arrays struct {
	words     []uint32
	constants []float32
}

// put adds an array to the words and returns its offset.
func (a *arrays) put(array []uint32) uint32 {
	for len(a.words)%4 != 0 { // four words are loaded at a time
		a.words = append(a.words, 0)
	}
	a.words = append(a.words, array...)
	return uint32(len(a.words) - len(array))
}

// putConstants adds an array to the constants and returns its offset.
func (a *arrays) putConstants(array []float32) uint32 {
	a.constants = append(a.constants, array...)
	return uint32(len(a.constants) - len(array))
}

// layOut assigns slots to the vectors of all segments, and writes the programs of
// both players. Vectors of earlier rounds are all kept, in the frames. Those of the
// last round have a slot only while they are used.
func (p *plan) layOut() {
	g := p.game
	p.segments = make([]planSegment, len(g.Segments))
	p.values = make([]slots, len(g.Nodes))
	lanes := 0
	for k, s := range g.Segments {
		x := &p.segments[k]
		*x = planSegment{round: uint32(s.Round), frame: uint32(lanes)}
		vector := g.Rounds[s.Round].Stride / Lanes
		last := s.Round == len(g.Rounds)-1
		for player := range 2 {
			w := newProgramWriter(g, s, player, p.evaluating)
			vectors := 0
			if last {
				w.byDepth(0)
				vectors = w.shareSlots()
			} else {
				x.opsDown = uint32(w.byLevel())
				x.reach = uint32(2 + len(w.nodes))
				vectors = w.ownSlots()
			}
			x.vectors = max(x.vectors, uint32(vectors))
			for i := range w.nodes {
				p.values[s.First+i] = w.nodes[i].slots
			}
			w.write(p, x)
		}
		if !last {
			root := p.values[s.First]
			x.root, x.best = x.frame+uint32(int(root.value)*vector), x.frame+uint32(int(root.best)*vector)
			lanes += int(x.vectors) * vector
		} else {
			x.root = uint32(lanes)
			lanes += vector
			x.best = uint32(lanes)
			if p.evaluating {
				lanes += vector
			}
		}
		if s.From >= 0 {
			before := &p.segments[s.Before]
			stride := g.Rounds[before.round].Stride / Lanes
			x.hasParent = 1
			for q := range 2 {
				x.reachFrom[q] = before.frame + uint32(g.Nodes[s.From].Slot[q]*stride)
			}
		}
	}
	p.frames = lanes * Lanes
}

// planned returns a node of a segment that starts at the node first, without its
// slots.
func (n *Node) planned(first int) planNode {
	x := planNode{actor: uint32(n.Actor), actions: uint32(n.Actions), entry: uint32(n.Entry / Lanes),
		scale: uint32(n.Scale / Lanes)}
	switch {
	case n.Kind == Decision:
		x.first = uint32(n.First - first)
	case n.Kind == Terminal:
		x.first = math.Float32bits(n.Amount)
	}
	if n.Showdown {
		x.showdown = 1
	}
	return x
}

// round writes a round's arrays.
func (p *plan) round(r int) planRound {
	g := p.game
	x := &g.Rounds[r]
	round := planRound{
		stride: uint32(x.Stride), firstSegment: uint32(x.FirstSegment), segments: uint32(x.Segments),
		up: p.put(x.Up), size: p.putConstants(x.Size), weight: uint32(len(p.weights)), ties: p.put(x.Ties),
		hands: uint32(x.Hands), strideHands: uint32((x.Hands + Lanes - 1) / Lanes * Lanes),
	}
	parts := make([]part, 0, len(x.Parts)/2)
	for i := 0; i < len(x.Parts); i += 2 {
		parts = append(parts, part{first: x.Parts[i], last: x.Parts[i+1]})
	}
	if g.HoleCards == 1 {
		round.board, round.groups = p.put(x.Board), p.put(x.Groups)
	} else {
		var lists []uint32
		var sums [2][]uint32 // sums by card of the worse hands, and of those that are not better
		for _, cards := range x.Cards {
			lists = append(lists, Pair(uint32(cards[0].List), uint32(cards[1].List)))
			for i, c := range cards {
				sums[i] = append(sums[i], Pair(uint32(c.List+c.Worse), uint32(c.List+c.NotBetter)))
			}
		}
		round.card, round.firstSums, round.secondSums = p.put(lists), p.put(sums[0]), p.put(sums[1])
		at := p.put(packed(x.Lists))
		for i, l := range x.BoardLists { // a part is a board
			parts[i].lists, parts[i].cards = at+uint32(l.First)*round.strideHands/2, uint32(l.Cards)
		}
	}
	classes := []partClass{{parts: len(parts)}}
	if r == len(g.Rounds)-1 {
		classes = classify(parts)
	}
	for i := range classes {
		c := &classes[i]
		for _, part := range parts[c.first:][:c.parts] {
			c.columns, c.cards = max(c.columns, int(part.last-part.first)), max(c.cards, int(part.cards))
		}
	}
	round.parts = p.put(launch.Words(parts))
	if r == len(g.Rounds)-1 {
		p.classes = classes
		return round
	}
	p.early = append(p.early, classes[0])
	var deals []uint32
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Kind != Deal || int(p.segments[n.First].round) != r+1 {
			continue
		}
		child, here := &p.segments[n.First], &p.segments[g.Segments[n.First].Before]
		value := p.values[i]
		lanes := uint32(x.Stride / Lanes)
		deals = append(deals, child.root, here.frame+uint32(value.value)*lanes, child.best,
			here.frame+uint32(value.best)*lanes)
	}
	round.deals, round.numDeals = p.put(deals), uint32(len(deals)/4)
	m := newMean(x, len(deals)/4)
	start, num, children := m.interleave(x)
	round.maxPartials = uint32(m.partials)
	round.partialStart, round.partialChildren, round.children = p.put(start), p.put(num), p.put(children)
	for _, child := range children {
		p.weights = append(p.weights, g.Rounds[r+1].Weight[child])
	}
	p.means = append(p.means, m)
	return round
}

// A part is buckets of a round that a block takes, and the lists of their board.
type part struct{ first, last, lists, cards uint32 }

// packed puts a [Pair] of numbers into each word.
func packed(list []uint16) []uint32 {
	words := make([]uint32, 0, len(list)/2+1)
	for len(list) > 0 {
		var two [2]uint16
		list = list[copy(two[:], list):]
		words = append(words, Pair(uint32(two[0]), uint32(two[1])))
	}
	return words
}

// classify sorts parts by their width, the widest first, and groups those that need
// about the same memory of a block.
func classify(parts []part) (classes []partClass) {
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.last-b.first, a.last-a.first) })
	for i := range parts {
		width := int(parts[i].last - parts[i].first)
		if len(classes) == 0 || 4*width < 3*classes[len(classes)-1].columns {
			classes = append(classes, partClass{first: i, columns: width})
		}
		classes[len(classes)-1].parts++
	}
	return classes
}
