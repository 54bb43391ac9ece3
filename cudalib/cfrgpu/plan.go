package cfrgpu

import (
	"cmp"
	"gamebots/cudalib/launch"
	"math"
	"slices"
	"unsafe"
)

// The structs of kernels/walk.cuh.
type (
	walkHeader struct {
		rounds                       [4]walkRound
		numRounds, segments, hole, _ uint32
	}
	walkRound struct {
		stride, firstSegment, segments                  uint32
		up, size, weight, board, groups, ties           uint32
		card, firstPlaces, secondPlaces                 uint32
		hands, strideHands, parts                       uint32
		shareStart, shareChildren, mostShares, children uint32
		deals, numDeals                                 uint32
		_                                               [3]uint32
	}
	walkSlots struct{ own, other, value, best uint16 }
	walkNode  struct {
		actor, actions, first, entry, scale, showdown uint32
		slots                                         walkSlots
	}
	walkSum     struct{ slot, kinds, firstEnd, ends uint32 }
	walkSegment struct {
		round                                      uint32
		script, words, program, length, sums, ends [2]uint32
		before, vectors                            uint32
		enter                                      [2]uint32
		entered, frame, root, best, reach          uint32
		_                                          [2]uint32
	}
)

const (
	walkNone         = 0xffff // a slot of no vector
	walkForShowdowns = 1
	walkForFolds     = 2
)

// A walkPlan is a game as the kernels of walks read it: words and constants, and
// the sizes of what they need beside it.
type walkPlan struct {
	game      *Game
	valuing   bool // values and best responses, or else training
	words     []uint32
	constants []float32
	weights   []float64
	frames    int // numbers
	segments  []walkSegment
	values    []walkSlots // by node; of earlier rounds the same for both players
	classes   []walkClass // of parts of the last round
	early     []walkClass // by round before it: all parts
	means     []walkMean  // likewise
	roots     [2]int      // where the values at the root of the game are in the frames, and the best
}

// walkClass is adjacent parts in a round's list that are launched together.
type walkClass struct{ first, parts, columns, cards int }

// newWalkPlan writes a game for walks.
func newWalkPlan(g *Game, valuing bool) *walkPlan {
	p := &walkPlan{game: g, valuing: valuing}
	var header walkHeader
	p.words = make([]uint32, unsafe.Sizeof(header)/4)
	header.numRounds, header.hole = uint32(len(g.Rounds)), uint32(g.HoleCards)
	p.place()
	for r := range g.Rounds {
		header.rounds[r] = p.round(r)
	}
	header.segments = p.put(launch.Words(p.segments))
	copy(p.words, launch.Words([]walkHeader{header}))
	root := &p.segments[0]
	p.roots = [2]int{int(root.root) * Lanes, int(root.best) * Lanes}
	return p
}

// places returns where the segments and the parts of a round are.
func (p *walkPlan) places(round int) (segments, parts int) {
	header := (*walkHeader)(unsafe.Pointer(unsafe.SliceData(p.words)))
	size := int(unsafe.Sizeof(walkSegment{}) / 4)
	return int(header.segments) + size*p.game.Rounds[round].FirstSegment, int(header.rounds[round].parts)
}

// put adds an array to the plan and returns its place.
func (p *walkPlan) put(array []uint32) uint32 {
	for len(p.words)%4 != 0 { // four words are loaded at a time
		p.words = append(p.words, 0)
	}
	p.words = append(p.words, array...)
	return uint32(len(p.words) - len(array))
}

func (p *walkPlan) hold(array []float32) uint32 {
	p.constants = append(p.constants, array...)
	return uint32(len(p.constants) - len(array))
}

