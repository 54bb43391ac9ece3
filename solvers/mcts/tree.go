package mcts

import (
	"math"
	"slices"
	"sync/atomic"
)

// tree is a tree in arrays of a fixed size. A node has a place for every move of
// the game, its edges, so that what random games say of moves is added to all of
// them in one sweep. An edge is seen by the player who makes the move.
//
// Several goroutines may add nodes at a time, and work on different nodes. Where a
// node is depends on who was first; nothing else does.
type tree struct {
	width int // places for the moves of a node: a multiple of lanes

	root    uint32
	numbers []float32
	child   []uint32 // what is after an edge: a node, a seed (see seeds), or 0 for none yet
	proofs  []Proof  // absent for what is no candidate
	about   []about

	blank   []float32 // the numbers of a node without candidates
	nothing []Proof   // and its proofs

	free  []uint32 // nodes that were dropped
	fresh int      // nodes from here on never were any
	taken atomic.Int64
}

// about is what there is of a node but its edges.
type about struct {
	parent   uint32
	move     Move   // that leads to it
	numMoves uint16 // candidates; 0 for no node
}

// lanes is how many edges are rated at once.
const lanes = 8

// The numbers of a node: for each of these all its edges.
const (
	value      = iota // what an edge is chosen by
	visits            // simulations through it
	score             // their results
	raveVisits        // playouts in which it was made later
	raveScore         // their results
	bonus             // what is left of the prior; -Inf for what need not be tried
	prior
	numNumbers
)

// absent is the proof of what is no candidate.
const absent Proof = -2

var never = float32(math.Inf(-1))

// newTree returns an empty tree that takes about so many bytes.
func newTree(numMoves, bytes int) *tree {
	t := &tree{width: (numMoves + lanes - 1) / lanes * lanes, fresh: 1}
	const edgeBytes, aboutBytes = 4*numNumbers + 4 + 1, 8
	nodes := max(3, min(bytes/(aboutBytes+t.width*edgeBytes), seedBit-1))
	t.numbers, t.about = make([]float32, nodes*t.width*numNumbers), make([]about, nodes)
	t.child, t.proofs = make([]uint32, nodes*t.width), make([]Proof, nodes*t.width)
	t.blank, t.nothing = make([]float32, t.width*numNumbers), make([]Proof, t.width)
	for m := range t.width {
		t.blank[value*t.width+m], t.blank[bonus*t.width+m], t.nothing[m] = never, never, absent
		// A move never tried is taken to have won once.
		t.blank[raveVisits*t.width+m], t.blank[raveScore*t.width+m] = 1, 1
	}
	largePages(t.numbers)
	largePages(t.child)
	largePages(t.proofs)
	return t
}

// room is how many nodes there can be, with the zeroth that is none.
func (t *tree) room() int { return len(t.about) }

// size is how many there are.
func (t *tree) size() int {
	return min(t.fresh-len(t.free)+int(t.taken.Load()), t.room())
}

// of returns some numbers of a node.
func (t *tree) of(i uint32, which int) []float32 {
	at := (int(i)*numNumbers + which) * t.width
	return t.numbers[at : at+t.width : at+t.width]
}

// all returns all numbers of a node.
func (t *tree) all(i uint32) []float32 {
	return t.numbers[int(i)*numNumbers*t.width : (int(i)+1)*numNumbers*t.width]
}

// edge returns where a node's edge is among all edges.
func (t *tree) edge(i uint32, m Move) int { return int(i)*t.width + int(m) }

// after returns the node after an edge, or 0.
func (t *tree) after(i uint32, m Move) uint32 {
	if c := t.child[t.edge(i, m)]; c < seedBit {
		return c
	}
	return 0
}

// proofsOf returns the proofs of a node's edges.
func (t *tree) proofsOf(i uint32) []Proof { return t.proofs[int(i)*t.width : (int(i)+1)*t.width] }

// clear drops all nodes.
func (t *tree) clear() {
	clear(t.about)
	t.free, t.fresh = t.free[:0], 1
	t.taken.Store(0)
}

// add takes a place for a node, or returns 0.
func (t *tree) add() uint32 {
	k := int(t.taken.Add(1)) - 1
	if k < len(t.free) {
		return t.free[k]
	}
	if i := t.fresh + k - len(t.free); i < t.room() {
		return uint32(i)
	}
	return 0
}

