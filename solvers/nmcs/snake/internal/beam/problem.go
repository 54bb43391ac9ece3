package beam

import (
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Problem is what a beam search begins with. [New] makes the plain one; its caller can restrict it.
type Problem struct {
	Dimension int
	Width     int // paths to keep
	Seed      uint64

	Begin   cube.Sequence             // edges that all paths begin with
	Head    uint16                    // vertex to which these lead
	Free    []uint64                  // vertices that a path may still enter, a bit each
	Allowed uint16                    // dimensions that the next edge may have, a bit each
	Unlock  [cube.MaxDimension]uint16 // dimensions that may be used after each one, a bit each

	// Images are those of every vertex under automorphisms of the cube. A path must neither enter
	// nor touch the images of its vertices.
	Images [][]uint16
	// BothEnds counts what the head's first image reaches, too: a snake grows from its middle.
	BothEnds bool
	// Avoided returns the vertex that a path must not enter any more once it has entered another
	// one. It may be nil.
	Avoided func(entered uint16) uint16
	// Goal is the vertex beside which paths have to end, or NoGoal.
	Goal int

	// The length of the result after n steps is Edges plus n times EdgesPerStep, for progress.
	Edges, EdgesPerStep int
}

// NoGoal is the goal of paths that may end anywhere.
const NoGoal = -1

// New returns the search for paths that begin as a board does, with the given edges.
func New(start *cube.Board, begin cube.Sequence, width int, seed uint64) *Problem {
	r := start.Rules()
	p := &Problem{
		Dimension: r.Dimension, Width: width, Seed: seed, Begin: begin, Head: uint16(start.Head()),
		Free: make([]uint64, r.Words()), Allowed: uint16(start.Allowed()), Goal: NoGoal,
		Edges: len(begin), EdgesPerStep: 1,
	}
	for v := range r.Vertices() {
		if start.Blocked()[v>>6]>>(v&63)&1 == 0 {
			p.Free[v>>6] |= 1 << (v & 63)
		}
	}
	for m := range r.Dimension {
		p.Unlock[m] = uint16(2 << m & (1<<r.Dimension - 1))
	}
	return p
}

// Drop makes a vertex one that no path may enter.
func (p *Problem) Drop(v uint16) { drop(p.Free, uint32(v)) }

// DropNeighbours drops the neighbours of a vertex.
func (p *Problem) DropNeighbours(v uint16) { dropNeighbours(p.Free, uint32(v), p.Dimension) }

func drop(free []uint64, v uint32) { free[v>>6] &^= 1 << (v & 63) }

func dropNeighbours(free []uint64, v uint32, dimension int) {
	for m := range dimension {
		drop(free, v^1<<m)
	}
}

// Salt returns the salt of the hashes of the search.
func (p *Problem) Salt() uint64 { return salt(p.Seed) }

// Words32 returns a set of vertices in words of 32 bits.
func Words32(set []uint64) []uint32 {
	var words []uint32
	for _, x := range set {
		words = append(words, uint32(x), uint32(x>>32))
	}
	return words
}

// Progress is the progress of a beam search.
type Progress struct {
	Length int // edges
	Paths  int // paths of this length that are kept
	Work   nmcs.Work
}

// progress calls onProgress, if it is not nil, after some steps.
func (p *Problem) progress(onProgress func(Progress), steps, paths int, work nmcs.Work) {
	if onProgress != nil {
		onProgress(Progress{p.Edges + steps*p.EdgesPerStep, paths, work})
	}
}