// place finds places for the vectors of all segments, and writes what is done in
// walks for both players: vectors of earlier rounds are all kept, in the frames;
// those of the last round need a place only while they are used.
func (p *walkPlan) place() {
	g := p.game
	p.segments = make([]walkSegment, len(g.Segments))
	p.values = make([]walkSlots, len(g.Nodes))
	lanes := 0
	for k, s := range g.Segments {
		x := &p.segments[k]
		*x = walkSegment{round: uint32(s.Round), frame: uint32(lanes)}
		vector := g.Rounds[s.Round].Stride / Lanes
		last := s.Round == len(g.Rounds)-1
		for player := range 2 {
			w := newWalkWriter(g, s, player, p.valuing)
			vectors := 0
			if last {
				w.byDepth(0)
				vectors = w.share()
			} else {
				x.before = uint32(w.byLevel())
				x.reach = uint32(2 + len(w.nodes))
				vectors = w.keepAll()
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
			if p.valuing {
				lanes += vector
			}
		}
		if s.From >= 0 {
			before := &p.segments[s.Before]
			stride := g.Rounds[before.round].Stride / Lanes
			x.entered = 1
			for q := range 2 {
				x.enter[q] = before.frame + uint32(g.Nodes[s.From].Slot[q]*stride)
			}
		}
	}
	p.frames = lanes * Lanes
}

// walked returns a node of a segment that starts at a node first, without slots.
func (n *Node) walked(first int) walkNode {
	x := walkNode{actor: uint32(n.Actor), actions: uint32(n.Actions), entry: uint32(n.Entry / Lanes), scale: uint32(n.Scale / Lanes)}
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

// round writes what belongs to a round.
func (p *walkPlan) round(r int) walkRound {
	g := p.game
	x := &g.Rounds[r]
	round := walkRound{
		stride: uint32(x.Stride), firstSegment: uint32(x.FirstSegment), segments: uint32(x.Segments),
		up: p.put(x.Up), size: p.hold(x.Size), weight: uint32(len(p.weights)), ties: p.put(x.Ties),
		hands: uint32(x.Hands), strideHands: uint32((x.Hands + Lanes - 1) / Lanes * Lanes),
	}
	parts := make([]walkPart, 0, len(x.Parts)/2)
	for i := 0; i < len(x.Parts); i += 2 {
		parts = append(parts, walkPart{first: x.Parts[i], last: x.Parts[i+1]})
	}
	if g.HoleCards == 1 {
		round.board, round.groups = p.put(x.Board), p.put(x.Groups)
	} else {
		var first, second []uint32
		for h, c := range x.Card {
			first = append(first, c&0xffff*0x10001+x.Places[h]&0xff+x.Places[h]>>8&0xff<<16)
			second = append(second, c>>16*0x10001+x.Places[h]>>16&0xff+x.Places[h]>>24<<16)
		}
		round.card, round.firstPlaces, round.secondPlaces = p.put(x.Card), p.put(first), p.put(second)
		lists := p.put(packed(x.Lists))
		for i, l := range x.BoardLists { // a part is a board
			parts[i].lists, parts[i].cards = lists+uint32(l.First)*round.strideHands/2, uint32(l.Cards)
		}
	}
	classes := []walkClass{{parts: len(parts)}}
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
		slots := p.values[i]
		lanes := uint32(x.Stride / Lanes)
		deals = append(deals, child.root, here.frame+uint32(slots.value)*lanes, child.best, here.frame+uint32(slots.best)*lanes)
	}
	round.deals, round.numDeals = p.put(deals), uint32(len(deals)/4)
	m := newWalkMean(x, len(deals)/4)
	start, num, children := m.share(x)
	round.mostShares = uint32(m.shares)
	round.shareStart, round.shareChildren, round.children = p.put(start), p.put(num), p.put(children)
	for _, child := range children {
		p.weights = append(p.weights, g.Rounds[r+1].Weight[child])
	}
	p.means = append(p.means, m)
	return round
}

type walkPart struct{ first, last, lists, cards uint32 }

// packed puts two numbers into each word.
func packed(list []uint16) []uint32 {
	words := make([]uint32, 0, len(list)/2+1)
	for len(list) > 0 {
		var two [2]uint16
		list = list[copy(two[:], list):]
		words = append(words, uint32(two[0])|uint32(two[1])<<16)
	}
	return words
}

// classify sorts parts by their width, the widest first, and puts those together
// that need about as much memory of a block.
func classify(parts []walkPart) (classes []walkClass) {
	slices.SortStableFunc(parts, func(a, b walkPart) int { return cmp.Compare(b.last-b.first, a.last-a.first) })
	for i := range parts {
		width := int(parts[i].last - parts[i].first)
		if len(classes) == 0 || 4*width < 3*classes[len(classes)-1].columns {
			classes = append(classes, walkClass{first: i, columns: width})
		}
		classes[len(classes)-1].parts++
	}
	return classes
}
