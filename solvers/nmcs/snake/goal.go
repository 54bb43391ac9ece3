package snake

import (
	"math/bits"
	"slices"

	"gamebots/solvers/nmcs/snake/cube"
)

// A beam search for coils is for paths that lead to a goal: the vertex where the path began, or
// the copy of that one if the coil is to have a rotation. The vertices beside the goal are
// gates. A path that enters one is complete, and paths that can reach none are dropped. The
// copies of a path grow with it, and it must not touch them.

// goal is the goal of a beam search.
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

// newGoal returns the goal at a vertex.
func newGoal(r cube.Rules, at uint16) *goal {
	g := &goal{gates: make([]uint64, r.Words())}
	for m := range r.Dimension {
		v := at ^ 1<<m
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

// beginCoil sets the goal of a coil, which has its first edge, and drops the vertices that it
// cannot enter without touching the first edges of its copies, or its copies there.
func (b *beam) beginCoil(free []uint64) {
	turns := rotation(b.images)
	b.goal = newGoal(b.settings.Rules, turns.turn(0))
	for v := range uint32(b.settings.Rules.Vertices()) {
		if turns.meets(uint16(v)) {
			drop(free, v)
		}
	}
	for i, v := range turns.whole([]uint16{0}) {
		drop(free, uint32(v))
		if i != 1%turns.copies() { // the goal has free gates
			b.dropNeighbours(free, uint32(v))
		}
	}
	for _, v := range turns.whole([]uint16{1}) {
		drop(free, uint32(v))
	}
}

// bestComplete returns the longest path to the goal, as the coil that it makes, or none.
func (b *beam) bestComplete() cube.Sequence {
	c := b.goal.complete
	if c.steps == 0 {
		return nil
	}
	found := append(b.edges(c.steps-1, int(c.parent)), c.move)
	if _, ok := b.settings.end(); ok {
		return b.settings.completed(found)
	}
	return sequence(rotation(b.images).whole(vertices(found)), true)
}

// end returns the vertex beside which all paths end, if there is one that the settings give.
func (s Settings) end() (uint16, bool) {
	switch {
	case s.Join:
		return last(s.Avoid), true
	case s.Replace != Window{}:
		return last(s.Prime[:s.Replace.To]), true
	case s.HalfTurn != HalfTurn{}:
		return s.HalfTurn.image(0), true
	}
	return 0, false
}

// completed returns a path to a vertex beside that of end, with what follows.
func (s Settings) completed(found cube.Sequence) cube.Sequence {
	at, _ := s.end()
	_, end := s.kept()
	return slices.Concat(found, cube.Sequence{edge(last(found), at)}, end)
}

// dropOthers drops the vertices of the walk to avoid, those of the end that is kept of the prime, and
// those beside the latter, but for the first one's; with a half turn also the images of what is kept.
func (s Settings) dropOthers(free []uint64) {
	for _, v := range vertices(s.Avoid) {
		drop(free, uint32(v))
	}
	begin, end := s.kept()
	kept := vertices(begin)
	if at, ok := s.end(); ok && !s.Join {
		drop(free, uint32(at))
		kept = append(kept, at)
		for _, m := range end {
			at ^= 1 << m
			drop(free, uint32(at))
			for i := range s.Rules.Dimension {
				drop(free, uint32(at^1<<i))
			}
			kept = append(kept, at)
		}
	}
	if s.HalfTurn == (HalfTurn{}) {
		return
	}
	for _, v := range kept {
		drop(free, uint32(s.HalfTurn.image(v)))
	}
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

// drop makes a vertex one that is not free.
func drop(free []uint64, v uint32) { free[v>>6] &^= 1 << (v & 63) }

// last returns the last vertex of a path.
func last(s cube.Sequence) (v uint16) {
	for _, m := range s {
		v ^= 1 << m
	}
	return v
}

// edge returns the edge between two vertices.
func edge(v, w uint16) uint8 { return uint8(bits.TrailingZeros16(v ^ w)) }

// vertices returns the vertices of a path.
func vertices(s cube.Sequence) []uint16 {
	path, v := []uint16{0}, uint16(0)
	for _, m := range s {
		v ^= 1 << m
		path = append(path, v)
	}
	return path
}
