package snakegpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A BeamSpec describes a beam search for snakes, see solvers/nmcs/snake: where it
// begins, and how paths are ranked.
type BeamSpec struct {
	Dimension int // 3 to [MaxDimension]
	Width     int // paths that are kept
	Salt      uint64
	Free      []uint32 // vertices: bit v%32 of word v/32
	Head      uint32   // a vertex
	Allowed   uint32   // dimensions, a bit each

	Unlock []uint32 // dimensions that may be used once each was used
	Images []uint16 // images of the vertices under a symmetry, nil for none
}

const (
	rankBins    = 8192 // as in beam.cu
	moveBits    = 4    // bits of the move in a child; those above have its parent
	beamThreads = 128

	wordsOfThread = 64 // words of a set at most, as in beam.cuh
)

// Beam does a beam search for snakes on a device. One goroutine uses it at a
// time.
type Beam struct {
	gpu         *launch.Launcher
	spec        BeamSpec
	words       int // words of a set
	paths       int // paths that are kept
	now         int // index of their buffers in the pairs below
	maxChildren int

	beamKernels
	// launchBlocks is how many blocks the device runs at once, of small kernels and
	// of those that rank.
	launchBlocks, rankBlocks int

	beamBuffers
	images imagesParams
}

// beamKernels are the kernels of a step.
type beamKernels struct {
	children *launch.Kernel[childrenParams]
	rank     *launch.Kernel[rankParams]
	enter    *launch.Kernel[enterParams]
	drop     *launch.Kernel[dropParams]
	count    *launch.Kernel[countParams]
	keep     *launch.Kernel[keepParams]
	grow     *launch.Kernel[growParams]
}

// beamBuffers are the paths that are kept and the next ones, and what ranks them.
type beamBuffers struct {
	sets, heads  [2]driver.Buffer[uint32]
	edges        [2]driver.Buffer[uint64] // hashes
	child, slots driver.Buffer[uint32]
	ranks, table driver.Buffer[uint64]
	counts       driver.Buffer[uint32] // one of a list, then bins
	history      []driver.Buffer[uint32]
	unlock       driver.Buffer[uint32]
}

// The parameters of the kernels of beam.cu.
type (
	imagesParams struct {
		Images    driver.Buffer[uint16]
		Symmetric uint32
	}
	childrenParams struct {
		Children, Count, Sets, Heads driver.Buffer[uint32]
		Paths, Words                 uint32
		Images                       imagesParams
	}
	rankParams struct {
		Ranks                 driver.Buffer[uint64]
		Children, Sets, Heads driver.Buffer[uint32]
		N                     uint32 // children
		Salt                  uint64
		Unlock                driver.Buffer[uint32]
		Images                imagesParams
	}
	enterParams struct {
		Table    driver.Buffer[uint64]
		Slots    driver.Buffer[uint32]
		Ranks    driver.Buffer[uint64]
		Children driver.Buffer[uint32]
		Edges    driver.Buffer[uint64]
		N, Mask  uint32 // children, and the table's size less 1
	}
	dropParams struct {
		Ranks    driver.Buffer[uint64]
		Count    driver.Buffer[uint32]
		Table    driver.Buffer[uint64]
		Slots    driver.Buffer[uint32]
		Children driver.Buffer[uint32]
		Edges    driver.Buffer[uint64]
		N        uint32 // children
	}
	countParams struct {
		Bins         driver.Buffer[uint32]
		Ranks        driver.Buffer[uint64]
		N            uint32 // children
		Wanted, Mask uint64
		Shift        uint32
	}
	keepParams struct {
		Kept, Count driver.Buffer[uint32]
		Ranks       driver.Buffer[uint64]
		Children    driver.Buffer[uint32]
		N           uint32 // children
		MinRank     uint64
	}
	growParams struct {
		To, ToHeads       driver.Buffer[uint32]
		ToEdges           driver.Buffer[uint64]
		Kept, Sets, Heads driver.Buffer[uint32]
		Edges             driver.Buffer[uint64]
		N                 uint32 // paths that are kept
		Unlock            driver.Buffer[uint32]
		Images            imagesParams
	}
)

