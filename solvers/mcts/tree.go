package mcts

import "math"

// edge is a move of a position in the tree, seen by the player who makes it.
type edge struct {
	move  Move
	proof Proof
	child uint32 // the node after it, 0 for none yet

	visits, score         float32 // simulations through it, and their results
	raveVisits, raveScore float32 // playouts in which it was made later
	prior                 float32

	// value is what the edge is chosen by. It is kept, because results change all
	// edges of a node, and a walk down looks at all of them again.
	value float32
}

// proved is the value of what need not be tried.
var proved = float32(math.Inf(-1))

// rate sets an edge's value, with so many simulations after which its own count
// half.
func (e *edge) rate(rave float32) {
	if e.proof != Unknown {
		e.value = proved
		return
	}
	// The mean of both counts' means, weighted rave to visits.
	e.value = (rave*e.raveScore + e.score*e.raveVisits) / (e.raveVisits * (rave + e.visits))
	if e.prior != 0 {
		e.value += e.prior * fade(e.visits)
	}
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

// node is a position in the tree.
type node struct {
	first uint32 // of its edges
	n     uint16
}

// tree is a tree in two arrays: nodes[1] is its root, and children are behind
// their parents in both.
type tree struct {
	nodes []node
	edges []edge
}

// newTree returns an empty tree that takes about so many bytes.
func newTree(bytes int) *tree {
	const nodeBytes, edgeBytes, edgesANode = 8, 28, 64
	nodes := max(2, min(bytes/(nodeBytes+edgesANode*edgeBytes), 1<<31))
	return &tree{nodes: make([]node, 1, nodes+1), edges: make([]edge, 0, nodes*edgesANode)}
}

// fits says whether a node with n edges still has room.
func (t *tree) fits(n int) bool {
	return len(t.nodes) < cap(t.nodes) && len(t.edges)+n <= cap(t.edges)
}

// add adds a node, whose edges are yet to be rated.
func (t *tree) add(moves []Candidate) uint32 {
	t.nodes = append(t.nodes, node{uint32(len(t.edges)), uint16(len(moves))})
	edges := t.edges[len(t.edges) : len(t.edges)+len(moves)]
	for k, c := range moves {
		// A move never tried is taken to have won once.
		edges[k] = edge{move: c.Move, proof: c.Proof, prior: c.Prior, raveVisits: 1, raveScore: 1}
	}
	t.edges = t.edges[:len(t.edges)+len(moves)]
	return uint32(len(t.nodes) - 1)
}

// edgesOf returns a node's edges.
func (t *tree) edgesOf(i uint32) []edge {
	n := t.nodes[i]
	return t.edges[n.first : n.first+uint32(n.n)]
}

// place returns where a node's edge is among all edges.
func (t *tree) place(i uint32, k int) uint32 { return t.nodes[i].first + uint32(k) }

// addRAVE adds the share that is wanted of playouts in which moves were made to
// edges, and rates them.
func addRAVE(edges []edge, played, won []float32, share, rave float32) {
	for k := range edges {
		e := &edges[k]
		e.raveVisits += played[e.move] * share
		e.raveScore += won[e.move] * share
		e.rate(rave)
	}
}

// proof returns what a node's edges prove of it.
func (t *tree) proof(i uint32) Proof {
	p := Loss
	for k := range t.edgesOf(i) {
		switch e := &t.edgesOf(i)[k]; {
		case e.proof == Win:
			return Win
		case e.proof == Unknown:
			p = Unknown
		case e.proof == Draw && p == Loss:
			p = Draw
		}
	}
	return p
}

// compact makes a node the root and drops all that is not below it, or was
// reached by fewer than some visits. The rest keeps its order, so that it can be
// moved down in place.
func (t *tree) compact(root uint32, visits float32) {
	place := make([]uint32, len(t.nodes)) // 0 for what is dropped
	place[root] = 1
	kept := uint32(1)
	for i := root; int(i) < len(t.nodes); i++ {
		if place[i] == 0 {
			continue
		}
		place[i] = kept
		kept++
		for k, edges := 0, t.edgesOf(i); k < len(edges); k++ {
			if e := &edges[k]; e.child != 0 && e.visits >= visits {
				place[e.child] = 1
			} else {
				e.child = 0
			}
		}
	}
	numEdges := uint32(0)
	for i := root; int(i) < len(t.nodes); i++ {
		if place[i] == 0 {
			continue
		}
		n := t.nodes[i]
		to := t.edges[numEdges : numEdges+uint32(n.n)]
		copy(to, t.edgesOf(i))
		for k := range to {
			to[k].child = place[to[k].child]
		}
		n.first = numEdges
		numEdges += uint32(n.n)
		t.nodes[place[i]] = n
	}
	t.nodes, t.edges = t.nodes[:kept], t.edges[:numEdges]
}
