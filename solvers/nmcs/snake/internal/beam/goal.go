package beam

import "gamebots/solvers/nmcs/snake/cube"

// goal is the goal of a beam search. A nil goal is reached nowhere, and by no path.
type goal struct {
	gates    []uint64 // vertices beside it, a bit each
	complete complete // the longest path so far
}

// complete is a path that ends in a gate.
type complete struct {
	edges uint64 // hash
	steps int    // including the last one; 0 if there is no path
	child
}

// newGoal returns the goal of a problem, or nil.
func newGoal(p *Problem) *goal {
	if p.Goal == NoGoal {
		return nil
	}
	g := &goal{gates: make([]uint64, len(p.Free))}
	for m := range p.Dimension {
		v := p.Goal ^ 1<<m
		g.gates[v>>6] |= 1 << (v & 63)
	}
	return g
}

// better returns the longer one of two paths, or that whose edges have the lower hash.
func (c complete) better(other complete) complete {
	if other.steps > c.steps || other.steps == c.steps && other.edges < c.edges {
		return other
	}
	return c
}

// reachable reports whether a path that can reach some vertices can be completed.
func (g *goal) reachable(free []uint64) bool {
	if g == nil {
		return true
	}
	for i, x := range free {
		if x&g.gates[i] != 0 {
			return true
		}
	}
	return false
}

// ends reports whether a path is complete that enters a vertex.
func (g *goal) ends(v uint32) bool { return g != nil && g.gates[v>>6]>>(v&63)&1 != 0 }

// bestComplete returns the longest path to a gate, or none.
func (s *search) bestComplete() cube.Sequence {
	c := s.goal.complete
	if c.steps == 0 {
		return nil
	}
	return append(s.edges(c.steps-1, int(c.parent)), c.move)
}