// NewBeam puts the first path of a beam search on a device. The error is a
// [*driver.MemoryError] where the device has too little memory free.
func NewBeam(d *driver.Device, s BeamSpec) (*Beam, error) {
	if s.Dimension < 3 || s.Dimension > MaxDimension || s.Width < 1 {
		return nil, fmt.Errorf("beam search in dimension %d of width %d: %w", s.Dimension, s.Width,
			errors.ErrUnsupported)
	}
	kernelDimension := max(8, s.Dimension)
	b := &Beam{gpu: launch.New(d, Modules, "beam"), spec: s, words: 1 << (kernelDimension - 5), paths: 1}
	b.maxChildren = max(s.Dimension, s.Width*(s.Dimension-1)) // only vertex 0 is left in all dimensions
	table := tableSize(b.maxChildren)
	history := s.Width << s.Dimension / 3 // a long snake has a third of the vertices
	if err := d.RequireMemory(4 * int64(2*s.Width*(b.words+3)+4*b.maxChildren+4*table+history)); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.children = launch.Find[childrenParams](b.gpu, "beam_children")
	b.launchBlocks = launch.Blocks(b.gpu, b.children, beamThreads, 0)
	b.drop = launch.Find[dropParams](b.gpu, "beam_drop")
	b.enter = launch.Find[enterParams](b.gpu, "beam_enter")
	b.count = launch.Find[countParams](b.gpu, "beam_count")
	b.keep = launch.Find[keepParams](b.gpu, "beam_keep")
	b.rank = launch.Find[rankParams](b.gpu, fmt.Sprintf("beam_rank_%d", kernelDimension))
	b.rankBlocks = launch.Blocks(b.gpu, b.rank, beamThreads, 0)
	b.grow = launch.Find[growParams](b.gpu, fmt.Sprintf("beam_grow_%d", kernelDimension))
	for i := range b.sets {
		b.sets[i], b.heads[i] = launch.Alloc[uint32](b.gpu, s.Width*b.words), launch.Alloc[uint32](b.gpu, s.Width)
		b.edges[i] = launch.Alloc[uint64](b.gpu, s.Width)
	}
	b.child, b.slots = launch.Alloc[uint32](b.gpu, b.maxChildren), launch.Alloc[uint32](b.gpu, b.maxChildren)
	b.ranks, b.table = launch.Alloc[uint64](b.gpu, b.maxChildren), launch.Alloc[uint64](b.gpu, 2*table)
	b.counts = launch.Alloc[uint32](b.gpu, 1+rankBins)
	b.unlock, b.images.Images = launch.Alloc[uint32](b.gpu, s.Dimension), launch.Alloc[uint16](b.gpu, 1<<s.Dimension)
	if b.gpu.Err == nil && s.Images != nil {
		b.images.Symmetric, b.gpu.Err = 1, b.images.Images.Upload(b.gpu.Stream, s.Images)
	}
	if b.gpu.Err == nil {
		set := make([]uint32, b.words)
		copy(set, s.Free)
		b.gpu.Err = errors.Join(b.unlock.Upload(b.gpu.Stream, s.Unlock),
			b.sets[0].Slice(0, b.words).Upload(b.gpu.Stream, set),
			b.heads[0].Slice(0, 1).Upload(b.gpu.Stream, []uint32{s.Head | s.Allowed<<16}),
			b.edges[0].Slice(0, 1).Upload(b.gpu.Stream, []uint64{1}))
	}
	if b.gpu.Err != nil {
		return nil, errors.Join(b.gpu.Err, b.Close())
	}
	return b, nil
}

// Close frees the memory on the device.
func (b *Beam) Close() error { return b.gpu.Close() }

// tableSize returns the size of a hash table for some children: a power of two
// that leaves a third or more free.
func tableSize(children int) int {
	size := 1024
	for size < children+children/2 {
		size *= 2
	}
	return size
}

// small is the grid of kernels whose threads take one thing at a time.
func (b *Beam) small(n int) driver.Grid {
	return driver.Grid{Blocks: max(1, min((n+beamThreads-1)/beamThreads, b.launchBlocks)), Threads: beamThreads}
}

// large is the grid of kernels that keep a path in the registers of one or more threads.
func (b *Beam) large(n int) driver.Grid {
	threads := n * max(1, b.words/wordsOfThread)
	return driver.Grid{Blocks: max(1, min((threads+beamThreads-1)/beamThreads, b.rankBlocks)), Threads: beamThreads}
}

// counted returns the length of the list that a kernel appends to.
func (b *Beam) counted(launch func(count driver.Buffer[uint32]) error) (int, error) {
	var n [1]uint32
	one := b.counts.Slice(0, 1)
	err := one.Zero(b.gpu.Stream)
	if err == nil {
		err = launch(one)
	}
	if err == nil {
		err = one.Download(b.gpu.Stream, n[:])
	}
	return int(n[0]), err
}

// Step replaces the paths by the best that are one edge longer. It returns how
// many children there were and how many of them are kept. Where no path can be
// longer there are none, and the paths stay.
func (b *Beam) Step() (children, kept int, err error) {
	err = b.gpu.Device.Do(func() error {
		if children, err = b.list(); err != nil || children == 0 {
			return err
		}
		minRank, n, err := b.choose(children)
		if err != nil {
			return err
		}
		kept = n
		return b.replace(children, kept, minRank)
	})
	return children, kept, err
}

