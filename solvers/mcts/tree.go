package mcts

import "math"

// tree is a tree in arrays of a fixed size: node 1 is its root, and children are
// behind their parents. A node has a place for every move of the game, its edges,
// so that what random games say of moves is added to all of them in one sweep. An
// edge is seen by the player who makes the move.
type tree struct {
	width int // places for the moves of a node: a multiple of lanes

	n       int // nodes, with the zeroth that is none
	numbers []float32
	child   []uint32 // the node after an edge, 0 for none yet
	proofs  []Proof  // absent for what is no candidate
	moves   []uint16 // candidates of a node
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
	t := &tree{width: (numMoves + lanes - 1) / lanes * lanes, n: 1}
	const edgeBytes = 4*numNumbers + 4 + 1
	nodes := max(3, min(bytes/(2+t.width*edgeBytes), math.MaxUint32/t.width))
	t.numbers, t.moves = make([]float32, nodes*t.width*numNumbers), make([]uint16, nodes)
	t.child, t.proofs = make([]uint32, nodes*t.width), make([]Proof, nodes*t.width)
	return t
}

// room is how many nodes there can be.
func (t *tree) room() int { return len(t.moves) }

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
func (t *tree) edge(i uint32, m Move) uint32 { return i*uint32(t.width) + uint32(m) }

// proofsOf returns the proofs of a node's edges.
func (t *tree) proofsOf(i uint32) []Proof { return t.proofs[int(i)*t.width : (int(i)+1)*t.width] }

// fits says whether there is room for a node.
func (t *tree) fits() bool { return t.n < t.room() }

// add adds a node.
func (t *tree) add(moves []Candidate) uint32 {
	i := uint32(t.n)
	t.n++
	t.moves[i] = uint16(len(moves))
	clear(t.child[int(i)*t.width : (int(i)+1)*t.width])
	clear(t.of(i, visits))
	clear(t.of(i, score))
	proofs, values, bonuses, priors := t.proofsOf(i), t.of(i, value), t.of(i, bonus), t.of(i, prior)
	won, tried := t.of(i, raveScore), t.of(i, raveVisits)
	for m := range proofs {
		// A move never tried is taken to have won once.
		tried[m], won[m], bonuses[m], values[m], proofs[m] = 1, 1, never, never, absent
	}
	for _, c := range moves {
		proofs[c.Move], priors[c.Move] = c.Proof, c.Prior
		if c.Proof == Unknown {
			bonuses[c.Move], values[c.Move] = c.Prior, 1+c.Prior
		}
	}
	return i
}

// rate sets an edge's value after its visits or its score changed, with so many
// simulations after which its own count half. It is what [rateGo] does for all.
func (t *tree) rate(i uint32, m Move, rave float32) {
	if t.proofsOf(i)[m] != Unknown {
		return
	}
	n, tried := t.of(i, visits)[m], t.of(i, raveVisits)[m]
	left := t.of(i, prior)[m] * fade(n)
	t.of(i, bonus)[m] = left
	t.of(i, value)[m] = valueOf(n, t.of(i, score)[m], tried, t.of(i, raveScore)[m], left, rave)
}

// prove sets an edge's proof.
func (t *tree) prove(i uint32, m Move, p Proof) {
	t.proofsOf(i)[m], t.of(i, bonus)[m], t.of(i, value)[m] = p, never, never
}

// proof returns what a node's edges prove of it.
func (t *tree) proof(i uint32) Proof {
	p := Loss
	for _, e := range t.proofsOf(i) {
		switch {
		case e == Win:
			return Win
		case e == Unknown:
			p = Unknown
		case e == Draw && p == Loss:
			p = Draw
		}
	}
	return p
}

// compact makes a node the root and drops all that is not below it, or was
// reached by fewer than some visits. The rest keeps its order, so that it can be
// moved down in place.
func (t *tree) compact(root uint32, least float32) {
	place := make([]uint32, t.n) // 0 for what is dropped
	place[root] = 1
	kept := uint32(1)
	for i := root; int(i) < t.n; i++ {
		if place[i] == 0 {
			continue
		}
		place[i] = kept
		kept++
		seen := t.of(i, visits)
		for m, c := range t.child[int(i)*t.width : (int(i)+1)*t.width] {
			if c != 0 && seen[m] >= least {
				place[c] = 1
			} else {
				t.child[t.edge(i, Move(m))] = 0
			}
		}
	}
	for i := root; int(i) < t.n; i++ {
		to := place[i]
		if to == 0 {
			continue
		}
		size := t.width * numNumbers
		copy(t.numbers[int(to)*size:][:size], t.numbers[int(i)*size:][:size])
		copy(t.proofsOf(to), t.proofsOf(i))
		t.moves[to] = t.moves[i]
		for m := range Move(t.width) {
			t.child[t.edge(to, m)] = place[t.child[t.edge(i, m)]]
		}
	}
	t.n = int(kept)
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
