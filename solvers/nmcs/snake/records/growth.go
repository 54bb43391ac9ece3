package records

import (
	"context"
	"math/bits"
	"slices"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/internal/beam"
)

// growth is a beam search of a chain of [Halves]: for a half, or some of it, or for the ends of a
// snake in the whole cube. It is valid by construction.
type growth struct {
	rules   cube.Rules // moves of halves are free
	width   int
	seed    uint64
	begin   cube.Sequence // the snake that changes: without replace, all paths begin with it
	replace window        // edges of begin that others replace
	avoid   cube.Sequence // a walk from vertex 0 whose vertices the path must not enter
	join    bool          // the path ends where that walk ends
	turn    HalfTurn      // the path ends at the image of vertex 0, and avoids those of its vertices
}

// window is a part of a sequence: the edges from number from to the one before to, counted from 0.
// It is empty if both are 0, and otherwise ends before the sequence does.
type window struct{ from, to int }

// kept returns the edges that all paths begin with, and those that they end with.
func (g growth) kept() (begin, end cube.Sequence) {
	if g.replace == (window{}) {
		return g.begin, nil
	}
	return g.begin[:g.replace.from], g.begin[g.replace.to:]
}

// goal returns the vertex beside which the path ends, or [beam.NoGoal].
func (g growth) goal() int {
	switch {
	case g.join:
		return int(g.avoid.Last())
	case g.replace != window{}:
		return int(g.begin[:g.replace.to].Last())
	case g.turn != HalfTurn{}:
		return int(g.turn.image(0))
	}
	return beam.NoGoal
}

// problem returns the beam search.
func (g growth) problem() (*beam.Problem, error) {
	begin, end := g.kept()
	start, err := cube.NewAfter(g.rules, begin)
	if err != nil {
		return nil, err
	}
	p := beam.New(start, begin, g.width, g.seed)
	p.Goal = g.goal()
	for _, v := range g.avoid.Vertices() {
		p.Drop(v)
	}
	kept := begin.Vertices()
	if p.Goal != beam.NoGoal && !g.join {
		at := uint16(p.Goal)
		p.Drop(at)
		kept = append(kept, at)
		for _, m := range end {
			at ^= 1 << m
			p.Drop(at)
			p.DropNeighbours(at)
			kept = append(kept, at)
		}
	}
	if g.turn != (HalfTurn{}) {
		p.Avoided = g.turn.image
		for _, v := range kept {
			p.Drop(g.turn.image(v))
		}
	}
	return p, nil
}

// run makes the search on threads of the CPU.
func (g growth) run(ctx context.Context, threads int) (cube.Sequence, nmcs.Work, error) {
	p, err := g.problem()
	if err != nil {
		return nil, nmcs.Work{}, err
	}
	found, work := beam.Run(ctx, p, threads, nil)
	return g.completed(found), work, nil
}

// completed closes the gap between a path and the goal, if there is one: the edge to the goal, and
// then the end that was kept. Without a path there is nothing to complete.
func (g growth) completed(found cube.Sequence) cube.Sequence {
	goal := g.goal()
	if goal == beam.NoGoal || found == nil {
		return found
	}
	_, end := g.kept()
	return slices.Concat(found, cube.Sequence{edge(found.Last(), uint16(goal))}, end)
}

// edge returns the edge between two vertices.
func edge(v, w uint16) uint8 { return uint8(bits.TrailingZeros16(v ^ w)) }

// edgesLeft is about how many edges the search adds at most.
func (g growth) edgesLeft() int {
	if g.replace == (window{}) {
		return g.rules.Vertices() - len(g.begin)
	}
	return g.replace.to - g.replace.from
}

// cost returns the cost of the search: that of one that replaces a part is 1.
func (g growth) cost() int {
	if g.replace == (window{}) {
		return endCost
	}
	return 1
}