// fill makes a node of a place, and returns what its candidates prove of it. Its
// parent's edge does not lead to it yet.
func (t *tree) fill(i, parent uint32, move Move, moves []Candidate) Proof {
	t.about[i] = about{parent, move, uint16(len(moves))}
	clear(t.child[int(i)*t.width : (int(i)+1)*t.width])
	copy(t.all(i), t.blank)
	proofs, values, bonuses, priors := t.proofsOf(i), t.of(i, value), t.of(i, bonus), t.of(i, prior)
	copy(proofs, t.nothing)
	p := Loss
	for _, c := range moves {
		proofs[c.Move], priors[c.Move] = c.Proof, c.Prior
		if c.Proof == Unknown {
			bonuses[c.Move], values[c.Move] = c.Prior, 1+c.Prior
		}
		p = p.or(c.Proof)
	}
	return p
}

// rate sets an edge's value after its visits or its score changed, with so many
// simulations after which its own count half. It is what [addRAVEGo] does for all.
func (t *tree) rate(i uint32, m Move, rave float32) {
	if t.proofsOf(i)[m] != Unknown {
		return
	}
	n, tried := t.of(i, visits)[m], t.of(i, raveVisits)[m]
	left := t.of(i, prior)[m] * fade(n)
	t.of(i, bonus)[m] = left
	t.of(i, value)[m] = valueOf(n, t.of(i, score)[m], tried, t.of(i, raveScore)[m], left, rave)
}

// mostCounted is how often an edge is counted before its node's counts are halved: up
// to twice as often a float tells each simulation.
const mostCounted = 1 << 23

// halve halves what a node's edges have been counted, and leaves their means but for
// the few simulations that are under way. What is hardly counted stays: of an edge that
// is never tried again nothing would be left at last.
func (t *tree) halve(i uint32, rave float32) {
	seen, scores, tried, won := t.of(i, visits), t.of(i, score), t.of(i, raveVisits), t.of(i, raveScore)
	for m, n := range seen {
		if tried[m] >= 2 {
			tried[m], won[m] = tried[m]/2, won[m]/2
		}
		if n > 0 {
			seen[m] = float32(math.Ceil(float64(n / 2))) // what was visited once still was
			scores[m] *= seen[m] / n
		}
		t.rate(i, Move(m), rave)
	}
}

// second returns a node's edge of the highest value but for one.
func (t *tree) second(i uint32, m Move) Move {
	values := t.of(i, value)
	v := values[m]
	values[m] = never
	next := highest(values)
	values[m] = v
	return Move(next)
}

// prove sets an edge's proof.
func (t *tree) prove(i uint32, m Move, p Proof) {
	t.proofsOf(i)[m], t.of(i, bonus)[m], t.of(i, value)[m] = p, never, never
}

// proof returns what a node's edges prove of it.
func (t *tree) proof(i uint32) Proof {
	p := Loss
	for _, e := range t.proofsOf(i) {
		p = p.or(e)
	}
	return p
}

// keep makes a node the root and drops all that is not below it, or was reached by
// fewer than some visits.
func (t *tree) keep(root uint32, least float32) {
	const (
		unknown = iota
		kept
		dropped
	)
	last := min(t.fresh+max(0, int(t.taken.Load())-len(t.free)), t.room())
	free := t.free[min(int(t.taken.Load()), len(t.free)):]
	states := make([]uint8, last)
	states[0], states[root] = dropped, kept
	for _, i := range free {
		states[i] = dropped
	}
	var way []uint32 // from a node up to one whose state is known
	for i := range uint32(last) {
		way = way[:0]
		for ; states[i] == unknown; i = t.about[i].parent {
			way = append(way, i)
		}
		for _, i := range slices.Backward(way) {
			a := t.about[i]
			states[i] = states[a.parent]
			if states[i] == kept && t.of(a.parent, visits)[a.move] < least {
				states[i], t.child[t.edge(a.parent, a.move)] = dropped, 0
			}
		}
	}
	free = free[:0:0]
	for i := range states[1:] {
		if states[i+1] == dropped {
			free = append(free, uint32(i+1))
			t.about[i+1] = about{}
		}
	}
	t.root, t.about[root].parent = root, 0
	t.free, t.fresh = free, last
	t.taken.Store(0)
}

// fades are 1/√(n+1).
var fades = func() (f [1024]float32) {
	for n := range f {
		f[n] = float32(1 / math.Sqrt(float64(n)+1))
	}
	return f
}()

// fade returns how much of a prior is left after some visits.
func fade(visits float32) float32 {
	if visits < float32(len(fades)) {
		return fades[int(visits)]
	}
	return float32(1 / math.Sqrt(float64(visits)))
}
