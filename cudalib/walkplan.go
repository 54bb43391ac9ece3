package cudalib

import (
	"cmp"
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
		stride, firstSegment, segments           uint32
		up, size, weight, board, groups, ties    uint32
		card, places, hands, strideHands, parts  uint32
		shareStart, shares, mostShares, children uint32
		deals, numDeals                          uint32
		_                                        [4]uint32
	}
	walkSlots struct{ own, other, value, best uint16 }
	walkNode  struct {
		kind, actor, actions, first, entry, scale, showdown, _ uint32
		walker                                                 [2]walkSlots
	}
	walkSum     struct{ slot, kinds, firstEnd, ends uint32 }
	walkSegment struct {
		round, script, words           uint32
		nodes, decisions, numDecisions uint32
		vectors                        uint32
		sums, numSums, ends, numEnds   [2]uint32
		enter                          [2]uint32
		entered, frame, root, best     uint32
		_                              [3]uint32
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
	game      *CFRGame
	valuing   bool // values and best responses, or else training
	words     []uint32
	constants []float32
	weights   []float64
	frames    int // numbers
	segments  []walkSegment
	classes   []walkClass // of parts of the last round
	early     []walkClass // by round before it: all parts
	means     []walkMean  // likewise
	roots     [2]int      // where the values at the root of the game are in the frames, and the best
}

// walkClass is adjacent parts in a round's list that are launched together.
type walkClass struct{ first, parts, columns, cards int }

