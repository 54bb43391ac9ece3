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
	// InFlight is the number of positions after each move of the root that may wait for their
	// evaluations at once. It may change between searches; 0 is 1. Larger batches are worth most
	// for fast networks, but simulations then choose moves without the values of those that wait.
	InFlight int

	expander mcts.Expander
	random   *rng.Stream // nil for no Gumbel variables
	nodes    []node      // the root is the first
	edges    []edge

	evaluationsLeft int
	maxNodes        int // the search ends when it has so many

	halving             // the root's edges
	path    []mcts.Move // moves of the simulation that is under way
	waiting []int32     // nodes, first the one that is evaluated next
	blocked []int32     // moves of the root from which descents end at them

	candidates []mcts.Candidate
	tried      []int32   // edges of a node that have visits or proofs
	scores     []float64 // scores of a node's edges
}

// node is a position. Values are those of the player to move, from -1 to 1.
type node struct {
	parent     int32 // a node; 0 also for the root
	from       int32 // its move to this one
	edges, end int32 // its moves
	evaluated  bool
	proof      mcts.Proof
	value      float32 // value by its evaluation
	highest    float32 // logit of its moves
	visits     int32   // through its moves
	maxVisits  int32   // visits of the move with the most
}

// edge is a move. Values are those of the player who makes it.
type edge struct {
	move   mcts.Move
	proof  mcts.Proof
	child  int32 // 0 for none
	visits int32
	sum    float32 // sum of the values of its visits
	logit  float32
	prior  float32 // proportional to the prior, 1 for the highest logit: see chooseRoughly
	gumbel float32 // Gumbel variable of a move of the root
	flight int32   // visits that wait for their values
}

// values returns the number of visits with values.
func (e *edge) values() int32 { return e.visits - e.flight }

// valued reports whether mean is known.
func (e *edge) valued() bool { return e.values() > 0 || e.proof != mcts.Unknown }

// mean returns the value of a visited move.
func (e *edge) mean() float32 {
	if e.proof != mcts.Unknown {
		return valueOf(e.proof)
	}
	return e.sum / float32(e.values())
}

// Start begins a search of the position of an expander, with at most the
// given evaluations, the root's included. It draws from the random stream, if there is one.
func (s *Search) Start(e mcts.Expander, evaluations int, random *rng.Stream) {
	s.expander, s.random, s.evaluationsLeft, s.maxNodes = e, random, evaluations-1, NodesPerEvaluation*evaluations
	s.nodes, s.edges = s.nodes[:0], s.edges[:0]
	s.path, s.waiting, s.blocked = s.path[:0], s.waiting[:0], s.blocked[:0]
	s.halving = halving{alive: s.alive[:0], budget: s.evaluationsLeft}
	s.expand(node{})
}

// Resize changes the number of evaluations, the root's included, of the search that is under way,
// as when a clock shows how many there is time for. The round of the root that is under way and
// those to come change their sizes with it.
func (s *Search) Resize(evaluations int) {
	s.evaluationsLeft += evaluations - 1 - s.budget
	s.budget, s.maxNodes = evaluations-1, NodesPerEvaluation*evaluations
	if len(s.alive) > 0 {
		s.setQuota()
	}
}

// Next returns the moves to the next position to evaluate, for which Evaluate must be
// called. The path is valid until the next call. It reports false when the search is over, or
// when the next position depends on the evaluation of one that waits: several may wait, but
// for each move of the root only InFlight.
func (s *Search) Next() (path []mcts.Move, ok bool) {
	if s.Decided() {
		return nil, false
	}
	if !s.Evaluated() {
		if len(s.waiting) > 0 {
			return nil, false
		}
		s.waiting = append(s.waiting, 0)
		return s.path, true
	}
	for s.evaluationsLeft > 0 && s.nodes[0].proof == mcts.Unknown && len(s.nodes) < s.maxNodes {
		root, ok := s.chooseRoot()
		if !ok {
			break
		}
		at, ok := s.descend(root)
		if !ok {
			s.blocked = append(s.blocked, root)
			continue
		}
		s.begin(at)
		if s.nodes[at].proof == mcts.Unknown {
			s.evaluationsLeft--
			s.waiting = append(s.waiting, at)
			return s.path, true
		}
		s.prove(at)
	}
	return nil, false
}

// Decided reports whether there is nothing to search: the root is proved, or its move forced.
func (s *Search) Decided() bool {
	root := &s.nodes[0]
	return root.proof != mcts.Unknown || root.end-root.edges == 1
}

