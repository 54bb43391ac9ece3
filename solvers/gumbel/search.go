package gumbel

import (
	"math"
	"slices"

	"gamebots/internal/rng"
	"gamebots/solvers/mcts"
)

// Considered is the number of moves of the root that a search tries at most.
const Considered = 16

// MaxForced is the number of forced moves in a row that are followed without an
// evaluation.
const MaxForced = 32

// NodesPerEvaluation bounds the memory of a search: one with as many nodes for each evaluation
// that it may make is over. Only simulations that end in proofs add more than a few.
const NodesPerEvaluation = 16

// Search is a search of one position at a time. Its zero value is ready for Start, and it
// keeps its memory for the next search. One goroutine uses it at a time.
type Search struct {
	expander mcts.Expander
	random   *rng.Stream // nil for no Gumbel variables
	nodes    []node      // the root is the first
	edges    []edge

	left    int         // evaluations
	most    int         // nodes, at which the search is over
	halving             // of the root's edges
	path    []mcts.Move // of the simulation that is under way
	steps   []int32     // the edges on it

	waiting  [][]int32 // the edges to positions that were returned since none waited
	answered int       // how many of them were evaluated

	candidates []mcts.Candidate
	scores     []float64 // of the edges of a node
}

// node is a position. Values are those of the player to move, from -1 to 1.
type node struct {
	edges, end int32 // its moves
	evaluated  bool
	proof      mcts.Proof
	value      float32 // by its evaluation
	highest    float32 // logit of its moves
	visits     int32   // through its moves
	most       int32   // visits of a move
}

// edge is a move. Values are those of the player who makes it.
type edge struct {
	move   mcts.Move
	proof  mcts.Proof
	child  int32 // 0 for none
	visits int32
	sum    float32 // of the values of its visits
	logit  float32
	prior  float32 // in proportion, 1 for the highest logit: see chooseRoughly
	gumbel float32 // of a move of the root
	waits  bool    // of a move of the root: for the evaluation of a simulation
}

// valued reports whether mean is known.
func (e *edge) valued() bool { return e.visits > 0 || e.proof != mcts.Unknown }

// mean returns the value of a visited move.
func (e *edge) mean() float32 {
	switch e.proof {
	case mcts.Win:
		return 1
	case mcts.Loss:
		return -1
	case mcts.Draw:
		return 0
	}
	return e.sum / float32(e.visits)
}

// Start begins a search of the position of an expander, with a number of evaluations at
// most, the root's included. It draws from the random stream, if there is one.
func (s *Search) Start(e mcts.Expander, evaluations int, random *rng.Stream) {
	s.expander, s.random, s.left, s.most = e, random, evaluations-1, NodesPerEvaluation*evaluations
	s.nodes, s.edges = s.nodes[:0], s.edges[:0]
	s.path, s.steps = s.path[:0], s.steps[:0]
	s.waiting, s.answered = s.waiting[:0], 0
	s.halving = halving{alive: s.alive[:0]}
	s.expand()
}

// Next returns the moves to the next position to evaluate, for which Evaluate must be
// called. The path is valid until the next call. It reports false when the search is over, or
// when the next position depends on the evaluation of one that waits: several may wait, but
// for each move of the root only one.
func (s *Search) Next() (path []mcts.Move, ok bool) {
	if s.Decided() {
		return nil, false
	}
	if !s.Evaluated() {
		return s.path, s.wait()
	}
	for s.left > 0 && s.nodes[0].proof == mcts.Unknown && len(s.nodes) < s.most {
		root, ok := s.chooseRoot()
		if !ok {
			break
		}
		if s.descend(root) {
			s.left--
			s.edges[root].waits = true
			return s.path, s.wait()
		}
	}
	return nil, false
}

// wait has the position of the simulation wait for its evaluation. It reports false if that is
// the root, which waits already.
func (s *Search) wait() bool {
	if len(s.waiting) == 1 && !s.Evaluated() {
		return false
	}
	if s.answered == len(s.waiting) {
		s.waiting, s.answered = s.waiting[:0], 0
	}
	if n := len(s.waiting); n < cap(s.waiting) {
		s.waiting = s.waiting[:n+1] // with the memory of an earlier one
	} else {
		s.waiting = append(s.waiting, nil)
	}
	last := &s.waiting[len(s.waiting)-1]
	*last = append((*last)[:0], s.steps...)
	return true
}

