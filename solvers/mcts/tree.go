package mcts

import (
	"math"
	"slices"
	"sync/atomic"

	"gamebots/internal/memory"
)

// tree is a tree in arrays of fixed size. A node has an edge for every move number of
// the game, so that AMAF counts are added to all of them in one sweep. The statistics of
// an edge are those of the player who makes the move.
//
// Several goroutines may allocate nodes at a time, and work on different nodes. The
// index of a node depends on which was first; nothing else does.
type tree struct {
	width int // edges of a node: a multiple of lanes

	root     uint32
	stats    []float32 // statistics by node, kind of statistic and edge
	children []uint32  // child by edge: a node, or a leaf (see leafStats), or 0 for neither
	proofs   []Proof   // proof by edge; absent if it is no candidate
	nodes    []nodeInfo

	blankStats  []float32 // statistics of a node without candidates
	blankProofs []Proof

	free      []uint32 // nodes that were dropped
	unused    int      // nodes from here on have never been used
	allocated atomic.Int64
}

// nodeInfo is a node without its edges.
type nodeInfo struct {
	parent   uint32
	move     Move   // from the parent
	numMoves uint16 // candidates; 0 if the node is not in use
	advised  bool
}

// lanes is the number of edges that AVX2 handles at a time.
const lanes = 8

// The statistics of an edge.
const (
	value      = iota // selection takes the edge with the highest
	visits            // simulations through it
	score             // their results
	raveVisits        // weight of the playouts in which the move was made later
	raveScore         // their results
	bonus             // the rest of the prior; excluded if the edge is not to be tried
	prior
	numStats
)

// absent is the proof of an edge that is no candidate.
const absent Proof = -2

// excluded is the value of an edge that is not to be tried.
var excluded = float32(math.Inf(-1))

// newTree returns an empty tree of about some bytes.
func newTree(numMoves, bytes int) *tree {
	t := &tree{width: (numMoves + lanes - 1) / lanes * lanes, unused: 1}
	const edgeBytes, infoBytes = 4*numStats + 4 + 1, 8
	nodes := max(3, min(bytes/(infoBytes+t.width*edgeBytes), leafBit-1))
	t.stats, t.nodes = memory.MakeTable[float32](nodes*t.width*numStats), make([]nodeInfo, nodes)
	t.children, t.proofs = memory.MakeTable[uint32](nodes*t.width), memory.MakeTable[Proof](nodes*t.width)
	t.blankStats, t.blankProofs = make([]float32, t.width*numStats), make([]Proof, t.width)
	for m := range t.width {
		t.blankStats[value*t.width+m], t.blankStats[bonus*t.width+m], t.blankProofs[m] = excluded, excluded, absent
		// An untried move counts as won once.
		t.blankStats[raveVisits*t.width+m], t.blankStats[raveScore*t.width+m] = 1, 1
	}
	return t
}

// capacity returns how many nodes fit, with node 0, which stands for none.
func (t *tree) capacity() int { return len(t.nodes) }

// size returns the number of nodes, with node 0.
func (t *tree) size() int {
	return min(t.unused-len(t.free)+int(t.allocated.Load()), t.capacity())
}

// stat returns one statistic of all edges of a node.
func (t *tree) stat(node uint32, which int) []float32 {
	at := (int(node)*numStats + which) * t.width
	return t.stats[at : at+t.width : at+t.width]
}

// allStats returns all statistics of a node.
func (t *tree) allStats(node uint32) []float32 {
	return t.stats[int(node)*numStats*t.width : (int(node)+1)*numStats*t.width]
}

// edge returns the index of an edge in children and proofs.
func (t *tree) edge(node uint32, m Move) int { return int(node)*t.width + int(m) }

// child returns the node behind an edge, or 0.
func (t *tree) child(node uint32, m Move) uint32 {
	if c := t.children[t.edge(node, m)]; c < leafBit {
		return c
	}
	return 0
}

