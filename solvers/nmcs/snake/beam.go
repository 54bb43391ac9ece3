package snake

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Beam search extends all paths by one edge, and keeps the best of the longer ones, as many
// as the width.
//
// The possible continuations of a path depend on its state: its head, the free vertices
// that can be reached from there, and the dimensions that it has used. One of the paths
// with the same state is kept. More reachable vertices are better, and ties are broken by a
// hash of the state, which depends on the seed. Of paths with the same state, the one whose
// edges have the lowest hash stays. Results therefore depend neither on threads nor on the
// device.

// BeamProgress is the progress of a beam search.
type BeamProgress struct {
	Length int // edges
	Paths  int // of this length that are kept
	Work   nmcs.Work
}

// BeamFunc makes a beam search, on any device. It returns none if it was stopped before it began.
type BeamFunc func(context.Context, Settings) (cube.Sequence, nmcs.Work, error)

// path is a path that is kept, but for its free vertices.
type path struct {
	edges   uint64 // hash
	head    uint16
	allowed uint16
}

// child is a path that is one edge longer, and may be kept.
type child struct {
	rank   uint64 // vertices reached, and in the lower bits the hash of the state
	parent uint32
	move   uint8
}

const (
	rankHash = 50 // bits of the hash in a rank at most; those above hold the number of vertices
	moveBits = 4  // bits of the edge in a history entry; those above hold the parent
)

type beam struct {
	settings Settings
	words    int
	paths    []path
	free     []uint64   // words of each path
	history  [][]uint32 // by length and path: the parent and the last edge
	prime    cube.Sequence
	salt     uint64
	unlock   [cube.MaxDimension]uint16 // by dimension: those that may be used after it
	images   [][]uint16                // of vertices, under all symmetries but the identity
	goal     *goal                     // or nil, if a path may end anywhere
	work     nmcs.Work
}

func newBeam(s Settings) (*beam, error) {
	start, err := s.start()
	if err != nil {
		return nil, err
	}
	b := &beam{settings: s, words: s.Rules.Words(), salt: salt(s.Seed)}
	b.prime, _ = s.kept()
	if s.Rules.Coil {
		start.Play(0)
		b.prime = cube.Sequence{0}
	}
	first, next := s.Symmetry.unlock(s.Rules)
	allowed := uint16(start.Allowed())
	if b.unlock = next; s.Symmetry.Middle != "" {
		b.images, allowed = [][]uint16{s.Symmetry.images(s.Rules)}, first
	}
	free := make([]uint64, b.words)
	for v := range uint32(s.Rules.Vertices()) {
		if start.Blocked()[v>>6]>>(v&63)&1 == 0 {
			free[v>>6] |= 1 << (v & 63)
		}
	}
	if s.Symmetry.Middle != "" {
		drop(free, s.Symmetry.middle(s.Rules))
	}
	s.dropOthers(free)
	if at, ok := s.end(); ok {
		b.goal = newGoal(s.Rules, at)
	}
	if s.Rules.Coil {
		turns, ok := drawRotation(s.Rules, s.Symmetry.Copies, s.Seed)
		if !ok {
			return nil, fmt.Errorf("symmetry %v: no rotation was found", s.Symmetry)
		}
		if turns != nil {
			allowed = uint16(s.Rules.Vertices() - 1) // the rotation tells the dimensions apart
		}
		b.images = turns
		b.beginCoil(free)
	}
	b.paths, b.free = []path{{1, uint16(start.Head()), allowed}}, free
	return b, nil
}

// Beam makes a beam search on threads of the CPU, until no path can be extended or the
// context is done, and returns the longest path. OnProgress is called after each edge; it
// may be nil.
func Beam(ctx context.Context, s Settings, threads int, onProgress func(BeamProgress)) (cube.Sequence, nmcs.Work, error) {
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
		if onProgress != nil {
			onProgress(BeamProgress{s.lengthAfter(len(b.history)), len(kept), b.work})
		}
	}
	return b.best(), b.work, nil
}

// BeamBytes estimates the memory of a beam search on the CPU at its full width: the paths
// of two lengths, some children of each and their hash table, and the history of the
// longest snake possible; plus half of that for garbage.
func (s Settings) BeamBytes() int64 {
	const pathBytes, childBytes, tableBytes, children = 16, 16, 12, 4
	perPath := 2*(pathBytes+8*s.Rules.Words()) + children*(2*childBytes+tableBytes) + childBytes + 4*s.Rules.Vertices()/3
	return 3 * int64(perPath) * int64(s.Width) / 2
}

// inRanges divides the numbers from 0 to n-1 into a range for each thread.
func inRanges(n, threads int, do func(part, from, to int)) {
	parallel.Each(threads, func(part int) { do(part, n*part/threads, n*(part+1)/threads) })
}

// stopped reports whether the context is done. It checks only some of the numbers i of
// many steps: often enough, as an edge of a wide beam in a large cube takes minutes.
func stopped(ctx context.Context, i int) bool { return i&1023 == 0 && ctx.Err() != nil }

// lengthAfter returns the number of edges of a path after a number of steps.
func (s Settings) lengthAfter(steps int) int {
	switch s.Symmetry.Middle {
	case "edge":
		return 2*steps + 1
	case "vertex":
		return 2 * steps
	}
	if s.Rules.Coil {
		return max(1, s.Symmetry.Copies) * (1 + steps)
	}
	begin, end := s.kept()
	return len(begin) + steps + len(end)
}