// Decided reports whether there is nothing to search: the root is proved, or its move forced.
func (s *Search) Decided() bool {
	root := &s.nodes[0]
	return root.proof != mcts.Unknown || root.end-root.edges == 1
}

// descend goes down from a move of the root to a position that needs an evaluation. It reports
// false if the simulation has ended in a proof.
func (s *Search) descend(root int32) bool {
	s.path, s.steps = s.path[:0], s.steps[:0]
	at := int32(0)
	for forced := 0; ; {
		n := &s.nodes[at]
		var next int32
		switch {
		case n.end-n.edges == 1:
			next = n.edges
		case at == 0:
			next = root
		default:
			next = s.choose(n)
		}
		s.steps, s.path = append(s.steps, next), append(s.path, s.edges[next].move)
		if child := s.edges[next].child; child != 0 {
			at = child
			continue
		}
		at = s.expand()
		s.edges[next].child = at
		n = &s.nodes[at]
		if n.proof != mcts.Unknown {
			s.prove()
			return false
		}
		if forced++; n.end-n.edges > 1 || forced > MaxForced {
			return true
		}
	}
}

// expand adds a node for the position at the end of the path.
func (s *Search) expand() int32 {
	s.candidates = s.expander.Candidates(s.path, s.candidates[:0])
	n := node{edges: int32(len(s.edges)), proof: mcts.Loss}
	for _, c := range s.candidates {
		s.edges = append(s.edges, edge{move: c.Move, proof: c.Proof})
	}
	n.end = int32(len(s.edges))
	n.proof = s.proofOf(n)
	s.nodes = append(s.nodes, n)
	return int32(len(s.nodes) - 1)
}

// proofOf returns the proof of a node by its moves.
func (s *Search) proofOf(n node) mcts.Proof {
	best := mcts.Loss
	for _, e := range s.edges[n.edges:n.end] {
		best = best.Or(e.proof)
	}
	return best
}

// Evaluate sets the evaluation of the first position that waits, in the order of Next: the
// logits of the moves by their numbers, and the expected result of the player to move from -1
// to 1.
func (s *Search) Evaluate(logits []float32, value float32) {
	steps := s.waiting[s.answered]
	s.answered++
	at := int32(0)
	if len(steps) > 0 {
		at = s.edges[steps[len(steps)-1]].child
		s.edges[steps[0]].waits = false
	}
	n := &s.nodes[at]
	n.evaluated, n.value = true, value
	edges := s.edges[n.edges:n.end]
	n.highest = float32(math.Inf(-1))
	for i := range edges {
		edges[i].logit = logits[edges[i].move]
		n.highest = max(n.highest, edges[i].logit)
	}
	if at == 0 {
		s.startHalving(edges)
		return
	}
	s.backUp(steps, value)
}

// backUp adds a value of the player to move at the end of a path to the moves on it.
func (s *Search) backUp(steps []int32, value float32) {
	for _, step := range slices.Backward(steps) {
		value = -value
		e := &s.edges[step]
		e.visits++
		e.sum += value
	}
	at := int32(0)
	for _, step := range steps {
		n, e := &s.nodes[at], &s.edges[step]
		n.visits++
		n.most = max(n.most, e.visits)
		at = e.child
	}
}

// prove backs up the proof of the position at the end of the path.
func (s *Search) prove() {
	at := s.edges[s.steps[len(s.steps)-1]].child
	p := s.nodes[at].proof
	s.backUp(s.steps, valueOf(p))
	for i := len(s.steps) - 1; i >= 0 && p != mcts.Unknown; i-- {
		s.edges[s.steps[i]].proof = p.Other()
		at = 0
		if i > 0 {
			at = s.edges[s.steps[i-1]].child
		}
		p = s.proofOf(s.nodes[at])
		s.nodes[at].proof = p
	}
}

// valueOf returns the value of a proved position.
func valueOf(p mcts.Proof) float32 {
	switch p {
	case mcts.Win:
		return 1
	case mcts.Loss:
		return -1
	}
	return 0
}