// proofsOf returns the proofs of the edges of a node.
func (t *tree) proofsOf(node uint32) []Proof {
	return t.proofs[int(node)*t.width : (int(node)+1)*t.width]
}

// clear drops all nodes.
func (t *tree) clear() {
	clear(t.nodes)
	t.free, t.unused = t.free[:0], 1
	t.allocated.Store(0)
}

// alloc allocates a node, or returns 0 if the tree is full.
func (t *tree) alloc() uint32 {
	k := int(t.allocated.Add(1)) - 1
	if k < len(t.free) {
		return t.free[k]
	}
	if i := t.unused + k - len(t.free); i < t.capacity() {
		return uint32(i)
	}
	return 0
}

// initNode initialises a node and returns the proof by its candidates. The parent's edge
// is not set.
func (t *tree) initNode(node, parent uint32, move Move, candidates []Candidate) Proof {
	t.nodes[node] = nodeInfo{parent: parent, move: move, numMoves: uint16(len(candidates))}
	clear(t.children[int(node)*t.width : (int(node)+1)*t.width])
	copy(t.allStats(node), t.blankStats)
	proofs, values, bonuses, priors := t.proofsOf(node), t.stat(node, value), t.stat(node, bonus), t.stat(node, prior)
	copy(proofs, t.blankProofs)
	p := Loss
	for _, c := range candidates {
		proofs[c.Move], priors[c.Move] = c.Proof, c.Prior
		if c.Proof == Unknown {
			bonuses[c.Move], values[c.Move] = c.Prior, 1+c.Prior
		}
		p = p.Or(c.Proof)
	}
	return p
}

// updateValue updates the value of an edge after a change of its other statistics. Rave
// is Options.RAVE. It is [addRAVEGo] for one edge.
func (t *tree) updateValue(node uint32, m Move, rave float32) {
	if t.proofsOf(node)[m] != Unknown {
		return
	}
	n, raveN := t.stat(node, visits)[m], t.stat(node, raveVisits)[m]
	left := t.stat(node, prior)[m] * priorFade(n)
	t.stat(node, bonus)[m] = left
	t.stat(node, value)[m] = valueOf(n, t.stat(node, score)[m], raveN, t.stat(node, raveScore)[m], left, rave)
}

// maxVisits is the number of visits of an edge at which the counts of its node are
// halved: up to twice as many, a float32 counts in steps of one.
const maxVisits = 1 << 23

// halveCounts halves the counts of a node's edges. Their means do not change, but for
// the few simulations in flight. Low counts stay: repeated halving would leave nothing
// of an edge that is never tried again.
func (t *tree) halveCounts(node uint32, rave float32) {
	counts, scores, raveCounts, raveScores := t.stat(node, visits), t.stat(node, score),
		t.stat(node, raveVisits), t.stat(node, raveScore)
	for m, n := range counts {
		if raveCounts[m] >= 2 {
			raveCounts[m], raveScores[m] = raveCounts[m]/2, raveScores[m]/2
		}
		if n > 0 {
			counts[m] = float32(math.Ceil(float64(n / 2))) // one visit stays one
			scores[m] *= counts[m] / n
		}
		t.updateValue(node, Move(m), rave)
	}
}

// runnerUp returns the edge of a node with the highest value but for one edge.
func (t *tree) runnerUp(node uint32, m Move) Move {
	values := t.stat(node, value)
	v := values[m]
	values[m] = excluded
	next := argmax(values)
	values[m] = v
	return Move(next)
}

// setProof sets the proof of an edge, which is not tried again.
func (t *tree) setProof(node uint32, m Move, p Proof) {
	t.proofsOf(node)[m], t.stat(node, bonus)[m], t.stat(node, value)[m] = p, excluded, excluded
}

// nodeProof returns the proof by the edges of a node.
func (t *tree) nodeProof(node uint32) Proof {
	p := Loss
	for _, e := range t.proofsOf(node) {
		p = p.Or(e)
	}
	return p
}