// list lists the children of all paths and ranks them.
func (b *Beam) list() (children int, err error) {
	sets, heads, edges := b.sets[b.now], b.heads[b.now], b.edges[b.now]
	children, err = b.counted(func(count driver.Buffer[uint32]) error {
		return b.children.Launch(b.gpu.Stream, b.small(b.paths), childrenParams{
			Children: b.child, Count: count, Sets: sets, Heads: heads, Paths: uint32(b.paths), Words: uint32(b.words),
			Images: b.images,
		})
	})
	if err != nil || children == 0 {
		return children, err
	}
	n, size := uint32(children), tableSize(children)
	return children, errors.Join(
		b.rank.Launch(b.gpu.Stream, b.large(children), rankParams{
			Ranks: b.ranks, Children: b.child, Sets: sets, Heads: heads, N: n, Salt: b.spec.Salt, Unlock: b.unlock,
			Images: b.images,
		}),
		b.table.Slice(0, 2*size).Zero(b.gpu.Stream),
		b.enter.Launch(b.gpu.Stream, b.small(children), enterParams{
			Table: b.table, Slots: b.slots, Ranks: b.ranks, Children: b.child, Edges: edges, N: n,
			Mask: uint32(size - 1),
		}))
}

// choose drops all but one of equal children, and returns the lowest rank to keep
// and how many children have it or a higher one.
func (b *Beam) choose(children int) (minRank uint64, kept int, err error) {
	n := uint32(children)
	unique, err := b.counted(func(count driver.Buffer[uint32]) error {
		return b.drop.Launch(b.gpu.Stream, b.small(children), dropParams{
			Ranks: b.ranks, Count: count, Table: b.table, Slots: b.slots, Children: b.child, Edges: b.edges[b.now],
			N: n,
		})
	})
	if err != nil || unique <= b.spec.Width {
		return 1, unique, err
	}
	var counts [rankBins]uint32
	need, mask := b.spec.Width, uint64(0)
	bins := b.counts.Slice(1, 1+rankBins)
	for _, shift := range []uint32{51, 38, 25, 12, 0} {
		grid := b.small(children)
		grid.Shared = 4 * rankBins
		err := errors.Join(bins.Zero(b.gpu.Stream),
			b.count.Launch(b.gpu.Stream, grid,
				countParams{Bins: bins, Ranks: b.ranks, N: n, Wanted: minRank, Mask: mask, Shift: shift}),
			bins.Download(b.gpu.Stream, counts[:]))
		if err != nil {
			return 0, 0, err
		}
		bin := rankBins - 1
		for ; int(counts[bin]) < need; bin-- {
			need -= int(counts[bin])
		}
		minRank |= uint64(bin) << shift
		mask |= (rankBins - 1) << shift
		if int(counts[bin]) == need {
			break
		}
	}
	return minRank, b.spec.Width, nil
}

// replace puts the children of at least a rank in the place of the paths.
func (b *Beam) replace(children, kept int, minRank uint64) error {
	history := launch.Alloc[uint32](b.gpu, kept)
	if b.gpu.Err != nil {
		return b.gpu.Err
	}
	n, err := b.counted(func(count driver.Buffer[uint32]) error {
		return b.keep.Launch(b.gpu.Stream, b.small(children), keepParams{
			Kept: history, Count: count, Ranks: b.ranks, Children: b.child, N: uint32(children), MinRank: minRank,
		})
	})
	if err == nil && n != kept {
		err = fmt.Errorf("beam search kept %d paths instead of %d", n, kept)
	}
	if err != nil {
		return err
	}
	from, to := b.now, 1-b.now
	b.history, b.now, b.paths = append(b.history, history), to, kept
	return b.grow.Launch(b.gpu.Stream, b.large(kept), growParams{
		To: b.sets[to], ToHeads: b.heads[to], ToEdges: b.edges[to], Kept: history,
		Sets: b.sets[from], Heads: b.heads[from], Edges: b.edges[from], N: uint32(kept), Unlock: b.unlock,
		Images: b.images,
	})
}

// Best returns the moves of the path whose edges have the lowest hash.
func (b *Beam) Best() ([]uint8, error) {
	edges := make([]uint64, b.paths)
	if err := b.edges[b.now].Slice(0, b.paths).Download(b.gpu.Stream, edges); err != nil {
		return nil, err
	}
	at := 0
	for i, hash := range edges {
		if hash < edges[at] {
			at = i
		}
	}
	moves := make([]uint8, len(b.history))
	for i := len(b.history) - 1; i >= 0; i-- {
		var child [1]uint32
		if err := b.history[i].Slice(at, at+1).Download(b.gpu.Stream, child[:]); err != nil {
			return nil, err
		}
		moves[i], at = uint8(child[0]&(1<<moveBits-1)), int(child[0]>>moveBits)
	}
	return moves, nil
}