// newWalkPlan writes a game for walks.
func newWalkPlan(g *CFRGame, valuing bool) *walkPlan {
	p := &walkPlan{game: g, valuing: valuing}
	var header walkHeader
	p.words = make([]uint32, unsafe.Sizeof(header)/4)
	header.numRounds, header.hole = uint32(len(g.Rounds)), uint32(g.HoleCards)
	nodes := p.place()
	for r := range g.Rounds {
		header.rounds[r] = p.round(r, nodes)
	}
	for k := range p.segments {
		p.script(k, nodes[k])
	}
	header.segments = p.put(wordsOf(p.segments))
	copy(p.words, wordsOf([]walkHeader{header}))
	root := &p.segments[0]
	p.roots = [2]int{int(root.root) * CFRLanes, int(root.best) * CFRLanes}
	return p
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

// walkSegmentNodes is a segment's nodes and what a walk for each player sums up.
type walkSegmentNodes struct {
	nodes []walkNode
	sums  [2][]walkSum
	ends  [2][]uint32
}

// place finds places for the vectors of all segments: those of earlier rounds are
// all kept, in the frames; those of the last round need a place only while they
// are used.
func (p *walkPlan) place() []walkSegmentNodes {
	g := p.game
	all := make([]walkSegmentNodes, len(g.Segments))
	p.segments = make([]walkSegment, len(g.Segments))
	lanes := 0
	for k, s := range g.Segments {
		n := &all[k]
		n.nodes = make([]walkNode, s.Last-s.First)
		for i := range n.nodes {
			n.nodes[i] = g.Nodes[s.First+i].walked(s.First)
		}
		x := &p.segments[k]
		*x = walkSegment{round: uint32(s.Round), frame: uint32(lanes)}
		vector := g.Rounds[s.Round].Stride / CFRLanes
		if s.Round < len(g.Rounds)-1 {
			x.vectors = uint32(n.keepAll(g, s, p.valuing))
			root := n.nodes[0].walker[0]
			x.root, x.best = x.frame+uint32(int(root.value)*vector), x.frame+uint32(int(root.best)*vector)
			lanes += int(x.vectors) * vector
		} else {
			for player := range 2 {
				x.vectors = max(x.vectors, uint32(n.share(g, s, player, p.valuing)))
			}
			x.root = uint32(lanes)
			lanes += vector
			x.best = uint32(lanes)
			if p.valuing {
				lanes += vector
			}
		}
		if s.From >= 0 {
			before := &p.segments[s.Before]
			stride := g.Rounds[before.round].Stride / CFRLanes
			x.entered = 1
			for q := range 2 {
				x.enter[q] = before.frame + uint32(g.Nodes[s.From].Slot[q]*stride)
			}
		}
	}
	p.frames = lanes * CFRLanes
	return all
}

// walked returns a node of a segment that starts at a node first, without slots.
func (n *CFRNode) walked(first int) walkNode {
	x := walkNode{kind: uint32(n.Kind), actor: uint32(n.Actor), actions: uint32(n.Actions),
		entry: uint32(n.Entry / CFRLanes), scale: uint32(n.Scale / CFRLanes)}
	switch {
	case n.Kind == CFRDecision:
		x.first = uint32(n.First - first)
	case n.Kind == CFREnd:
		x.first = math.Float32bits(n.Amount)
	}
	if n.Showdown {
		x.showdown = 1
	}
	return x
}

// keepAll gives each vector of a segment of an earlier round a place of its own,
// and returns how many there are.
func (n *walkSegmentNodes) keepAll(g *CFRGame, s CFRSegment, valuing bool) int {
	num := len(n.nodes)
	for i := range n.nodes {
		slot := g.Nodes[s.First+i].Slot
		for player := range 2 {
			w := &n.nodes[i].walker[player]
			*w = walkSlots{uint16(slot[player]), uint16(slot[1-player]), uint16(2 + num + i), uint16(2 + num + i)}
			if valuing {
				w.own = walkNone
				if n.nodes[i].kind != uint32(CFREnd) {
					w.best = uint16(2 + 2*num + i)
				}
			}
		}
	}
	for player := range 2 {
		for i := range n.nodes {
			if n.nodes[i].kind == uint32(CFREnd) {
				n.addEnd(player, uint32(i))
			}
		}
		n.gatherEnds(player)
	}
	if valuing {
		return 2 + 3*num
	}
	return 2 + 2*num
}

// addEnd counts an end to the sum over the other player's reach there.
func (n *walkSegmentNodes) addEnd(player int, i uint32) {
	slot := uint32(n.nodes[i].walker[player].other)
	k := slices.IndexFunc(n.sums[player], func(s walkSum) bool { return s.slot == slot })
	if k < 0 {
		k = len(n.sums[player])
		n.sums[player] = append(n.sums[player], walkSum{slot: slot})
	}
	sum := &n.sums[player][k]
	sum.ends++
	if n.nodes[i].showdown != 0 {
		sum.kinds |= walkForShowdowns
	} else {
		sum.kinds |= walkForFolds
	}
}

// gatherEnds lists the ends of each sum after the other.
func (n *walkSegmentNodes) gatherEnds(player int) {
	for k := range n.sums[player] {
		sum := &n.sums[player][k]
		sum.firstEnd = uint32(len(n.ends[player]))
		for i := range n.nodes {
			if x := &n.nodes[i]; x.kind == uint32(CFREnd) && uint32(x.walker[player].other) == sum.slot {
				n.ends[player] = append(n.ends[player], uint32(i))
			}
		}
	}
}

// places are vectors' places, of which those that are free are taken again.
type places struct {
	free []uint16
	num  int
}

func (p *places) take() uint16 {
	if n := len(p.free); n > 0 {
		slot := p.free[n-1]
		p.free = p.free[:n-1]
		return slot
	}
	p.num++
	return uint16(p.num - 1)
}

func (p *places) give(slot uint16) {
	if slot != walkNone {
		p.free = append(p.free, slot)
	}
}

// share gives the vectors of a last round's segment places in the order in which
// a walk for a player needs them, and returns how many it takes.
func (n *walkSegmentNodes) share(g *CFRGame, s CFRSegment, player int, valuing bool) int {
	var p places
	slot := func(i int) *walkSlots { return &n.nodes[i].walker[player] }
	// Reach is known by who owns it there: a vector is made at the root or at a
	// child of a decision, and seen by all nodes below that have the same Slot.
	of := func(i, q int) int { return g.Nodes[s.First+i].Slot[q] }
	last := [2]map[int]int{{}, {}} // by player and Slot: the last decision that needs it
	ends := map[int]bool{}         // Slots of the other player with ends
	for i := range n.nodes {
		switch n.nodes[i].kind {
		case uint32(CFRDecision):
			actor := int(n.nodes[i].actor)
			last[actor][of(i, actor)] = i
		case uint32(CFREnd):
			ends[of(i, 1-player)] = true
		}
	}
	taken := [2]map[int]uint16{{}, {}}
	enter := func(q, which int) {
		_, needed := last[q][which]
		switch {
		case q == player && (valuing || !needed), q != player && !needed && !ends[which]:
			taken[q][which] = walkNone
		default:
			taken[q][which] = p.take()
		}
	}
	for q := range 2 {
		enter(q, of(0, q))
	}
	for i := range n.nodes {
		x := &n.nodes[i]
		*slot(i) = walkSlots{own: taken[player][of(i, player)], other: taken[1-player][of(i, 1-player)]}
		if x.kind != uint32(CFRDecision) {
			continue
		}
		actor := int(x.actor)
		which := of(i, actor)
		if last[actor][which] == i && (actor == player || !ends[which]) {
			p.give(taken[actor][which])
		}
		for child := x.first; child < x.first+x.actions; child++ {
			enter(actor, of(int(child), actor))
		}
	}

	for i := range n.nodes {
		if n.nodes[i].kind == uint32(CFREnd) {
			n.addEnd(player, uint32(i))
		}
	}
	n.gatherEnds(player)
	for _, sum := range n.sums[player] {
		of := n.ends[player][sum.firstEnd:][:sum.ends]
		for k, i := range of {
			v := uint16(sum.slot) // nobody needs it after the last end
			if k < len(of)-1 {
				v = p.take()
			}
			slot(int(i)).value, slot(int(i)).best = v, v
		}
	}
	for i := len(n.nodes) - 1; i >= 0; i-- {
		x := &n.nodes[i]
		if x.kind != uint32(CFRDecision) {
			continue
		}
		for child := int(x.first); child < int(x.first+x.actions); child++ {
			p.give(slot(child).value)
			if slot(child).best != slot(child).value {
				p.give(slot(child).best)
			}
		}
		slot(i).value = p.take()
		if slot(i).best = slot(i).value; valuing {
			slot(i).best = p.take()
		}
	}
	return p.num
}

// script writes the nodes of a segment and what is to be done with them.
func (p *walkPlan) script(k int, n walkSegmentNodes) {
	s := &p.segments[k]
	var words, decisions []uint32
	for i := range n.nodes {
		if n.nodes[i].kind == uint32(CFRDecision) {
			decisions = append(decisions, uint32(i))
		}
	}
	add := func(list []uint32) uint32 {
		at := uint32(len(words))
		words = append(words, list...)
		for len(words)%4 != 0 {
			words = append(words, 0)
		}
		return at
	}
	s.nodes = add(wordsOf(n.nodes))
	s.decisions, s.numDecisions = add(decisions), uint32(len(decisions))
	for player := range 2 {
		s.sums[player], s.numSums[player] = add(wordsOf(n.sums[player])), uint32(len(n.sums[player]))
		s.ends[player], s.numEnds[player] = add(n.ends[player]), uint32(len(n.ends[player]))
	}
	s.script, s.words = p.put(words), uint32(len(words))
}

// round writes what belongs to a round.
func (p *walkPlan) round(r int, nodes []walkSegmentNodes) walkRound {
	g := p.game
	x := &g.Rounds[r]
	round := walkRound{
		stride: uint32(x.Stride), firstSegment: uint32(x.FirstSegment), segments: uint32(x.Segments),
		up: p.put(x.Up), size: p.hold(x.Size), weight: uint32(len(p.weights)), ties: p.put(x.Ties),
		hands: uint32(x.Hands), strideHands: uint32((x.Hands + CFRLanes - 1) / CFRLanes * CFRLanes),
	}
	parts := make([]walkPart, 0, len(x.Parts)/2)
	for i := 0; i < len(x.Parts); i += 2 {
		parts = append(parts, walkPart{first: x.Parts[i], last: x.Parts[i+1]})
	}
	if g.HoleCards == 1 {
		round.board, round.groups = p.put(x.Board), p.put(x.Groups)
	} else {
		round.card, round.places = p.put(x.Card), p.put(x.Places)
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
	round.parts = p.put(wordsOf(parts))
	if r == len(g.Rounds)-1 {
		p.classes = classes
		return round
	}
	p.early = append(p.early, classes[0])
	round.shareStart, round.shares = p.put(x.ShareStart), p.put(x.Shares)
	for h := range x.Stride {
		round.mostShares = max(round.mostShares, x.ShareStart[h+1]-x.ShareStart[h])
	}
	round.children = p.put(x.Children)
	for _, child := range x.Children {
		p.weights = append(p.weights, g.Rounds[r+1].Weight[child])
	}
	var deals []uint32
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Kind != CFRDeal || int(p.segments[n.First].round) != r+1 {
			continue
		}
		child, here := &p.segments[n.First], &p.segments[g.Segments[n.First].Before]
		slots := nodes[g.Segments[n.First].Before].nodes[i-g.Segments[g.Segments[n.First].Before].First].walker[0]
		lanes := uint32(x.Stride / CFRLanes)
		deals = append(deals, child.root, here.frame+uint32(slots.value)*lanes, child.best, here.frame+uint32(slots.best)*lanes)
	}
	round.deals, round.numDeals = p.put(deals), uint32(len(deals)/4)
	p.means = append(p.means, walkMean{buckets: len(deals) / 4 * x.Stride, shares: int(round.mostShares)})
	return round
}

// walkMean is the mean over the boards after a round: for how many buckets of all
// deals, of how many shares at most.
type walkMean struct{ buckets, shares int }

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