// retain makes a node the root. It drops all nodes that are not below it, and those
// behind an edge with fewer than minVisits visits.
func (t *tree) retain(root uint32, minVisits float32) {
	const (
		unknown = iota
		kept
		dropped
	)
	end := min(t.unused+max(0, int(t.allocated.Load())-len(t.free)), t.capacity())
	free := t.free[min(int(t.allocated.Load()), len(t.free)):]
	states := make([]uint8, end)
	states[0], states[root] = dropped, kept
	for _, i := range free {
		states[i] = dropped
	}
	var ancestors []uint32 // ancestors of a node, up to one whose state is known
	for i := range uint32(end) {
		ancestors = ancestors[:0]
		for ; states[i] == unknown; i = t.nodes[i].parent {
			ancestors = append(ancestors, i)
		}
		for _, i := range slices.Backward(ancestors) {
			info := t.nodes[i]
			states[i] = states[info.parent]
			if states[i] == kept && t.stat(info.parent, visits)[info.move] < minVisits {
				states[i], t.children[t.edge(info.parent, info.move)] = dropped, 0
			}
		}
	}
	free = free[:0:0]
	for i := range states[1:] {
		if states[i+1] == dropped {
			free = append(free, uint32(i+1))
			t.nodes[i+1] = nodeInfo{}
		}
	}
	t.root, t.nodes[root].parent = root, 0
	t.free, t.unused = free, end
	t.allocated.Store(0)
}

// priorFades has 1/√(n+1).
var priorFades = func() (f [1024]float32) {
	for n := range f {
		f[n] = float32(1 / math.Sqrt(float64(n)+1))
	}
	return f
}()

// priorFade returns the share of a prior that is left after some visits.
func priorFade(visits float32) float32 {
	if visits < float32(len(priorFades)) {
		return priorFades[int(visits)]
	}
	return float32(1 / math.Sqrt(float64(visits)))
}

// leafStats stores the AMAF counts of leaves, by which their nodes are initialised if
// they are expanded later. It has a fixed number of slots, and a new entry replaces the
// oldest: a leaf that was seen long ago and not again is seldom missed.
//
// Entries are numbered in the order of their leaves. An edge that leads to a leaf holds
// leafBit and the lower bits of the entry's number in place of a node.
type leafStats struct {
	width, slots int     // edges of a node; entries
	next         uint64  // number of the next entry
	counts       []uint8 // a slot has the share of playouts with each move, then the points won in those, in 255ths
}

// leafBit distinguishes leaves from nodes.
const leafBit = 1 << 31

// storedPlayouts is the number of playouts that stored counts are scaled to.
const storedPlayouts = 255

// newLeafStats allocates about some bytes, but at least minSlots slots, for nodes of a
// width that is a multiple of lanes.
func newLeafStats(width, bytes, minSlots int) *leafStats {
	slots := min(max(bytes/(2*width), minSlots), leafBit/2)
	return &leafStats{width: width, slots: slots, counts: make([]uint8, 2*width*slots)}
}

// slot returns the counts in the slot of an entry.
func (s *leafStats) slot(id uint64) (playouts, points []uint8) {
	counts := s.counts[2*s.width*int(id%uint64(s.slots)):][:2*s.width]
	return counts[:s.width], counts[s.width:]
}

// store stores the AMAF counts of n playouts from a leaf as an entry, and returns the
// value for the edge that leads to the leaf.
func (s *leafStats) store(id uint64, amaf []uint32, n float32) uint32 {
	playouts, points := s.slot(id)
	pack(playouts, points, amaf, storedPlayouts/n)
	return leafBit | uint32(id)
}

// load sets the AMAF counts of the leaf behind an edge, scaled to storedPlayouts
// playouts. It reports whether they are still stored.
func (s *leafStats) load(edge uint32, amaf []uint32) bool {
	age := (uint32(s.next) - edge) &^ leafBit // modulo the lower bits
	if edge < leafBit || age == 0 || int(age) > s.slots {
		return false
	}
	playouts, points := s.slot(s.next - uint64(age))
	unpack(amaf, playouts, points)
	return true
}
