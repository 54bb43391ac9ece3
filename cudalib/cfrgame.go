package cudalib

import (
	"math"
	"unsafe"
)

// CFRGame is a game of two players with one hole card or two, in flat arrays as
// solvers/cfr lays it out. Vectors have a number for each bucket of a round, and
// are padded to multiples of CFRLanes.
type CFRGame struct {
	HoleCards int
	Rounds    []CFRRound
	Nodes     []CFRNode
	Segments  []CFRSegment
	Entries   int // the length of the arrays of regrets and of strategies
	Scales    int // how many scales 16-bit arrays have
}

const (
	// CFRLanes is the number of buckets that are summed up together.
	CFRLanes = 8
	// CFRColumns is how many buckets a block works on, at most.
	CFRColumns = 128
	// cfrTinyColumns is the largest stride of a game that one block does alone.
	cfrTinyColumns = 32
)

// CFRRound is a betting round and its cards.
type CFRRound struct {
	Stride                 int // buckets, padding included
	FirstSegment, Segments int // of this round

	// By bucket: the one it refines in the round before; the first bucket of
	// its board, and how many times CFRLanes the board has; where the buckets
	// that tie with it start and end on its board, the end in the upper half;
	// how many hands it holds; its part in the value of the one it refines.
	Up, Board, Groups, Ties []uint32
	Size                    []float32
	Weight                  []float64
	// The buckets of the next round that refine bucket h are
	// Children[ChildStart[h]:ChildStart[h+1]].
	ChildStart, Children []uint32
	// Children are cut into shares, whose sums are added up: those of bucket h are
	// the shares from ShareStart[h] to ShareStart[h+1], and share i has the
	// children from Shares[i] to Shares[i+1].
	ShareStart, Shares []uint32
	// Parts are the first and the last bucket, exclusive, of each part of the
	// boards that a block takes: with one hole card at most CFRColumns of them,
	// or one board; with two one board.
	Parts []uint32

	// With two hole cards: how many hands there are with one card on a board; the
	// buckets of these, in ascending order, counted from the board's first, in
	// lists that are padded to multiples of CFRLanes; and by board which lists
	// are its own.
	Hands      int
	Lists      []uint16
	BoardLists []CFRLists
	// By bucket, for both cards of its canonical hand, each in a half: the place
	// of the list's first sum, of which there are Hands+1 a list; and, in two
	// bytes each, how many hands of the list are worse and not better.
	Card, Places []uint32
}

// CFRLists are the lists of a board: the first, and how many.
type CFRLists struct{ First, Cards int }

// CFRNode is a node of the betting tree.
type CFRNode struct {
	Kind           CFRKind
	Actor, Actions int
	First          int     // the first child, or the segment that a deal leads to
	Amount         float32 // what player 0 wins at an end, at a showdown with the better hand
	Showdown       bool
	// Slot is, by player, which vector of the segment is the player's reach:
	// those at the root come first, then one a node.
	Slot  [2]int
	Entry int // of the first action's first bucket; a multiple of CFRLanes
	Scale int // of the first bucket, of one for every four buckets; likewise
}

// CFRKind is what happens at a node.
type CFRKind int

// The kinds of nodes.
const (
	CFRDecision CFRKind = iota
	CFREnd
	CFRDeal
)

// CFRSegment is a betting round after one sequence of earlier rounds.
type CFRSegment struct {
	Round       int
	First, Last int // nodes
	From        int // the deal that leads here, -1 for none
	Before      int // the segment which that is in
}

// The structs of kernels/cfr.cuh.
type (
	cfrHeader struct {
		rounds                        [4]cfrRound
		numRounds, nodes, segments, _ uint32
	}
	cfrRound struct {
		stride, firstSegment, segments         uint32
		up, childStart, children               uint32
		board, groups, ties                    uint32
		size, weight                           uint32
		parts, numParts                        uint32
		decisions, numDecisions, ends, numEnds uint32
		deals, numDeals, _                     uint32
	}
	cfrNode struct {
		actor, actions, first uint32
		slots                 [2]uint32
		entry, showdown       uint32
		_                     uint32
	}
	cfrSegment struct {
		round, first, last                                      uint32
		from                                                    int32
		fromFrame, fromStride, frame, root                      uint32
		decisions, numDecisions, ends, numEnds, deals, numDeals uint32
	}
)

// cfrPlan is a tiny game as its kernel reads it.
type cfrPlan struct {
	words     []uint32
	constants []float32
	frames    int // floats of all vectors
	segments  []cfrSegment
}

// lists returns how many nodes of each kind a round has.
func (p *cfrPlan) lists(r int) (decisions, ends, deals int) {
	for _, s := range p.segments {
		if s.round == uint32(r) {
			decisions, ends, deals = decisions+int(s.numDecisions), ends+int(s.numEnds), deals+int(s.numDeals)
		}
	}
	return decisions, ends, deals
}

