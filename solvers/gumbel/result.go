package gumbel

import (
	"slices"

	"gamebots/solvers/mcts"
)

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