// freeAfter sets free to the vertices that are free after the head of a path, and its images,
// have moved on.
func (b *beam) freeAfter(i int, free []uint64) {
	copy(free, b.free[i*b.words:][:b.words])
	b.dropNeighbours(free, uint32(b.paths[i].head))
	for _, images := range b.images {
		b.dropNeighbours(free, uint32(images[b.paths[i].head]))
	}
}

func (b *beam) dropNeighbours(free []uint64, of uint32) {
	for m := range b.settings.Rules.Dimension {
		drop(free, of^1<<m)
	}
}

// dropImage drops the image of a head under the half turn, if there is one. It returns the word and
// the bit that this took from the free vertices.
func (b *beam) dropImage(free []uint64, head uint32) (word int, bit uint64) {
	if b.settings.HalfTurn == (HalfTurn{}) {
		return 0, 0
	}
	image := b.settings.HalfTurn.image(uint16(head))
	word = int(image >> 6)
	bit = free[word] & (1 << (image & 63))
	free[word] &^= bit
	return word, bit
}

// reach sets r to the free vertices that can be reached from the heads, of which a snake that
// grows from its middle has two, and returns their number.
func (b *beam) reach(r, free []uint64, head uint32) int {
	if b.settings.Symmetry.Middle == "" {
		return cube.Flood(r, free, head)
	}
	return cube.Flood(r, free, head, uint32(b.images[0][head]))
}

// moves returns the dimensions along which a path can be extended, as bits.
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

// apart reports whether a head can move to a vertex without touching its images.
func (b *beam) apart(head, v uint32) bool {
	for _, images := range b.images {
		image := uint32(images[head])
		if bits.OnesCount32(v^uint32(images[v])) < 2 || image != head && bits.OnesCount32(v^image) < 2 {
			return false
		}
	}
	return true
}

// allowedAfter returns the dimensions that may be used after a move.
func (b *beam) allowedAfter(allowed uint16, move uint8) uint16 { return allowed | b.unlock[move] }

// children returns all paths that are one edge longer, or some of them if the context is
// done.
func (b *beam) children(ctx context.Context, threads int) [][]child {
	parts, works, ends := make([][]child, threads), make([]nmcs.Work, threads), make([]complete, threads)
	inRanges(len(b.paths), threads, func(part, from, to int) {
		free, reached := make([]uint64, b.words), make([]uint64, b.words)
		children := make([]child, 0, 3*(to-from))
		for i := from; i < to && !stopped(ctx, i); i++ {
			b.freeAfter(i, free)
			p := b.paths[i]
			for left := b.moves(i); left != 0; left &= left - 1 {
				move := uint8(bits.TrailingZeros32(left))
				head := uint32(p.head) ^ 1<<move
				if b.goal.ends(head) {
					c := child{parent: uint32(i), move: move}
					ends[part] = ends[part].better(complete{b.edgesAfter(c), 1 + len(b.history), c})
					continue
				}
				image, dropped := b.dropImage(free, head)
				n := b.reach(reached, free, head)
				free[image] |= dropped
				if !b.goal.reachable(reached) {
					continue
				}
				hash := hashState(reached, head, b.allowedAfter(p.allowed, move), b.salt)
				children = append(children, child{b.rank(n, hash), uint32(i), move})
			}
		}
		works[part].Steps = uint64(len(children))
		parts[part] = children
	})
	for part, w := range works {
		b.work.Add(w)
		if b.goal != nil {
			b.goal.complete = b.goal.complete.better(ends[part])
		}
	}
	return parts
}

// rank returns the rank of a child by the vertices that it reaches and the hash of its state.
func (b *beam) rank(reached int, hash uint64) uint64 {
	hashBits := min(rankHash, 64-b.settings.Rules.Dimension)
	return uint64(reached)<<hashBits | hash>>(64-hashBits) | 1 // none is 0
}

// edgesAfter returns the hash of the edges of a child.
func (b *beam) edgesAfter(c child) uint64 { return hashEdges(b.paths[c.parent].edges, c.move) }

// grow replaces the paths by the children that are kept. It reports false, and changes
// nothing, if the context is done.
func (b *beam) grow(ctx context.Context, kept []child, threads int) bool {
	paths, sets, history := make([]path, len(kept)), make([]uint64, len(kept)*b.words), make([]uint32, len(kept))
	inRanges(len(kept), threads, func(_, from, to int) {
		free := make([]uint64, b.words)
		for i := from; i < to && !stopped(ctx, i); i++ {
			c := kept[i]
			p := b.paths[c.parent]
			head := uint32(p.head) ^ 1<<c.move
			b.freeAfter(int(c.parent), free)
			b.dropImage(free, head)
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

// best returns the longest path, and of several that whose edges have the lowest hash.
func (b *beam) best() cube.Sequence {
	if b.goal != nil {
		return b.bestComplete()
	}
	at := 0
	for i, p := range b.paths {
		if p.edges < b.paths[at].edges {
			at = i
		}
	}
	return b.settings.Symmetry.whole(b.settings.Rules, b.edges(len(b.history), at))
}

// edges returns the edges of a path after a number of steps.
func (b *beam) edges(steps, at int) cube.Sequence {
	s := append(slices.Clone(b.prime), make(cube.Sequence, steps)...)
	for i, history := range slices.Backward(b.history[:steps]) {
		entry := history[at]
		s[len(b.prime)+i], at = uint8(entry&(1<<moveBits-1)), int(entry>>moveBits)
	}
	return s
}
