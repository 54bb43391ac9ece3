package beam

import (
	"context"
	"math/bits"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

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

// search is the state of a beam search.
type search struct {
	*Problem
	words   int
	salt    uint64
	paths   []path
	free    []uint64   // words of each path
	history [][]uint32 // parent and last edge of each path of each length
	goal    *goal
	work    nmcs.Work
}

// Run makes a beam search on threads of the CPU, until no path can be extended or the context is
// done. It returns the longest path, and of several that whose edges have the lowest hash; none
// if there is a goal that no path reaches. OnProgress is called after each edge; it may be nil.
func Run(ctx context.Context, p *Problem, threads int, onProgress func(Progress)) (cube.Sequence, nmcs.Work) {
	s := &search{
		Problem: p, words: len(p.Free), salt: p.Salt(), goal: newGoal(p),
		paths: []path{{1, p.Head, p.Allowed}}, free: p.Free,
	}
	for ctx.Err() == nil {
		kept := s.keep(ctx, s.children(ctx, threads))
		if len(kept) == 0 || !s.grow(ctx, kept, threads) {
			break
		}
		p.progress(onProgress, len(s.history), len(kept), s.work)
	}
	return s.best(), s.work
}

// Bytes estimates the memory of a beam search on the CPU at its full width: the paths of two
// lengths, some children of each and their hash table, and the history of the longest snake
// possible; plus half of that for garbage.
func Bytes(r cube.Rules, width int) int64 {
	const pathBytes, childBytes, tableBytes, children = 16, 16, 12, 4
	perPath := 2*(pathBytes+8*r.Words()) + children*(2*childBytes+tableBytes) + childBytes + 4*r.Vertices()/3
	return 3 * int64(perPath) * int64(width) / 2
}

// inRanges divides the numbers from 0 to n-1 into a range for each thread.
func inRanges(n, threads int, do func(part, from, to int)) {
	parallel.Each(threads, func(part int) { do(part, n*part/threads, n*(part+1)/threads) })
}

// stopped reports whether the context is done. It checks only some of the numbers i of
// many steps: often enough, as an edge of a wide beam in a large cube takes minutes.
func stopped(ctx context.Context, i int) bool { return i&1023 == 0 && ctx.Err() != nil }

// freeAfter sets free to the vertices that are free after the head of a path, and its images,
// have moved on.
func (s *search) freeAfter(i int, free []uint64) {
	copy(free, s.free[i*s.words:][:s.words])
	dropNeighbours(free, uint32(s.paths[i].head), s.Dimension)
	for _, images := range s.Images {
		dropNeighbours(free, uint32(images[s.paths[i].head]), s.Dimension)
	}
}

// dropAvoided drops the vertex that a path must not enter from a head, if there is one. It returns
// the word and the bit that this took from the free vertices.
func (s *search) dropAvoided(free []uint64, head uint32) (word int, bit uint64) {
	if s.Avoided == nil {
		return 0, 0
	}
	v := s.Avoided(uint16(head))
	word = int(v >> 6)
	bit = free[word] & (1 << (v & 63))
	free[word] &^= bit
	return word, bit
}

// reach sets r to the free vertices that can be reached from the heads, of which a snake that
// grows from its middle has two, and returns their number.
func (s *search) reach(r, free []uint64, head uint32) int {
	if s.BothEnds {
		return cube.Flood(r, free, head, uint32(s.Images[0][head]))
	}
	return cube.Flood(r, free, head)
}

// moves returns the dimensions along which a path can be extended, as bits.
func (s *search) moves(i int) uint32 {
	free, p, moves := s.free[i*s.words:][:s.words], s.paths[i], uint32(0)
	for left := uint32(p.allowed); left != 0; left &= left - 1 {
		bit := left & -left
		if v := uint32(p.head) ^ bit; free[v>>6]>>(v&63)&1 != 0 && s.apart(uint32(p.head), v) {
			moves |= bit
		}
	}
	return moves
}

// apart reports whether a head can move to a vertex without touching its images.
func (s *search) apart(head, v uint32) bool {
	for _, images := range s.Images {
		image := uint32(images[head])
		if bits.OnesCount32(v^uint32(images[v])) < 2 || image != head && bits.OnesCount32(v^image) < 2 {
			return false
		}
	}
	return true
}

// allowedAfter returns the dimensions that may be used after a move.
func (s *search) allowedAfter(allowed uint16, move uint8) uint16 { return allowed | s.Unlock[move] }

// children returns all paths that are one edge longer, or some of them if the context is
// done.
func (s *search) children(ctx context.Context, threads int) [][]child {
	parts, works, ends := make([][]child, threads), make([]nmcs.Work, threads), make([]complete, threads)
	inRanges(len(s.paths), threads, func(part, from, to int) {
		free, reached := make([]uint64, s.words), make([]uint64, s.words)
		children := make([]child, 0, 3*(to-from))
		for i := from; i < to && !stopped(ctx, i); i++ {
			s.freeAfter(i, free)
			p := s.paths[i]
			for left := s.moves(i); left != 0; left &= left - 1 {
				move := uint8(bits.TrailingZeros32(left))
				head := uint32(p.head) ^ 1<<move
				if s.goal.ends(head) {
					c := child{parent: uint32(i), move: move}
					ends[part] = ends[part].better(complete{s.edgesAfter(c), 1 + len(s.history), c})
					continue
				}
				image, dropped := s.dropAvoided(free, head)
				n := s.reach(reached, free, head)
				free[image] |= dropped
				if !s.goal.reachable(reached) {
					continue
				}
				hash := hashState(reached, head, s.allowedAfter(p.allowed, move), s.salt)
				children = append(children, child{s.rank(n, hash), uint32(i), move})
			}
		}
		works[part].Steps = uint64(len(children))
		parts[part] = children
	})
	for part, w := range works {
		s.work.Add(w)
		if s.goal != nil {
			s.goal.complete = s.goal.complete.better(ends[part])
		}
	}
	return parts
}

// rank returns the rank of a child by the vertices that it reaches and the hash of its state.
func (s *search) rank(reached int, hash uint64) uint64 {
	hashBits := min(rankHash, 64-s.Dimension)
	return uint64(reached)<<hashBits | hash>>(64-hashBits) | 1 // none is 0
}

// edgesAfter returns the hash of the edges of a child.
func (s *search) edgesAfter(c child) uint64 { return hashEdges(s.paths[c.parent].edges, c.move) }

// grow replaces the paths by the children that are kept. It reports false, and changes
// nothing, if the context is done.
func (s *search) grow(ctx context.Context, kept []child, threads int) bool {
	paths, sets, history := make([]path, len(kept)), make([]uint64, len(kept)*s.words), make([]uint32, len(kept))
	inRanges(len(kept), threads, func(_, from, to int) {
		free := make([]uint64, s.words)
		for i := from; i < to && !stopped(ctx, i); i++ {
			c := kept[i]
			p := s.paths[c.parent]
			head := uint32(p.head) ^ 1<<c.move
			s.freeAfter(int(c.parent), free)
			s.dropAvoided(free, head)
			s.reach(sets[i*s.words:][:s.words], free, head)
			paths[i] = path{s.edgesAfter(c), uint16(head), s.allowedAfter(p.allowed, c.move)}
			history[i] = c.parent<<moveBits | uint32(c.move)
		}
	})
	if ctx.Err() != nil {
		return false
	}
	s.paths, s.free = paths, sets
	s.history = append(s.history, history)
	return true
}

// best returns the longest path, and of several that whose edges have the lowest hash.
func (s *search) best() cube.Sequence {
	if s.goal != nil {
		return s.bestComplete()
	}
	at := 0
	for i, p := range s.paths {
		if p.edges < s.paths[at].edges {
			at = i
		}
	}
	return s.edges(len(s.history), at)
}

// edges returns the edges of a path after some steps.
func (s *search) edges(steps, at int) cube.Sequence {
	path := append(slices.Clone(s.Begin), make(cube.Sequence, steps)...)
	for i, history := range slices.Backward(s.history[:steps]) {
		entry := history[at]
		path[len(s.Begin)+i], at = uint8(entry&(1<<moveBits-1)), int(entry>>moveBits)
	}
	return path
}
