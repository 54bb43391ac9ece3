package snake

import (
	"context"
	"math/bits"

	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Beam search keeps, edge by edge, the width best of all paths that are one edge
// longer than those kept before.
//
// What can become of a path depends on its head, on the free vertices that can
// be reached from there, and on the dimensions it has used; of paths that are
// alike in these one is kept. The more vertices, the better; which of equals are
// kept follows from a hash of the same, so the seed makes other choices. Of
// paths that are alike, the one with the lowest hash of its edges stays, and so
// results depend neither on threads nor on the device.

// BeamProgress is how far a beam search is.
type BeamProgress struct {
	Length int // edges
	Paths  int // of this length that are kept
	Work   nmcs.Work
}

// path is what is kept of a path beside its free vertices.
type path struct {
	edges   uint64 // hash
	head    uint16
	allowed uint16
}

// A child is a path of the next length, before it is known whether it stays.
type child struct {
	rank   uint64 // vertices reached, and below them the hash
	parent uint32
	move   uint8
}

const (
	rankHash = 50 // bits of a rank that are hash; those above hold 2^13 vertices
	moveBits = 4  // of an edge in the history; those above hold the parent
)

type beam struct {
	settings Settings
	words    int
	paths    []path
	free     []uint64   // words of each path
	history  [][]uint32 // of each length, for each path, its parent and its last edge
	prime    cube.Sequence
	salt     uint64
	unlock   [cube.MaxDimension]uint16 // dimensions that may be used once one was
	images   []uint16                  // of vertices under a symmetry, or nil
	work     nmcs.Work
}

func newBeam(s Settings) (*beam, error) {
	start, err := s.start()
	if err != nil {
		return nil, err
	}
	b := &beam{settings: s, words: s.Rules.Words(), prime: s.Prime, salt: rng.At(s.Seed, 0)}
	first, next := s.Symmetry.unlock(s.Rules)
	allowed := uint16(start.Allowed())
	if b.unlock = next; s.Symmetry.Middle != "" {
		b.images, allowed = s.Symmetry.images(s.Rules), first
	}
	free := make([]uint64, b.words)
	for v := range uint32(s.Rules.Vertices()) {
		if start.Blocked()[v>>6]>>(v&63)&1 == 0 {
			free[v>>6] |= 1 << (v & 63)
		}
	}
	if b.images != nil {
		middle := s.Symmetry.middle(s.Rules)
		free[middle>>6] &^= 1 << (middle & 63)
	}
	avoid := uint32(0)
	for _, m := range s.Avoid {
		avoid ^= 1 << m
		free[avoid>>6] &^= 1 << (avoid & 63)
	}
	b.paths, b.free = []path{{1, uint16(start.Head()), allowed}}, free
	return b, nil
}

// Beam does a beam search, on threads of the CPU, until no path can be longer
// or the context is done, and returns the longest path. After each edge progress
// is called, if it is not nil.
func Beam(ctx context.Context, s Settings, threads int, progress func(BeamProgress)) (cube.Sequence, nmcs.Work, error) {
	if err := s.Check(); err != nil {
		return nil, nmcs.Work{}, err
	}
	b, err := newBeam(s)
	if err != nil {
		return nil, nmcs.Work{}, err
	}
	for ctx.Err() == nil {
		kept := b.keep(ctx, b.children(ctx, threads))
		if len(kept) == 0 || !b.grow(ctx, kept, threads) {
			break
		}
		if progress != nil {
			progress(BeamProgress{s.lengthAfter(len(b.history)), len(kept), b.work})
		}
	}
	return b.best(), b.work, nil
}

// BeamBytes returns about how much memory a beam search takes on the CPU when it is
// as wide as it may be: paths of two lengths, some children of each with the table
// that finds those that are alike, and the edges to as long a snake as there may be;
// half of that once more is garbage.
func (s Settings) BeamBytes() float64 {
	const pathBytes, childBytes, tableBytes, children = 16, 16, 12, 4
	perPath := 2*(pathBytes+8*s.Rules.Words()) + children*(2*childBytes+tableBytes) + childBytes + 4*s.Rules.Vertices()/3
	return 1.5 * float64(perPath) * float64(s.Width)
}

// inParts divides the numbers below n into a range for each thread.
func inParts(n, threads int, do func(part, from, to int)) {
	parallel.Each(threads, func(part int) { do(part, n*part/threads, n*(part+1)/threads) })
}

// stopped looks now and then whether a context is done, at the i-th of many
// steps: in large cubes an edge of a wide beam takes minutes.
func stopped(ctx context.Context, i int) bool { return i&1023 == 0 && ctx.Err() != nil }

// lengthAfter returns the edges of a path after so many steps of the search.
func (s Settings) lengthAfter(steps int) int {
	switch s.Symmetry.Middle {
	case "edge":
		return 2*steps + 1
	case "vertex":
		return 2 * steps
	}
	return len(s.Prime) + steps
}

// after returns the vertices that are free once the head of a path moves on,
// and the image of the head with it.
func (b *beam) after(i int, free []uint64) {
	copy(free, b.free[i*b.words:][:b.words])
	b.dropNeighbours(free, uint32(b.paths[i].head))
	if b.images != nil {
		b.dropNeighbours(free, uint32(b.images[b.paths[i].head]))
	}
}

func (b *beam) dropNeighbours(free []uint64, of uint32) {
	for m := range b.settings.Rules.Dimension {
		v := of ^ 1<<m
		free[v>>6] &^= 1 << (v & 63)
	}
}

// reach sets r to the free vertices that can be reached from a head, or from its
// image, and returns their number.
func (b *beam) reach(r, free []uint64, head uint32) int {
	if b.images == nil {
		return cube.Flood(r, free, head)
	}
	return cube.Flood(r, free, head, uint32(b.images[head]))
}

// moves returns the dimensions along which a path can go on, as bits.
func (b *beam) moves(i int) uint32 {
	free, p, moves := b.free[i*b.words:][:b.words], b.paths[i], uint32(0)
	for left := uint32(p.allowed); left != 0; left &= left - 1 {
		bit := left & -left
		if v := uint32(p.head) ^ bit; free[v>>6]>>(v&63)&1 != 0 && b.apart(uint32(p.head), v) {
			moves |= bit
		}
	}
	return moves
}

// apart says whether a head can move to a vertex without coming near its image.
func (b *beam) apart(head, v uint32) bool {
	if b.images == nil {
		return true
	}
	image := uint32(b.images[head])
	return bits.OnesCount32(v^uint32(b.images[v])) >= 2 && (image == head || bits.OnesCount32(v^image) >= 2)
}

// allowedAfter returns the dimensions that may be used after a move.
func (b *beam) allowedAfter(allowed uint16, move uint8) uint16 { return allowed | b.unlock[move] }

// children ranks all paths that are one edge longer, or some of them if the
// context is done.
func (b *beam) children(ctx context.Context, threads int) [][]child {
	parts, works := make([][]child, threads), make([]nmcs.Work, threads)
	inParts(len(b.paths), threads, func(part, from, to int) {
		free, reached := make([]uint64, b.words), make([]uint64, b.words)
		children := make([]child, 0, 3*(to-from))
		for i := from; i < to && !stopped(ctx, i); i++ {
			b.after(i, free)
			p := b.paths[i]
			for left := b.moves(i); left != 0; left &= left - 1 {
				move := uint8(bits.TrailingZeros32(left))
				head := uint32(p.head) ^ 1<<move
				n := b.reach(reached, free, head)
				rank := uint64(n)<<rankHash | hashState(reached, head, b.allowedAfter(p.allowed, move), b.salt)>>(64-rankHash) | 1 // none is 0
				children = append(children, child{rank, uint32(i), move})
			}
		}
		works[part].Steps = uint64(len(children))
		parts[part] = children
	})
	for _, w := range works {
		b.work.Add(w)
	}
	return parts
}

// edgesAfter is the hash of the edges of a path and one more.
func (b *beam) edgesAfter(c child) uint64 { return hashEdges(b.paths[c.parent].edges, c.move) }

// grow replaces the paths by longer ones, unless the context is done before.
func (b *beam) grow(ctx context.Context, kept []child, threads int) bool {
	paths, sets, history := make([]path, len(kept)), make([]uint64, len(kept)*b.words), make([]uint32, len(kept))
	inParts(len(kept), threads, func(_, from, to int) {
		free := make([]uint64, b.words)
		for i := from; i < to && !stopped(ctx, i); i++ {
			c := kept[i]
			p := b.paths[c.parent]
			head := uint32(p.head) ^ 1<<c.move
			b.after(int(c.parent), free)
			b.reach(sets[i*b.words:][:b.words], free, head)
			paths[i] = path{b.edgesAfter(c), uint16(head), b.allowedAfter(p.allowed, c.move)}
			history[i] = c.parent<<moveBits | uint32(c.move)
		}
	})
	if ctx.Err() != nil {
		return false
	}
	b.paths, b.free = paths, sets
	b.history = append(b.history, history)
	return true
}

// best returns the path with the lowest hash of its edges, of all that are kept.
func (b *beam) best() cube.Sequence {
	at := 0
	for i, p := range b.paths {
		if p.edges < b.paths[at].edges {
			at = i
		}
	}
	moves := make([]nmcs.Move, len(b.history))
	for i := len(b.history) - 1; i >= 0; i-- {
		entry := b.history[i][at]
		moves[i], at = nmcs.Move(entry&(1<<moveBits-1)), int(entry>>moveBits)
	}
	return b.settings.Symmetry.both(b.settings.Rules, b.settings.Rules.Sequence(b.prime, moves))
}