// tinyPlan writes a tiny game for its kernel.
func (g *CFRGame) tinyPlan() *cfrPlan {
	p := &cfrPlan{}
	var header cfrHeader
	p.words = make([]uint32, unsafe.Sizeof(header)/4)
	header.numRounds = uint32(len(g.Rounds))
	p.place(g)
	for r := range g.Rounds {
		header.rounds[r] = p.round(g, r)
	}
	nodes := make([]cfrNode, len(g.Nodes))
	for i := range g.Nodes {
		nodes[i] = g.Nodes[i].packed()
	}
	header.nodes, header.segments = p.put(wordsOf(nodes)), p.put(wordsOf(p.segments))
	copy(p.words, wordsOf([]cfrHeader{header}))
	return p
}

// wordsOf returns structs as the words that they consist of.
func wordsOf[T any](structs []T) []uint32 {
	var one T
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(structs))), len(structs)*int(unsafe.Sizeof(one)/4))
}

// put adds an array to the plan and returns its place.
func (p *cfrPlan) put(array []uint32) uint32 {
	for len(p.words)%4 != 0 { // nodes and ties are loaded four words at a time
		p.words = append(p.words, 0)
	}
	p.words = append(p.words, array...)
	return uint32(len(p.words) - len(array))
}

// hold adds an array to the constants and returns its place.
func (p *cfrPlan) hold(array []float32) uint32 {
	p.constants = append(p.constants, array...)
	return uint32(len(p.constants) - len(array))
}

// floats rounds numbers to 32 bits.
func floats(x []float64) []float32 {
	out := make([]float32, len(x))
	for i := range x {
		out[i] = float32(x[i])
	}
	return out
}

// cfrVectors is how many vectors a segment has while it is worked on: two of
// reach at its root, and of each node the reach, the probability of going there
// and the value.
func cfrVectors(nodes int) int { return 2 + 3*nodes }

// place decides where the vectors of segments are.
func (p *cfrPlan) place(g *CFRGame) {
	const vector = cfrTinyColumns / CFRLanes
	lanes := 0
	for _, s := range g.Segments {
		nodes := s.Last - s.First
		x := cfrSegment{
			round: uint32(s.Round), first: uint32(s.First), last: uint32(s.Last), from: int32(s.From),
			frame: uint32(lanes), root: uint32(lanes + (2+2*nodes)*vector),
		}
		if s.From >= 0 {
			x.fromFrame, x.fromStride = p.segments[s.Before].frame, cfrTinyColumns
		}
		lanes += cfrVectors(nodes) * vector
		p.segments = append(p.segments, x)
	}
	p.frames = lanes * CFRLanes
}

// round writes what belongs to a round.
func (p *cfrPlan) round(g *CFRGame, r int) cfrRound {
	x := &g.Rounds[r]
	round := cfrRound{
		stride: uint32(x.Stride), firstSegment: uint32(x.FirstSegment), segments: uint32(x.Segments),
		up: p.put(x.Up), childStart: p.put(x.ChildStart), children: p.put(x.Children),
		board: p.put(x.Board), groups: p.put(x.Groups), ties: p.put(x.Ties),
		size: p.hold(x.Size), weight: p.hold(floats(x.Weight)),
		parts: p.put(x.Parts), numParts: uint32(len(x.Parts) / 2),
	}
	var lists [3][]uint32 // by kind, pairs of node and segment
	segments := p.segments[x.FirstSegment:][:x.Segments]
	for k := range segments {
		s := &segments[k]
		s.decisions, s.ends, s.deals = uint32(len(lists[CFRDecision])), uint32(len(lists[CFREnd])), uint32(len(lists[CFRDeal]))
		for i := s.first; i < s.last; i++ {
			list := &lists[g.Nodes[i].Kind]
			*list = append(*list, i-s.first, uint32(x.FirstSegment+k))
		}
		s.numDecisions = (uint32(len(lists[CFRDecision])) - s.decisions) / 2
		s.numEnds = (uint32(len(lists[CFREnd])) - s.ends) / 2
		s.numDeals = (uint32(len(lists[CFRDeal])) - s.deals) / 2
	}
	round.decisions, round.numDecisions = p.put(lists[CFRDecision]), uint32(len(lists[CFRDecision])/2)
	round.ends, round.numEnds = p.put(lists[CFREnd]), uint32(len(lists[CFREnd])/2)
	round.deals, round.numDeals = p.put(lists[CFRDeal]), uint32(len(lists[CFRDeal])/2)
	for k := range segments {
		segments[k].decisions += round.decisions
		segments[k].ends += round.ends
		segments[k].deals += round.deals
	}
	return round
}

func (n *CFRNode) packed() cfrNode {
	x := cfrNode{
		actor: uint32(n.Actor), actions: uint32(n.Actions), first: uint32(n.First),
		slots: [2]uint32{uint32(n.Slot[0]), uint32(n.Slot[1])}, entry: uint32(n.Entry / CFRLanes),
	}
	if n.Kind == CFREnd {
		x.first = math.Float32bits(n.Amount)
	}
	if n.Showdown {
		x.showdown = 1
	}
	return x
}