// descend goes down from a move of the root to a position that needs an evaluation or is proved. It
// reports false if it comes to one that waits.
func (s *Search) descend(root int32) (at int32, ok bool) {
	s.path = s.path[:0]
	for forced := 0; ; {
		n := &s.nodes[at]
		var next int32
		switch {
		case n.end-n.edges == 1:
			next = n.edges
		case at == 0:
			next = root
		case !n.evaluated:
			return at, false
		default:
			next = s.choose(n)
		}
		s.path = append(s.path, s.edges[next].move)
		if child := s.edges[next].child; child != 0 {
			at = child
			continue
		}
		at = s.expand(node{parent: at, from: next})
		s.edges[next].child = at
		n = &s.nodes[at]
		if forced++; n.end-n.edges > 1 || forced > MaxForced || n.proof != mcts.Unknown {
			return at, true
		}
	}
}

// expand adds a node for the position at the end of the path.
func (s *Search) expand(n node) int32 {
	s.candidates = s.expander.Candidates(s.path, s.candidates[:0])
	n.edges = int32(len(s.edges))
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
	at := s.waiting[0]
	s.waiting, s.blocked = slices.Delete(s.waiting, 0, 1), s.blocked[:0]
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
	s.backUp(at, value)
}

// begin counts the visits of the moves to a node, whose values are to come.
func (s *Search) begin(at int32) {
	for at != 0 {
		e := &s.edges[s.nodes[at].from]
		e.visits++
		e.flight++
		at = s.nodes[at].parent
		n := &s.nodes[at]
		n.visits++
		n.maxVisits = max(n.maxVisits, e.visits)
	}
}

// backUp adds a value of the player to move at a node to the moves to it, whose visits were counted.
func (s *Search) backUp(at int32, value float32) {
	for ; at != 0; at = s.nodes[at].parent {
		value = -value
		e := &s.edges[s.nodes[at].from]
		e.flight--
		e.sum += value
	}
}

// prove backs up the proof of a node.
func (s *Search) prove(at int32) {
	p := s.nodes[at].proof
	s.backUp(at, valueOf(p))
	for at != 0 && p != mcts.Unknown {
		s.edges[s.nodes[at].from].proof = p.Other()
		at = s.nodes[at].parent
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

// Evaluated reports whether the root was evaluated: it was not proved, and its move not
// forced, before the search.
func (s *Search) Evaluated() bool { return s.nodes[0].evaluated }

// Proof returns the proof of the root.
func (s *Search) Proof() mcts.Proof { return s.nodes[0].proof }

// Value returns the expected result of the player to move at the root, from -1 to 1: that
// of the best move where moves were visited, else that of the root's evaluation.
func (s *Search) Value() float64 {
	if p := s.Proof(); p != mcts.Unknown {
		return float64(valueOf(p))
	}
	if e := &s.edges[s.best()]; e.visits > 0 || e.proof != mcts.Unknown {
		return float64(e.mean())
	}
	return float64(s.nodes[0].value)
}

// Best returns the move to make. It is proved if the root is.
func (s *Search) Best() mcts.Move { return s.edges[s.best()].move }

// best returns the edge of the move to make.
func (s *Search) best() int32 {
	root := s.nodes[0]
	if root.end-root.edges == 1 {
		return root.edges
	}
	if root.proof != mcts.Unknown {
		return s.proved(root)
	}
	best := root.edges
	if len(s.alive) > 0 {
		s.sortAlive()
		most := int32(0)
		for _, e := range s.alive {
			most = max(most, s.edges[e].visits)
		}
		few := min(most-1, max(most-int32(s.InFlight), 0)) // see chooseFree
		best = s.alive[slices.IndexFunc(s.alive, func(e int32) bool { return s.edges[e].visits > few })]
	}
	for e := root.edges; e < root.end; e++ {
		// A proved draw is better than a move that rather loses.
		if s.edges[e].proof == mcts.Draw && (s.edges[best].visits == 0 || s.edges[best].mean() < 0) {
			return e
		}
	}
	return best
}

// proved returns a move of a proved node with the same proof.
func (s *Search) proved(n node) int32 {
	for e := n.edges; e < n.end; e++ {
		if s.edges[e].proof == n.proof {
			return e
		}
	}
	panic("a proof without its move")
}

// Line returns moves that lead from a proved root towards the end of the game, as far as
// the tree has them.
func (s *Search) Line() (line []mcts.Move) {
	for at := int32(0); s.nodes[at].proof != mcts.Unknown; {
		e := &s.edges[s.proved(s.nodes[at])]
		line = append(line, e.move)
		if at = e.child; at == 0 {
			break
		}
	}
	return line
}

// Policy sets the improved policy of the root by the numbers of its moves, and other
// entries to 0. A move that is proved to be best has all of it. Where all moves lose, it is
// the policy of the root's evaluation.
func (s *Search) Policy(policy []float32) {
	clear(policy)
	root := s.nodes[0]
	if !root.evaluated || root.proof == mcts.Win || root.proof == mcts.Draw {
		policy[s.Best()] = 1
		return
	}
	s.scores = s.improved(s.scores[:0], &root)
	for i, p := range s.scores {
		policy[s.edges[root.edges+int32(i)].move] = float32(p)
	}
}
