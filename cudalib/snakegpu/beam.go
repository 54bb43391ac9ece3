package snakegpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/snake"
)

// BeamSpec is what a beam search for snakes begins with, see
// solvers/nmcs/snake: a set of free vertices, bit v%32 of word v/32, the head,
// and the dimensions that may be used, as bits.
type BeamSpec struct {
	Dimension int // 3 to MaxBeamDimension
	Width     int // paths that are kept
	Salt      uint64
	Free      []uint32
	Head      uint32
	Allowed   uint32

	Unlock []uint32 // by dimension: those that may be used once it was
	Images []uint16 // of vertices under a symmetry, nil for none
}

// MaxBeamDimension is the highest dimension of a beam search on a device,
// where a thread has all words of two sets in registers.
const MaxBeamDimension = 11

const (
	snakeBins     = 8192 // as in kernels/snakebeam.cu
	snakeMoveBits = 4    // of a child; above them is its parent
	beamThreads   = 128
)

// Beam does a beam search for snakes on a device. One goroutine uses it at a
// time.
type Beam struct {
	gpu     *launch.Launcher
	search  BeamSpec
	words   int // of a set
	paths   int // that are kept
	now     int // which of the pairs below has them
	longest int // children that there is room for

	children, drop, enter, count, keep, rank, grow *driver.Kernel
	// launchBlocks is how many blocks the device runs at once, of small kernels and
	// of those that rank.
	launchBlocks, rankBlocks int

	sets, heads  [2]driver.Buffer[uint32]
	edges        [2]driver.Buffer[uint64] // hashes
	child, slots driver.Buffer[uint32]
	ranks, table driver.Buffer[uint64]
	counts       driver.Buffer[uint32] // one of a list, then bins
	history      []driver.Buffer[uint32]

	unlock    driver.Buffer[uint32]
	images    driver.Buffer[uint16]
	symmetric uint32
}

// NewBeam puts the beginning of a beam search on a device. The error is a
// [*driver.MemoryError] where that has too little memory free.
func NewBeam(d *driver.Device, s BeamSpec) (*Beam, error) {
	if s.Dimension < 3 || s.Dimension > MaxBeamDimension || s.Width < 1 {
		return nil, fmt.Errorf("beam search in dimension %d of width %d: %w", s.Dimension, s.Width, errors.ErrUnsupported)
	}
	kernelDimension := max(8, s.Dimension)
	b := &Beam{gpu: launch.New(d, ptx.Modules, "beam"), search: s, words: 1 << (kernelDimension - 5), paths: 1}
	b.longest = max(s.Dimension, s.Width*(s.Dimension-1)) // only vertex 0 is left in all dimensions
	table := tableSize(b.longest)
	if err := d.RequireMemory(4 * int64(2*s.Width*(b.words+3)+4*b.longest+4*table)); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.children, b.launchBlocks = b.gpu.Kernel("beam_children", beamThreads)
	b.drop, _ = b.gpu.Kernel("beam_drop", beamThreads)
	b.enter, _ = b.gpu.Kernel("beam_enter", beamThreads)
	b.count, _ = b.gpu.Kernel("beam_count", beamThreads)
	b.keep, _ = b.gpu.Kernel("beam_keep", beamThreads)
	b.rank, b.rankBlocks = b.gpu.Kernel(fmt.Sprintf("beam_rank_%d", kernelDimension), beamThreads)
	b.grow, _ = b.gpu.Kernel(fmt.Sprintf("beam_grow_%d", kernelDimension), beamThreads)
	for i := range b.sets {
		b.sets[i], b.heads[i] = launch.Alloc[uint32](b.gpu, s.Width*b.words), launch.Alloc[uint32](b.gpu, s.Width)
		b.edges[i] = launch.Alloc[uint64](b.gpu, s.Width)
	}
	b.child, b.slots = launch.Alloc[uint32](b.gpu, b.longest), launch.Alloc[uint32](b.gpu, b.longest)
	b.ranks, b.table = launch.Alloc[uint64](b.gpu, b.longest), launch.Alloc[uint64](b.gpu, 2*table)
	b.counts = launch.Alloc[uint32](b.gpu, 1+snakeBins)
	b.unlock, b.images = launch.Alloc[uint32](b.gpu, s.Dimension), launch.Alloc[uint16](b.gpu, 1<<s.Dimension)
	if b.gpu.Err == nil && s.Images != nil {
		b.symmetric, b.gpu.Err = 1, b.images.Upload(b.gpu.Stream, s.Images)
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

// Close frees what is on the device.
func (b *Beam) Close() error { return b.gpu.Close() }

// tableSize is how many slots a table for so many children has: a power of two
// that leaves a third free at least.
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

func (b *Beam) large(n int) driver.Grid {
	return driver.Grid{Blocks: max(1, min((n+beamThreads-1)/beamThreads, b.rankBlocks)), Threads: beamThreads}
}

// counted returns the count that a kernel leaves which appends to a list.
func (b *Beam) counted(launch func(count driver.Arg) error) (int, error) {
	var n [1]uint32
	one := b.counts.Slice(0, 1)
	err := one.Zero(b.gpu.Stream)
	if err == nil {
		err = launch(one.Arg())
	}
	if err == nil {
		err = one.Download(b.gpu.Stream, n[:])
	}
	return int(n[0]), err
}

// Step replaces the paths by the best that are one edge longer. It returns how
// many children there were and how many of them are kept, none where no path can
// be longer, which leaves all as it was.
func (b *Beam) Step() (children, kept int, err error) {
	err = b.gpu.Device.Do(func() error {
		if children, err = b.list(); err != nil || children == 0 {
			return err
		}
		least, n, err := b.choose(children)
		if err != nil {
			return err
		}
		kept = n
		return b.replace(children, kept, least)
	})
	return children, kept, err
}

// list lists the children of all paths and ranks them.
func (b *Beam) list() (children int, err error) {
	sets, heads, edges := b.sets[b.now].Arg(), b.heads[b.now].Arg(), b.edges[b.now].Arg()
	u32 := driver.U32
	children, err = b.counted(func(count driver.Arg) error {
		return b.children.Launch(b.gpu.Stream, b.small(b.paths), b.child.Arg(), count, sets, heads, u32(uint32(b.paths)), u32(uint32(b.words)),
			b.images.Arg(), u32(b.symmetric))
	})
	if err != nil || children == 0 {
		return children, err
	}
	n, size := u32(uint32(children)), tableSize(children)
	return children, errors.Join(
		b.rank.Launch(b.gpu.Stream, b.large(children), b.ranks.Arg(), b.child.Arg(), sets, heads, n, driver.U64(b.search.Salt),
			b.unlock.Arg(), b.images.Arg(), u32(b.symmetric)),
		b.table.Slice(0, 2*size).Zero(b.gpu.Stream),
		b.enter.Launch(b.gpu.Stream, b.small(children), b.table.Arg(), b.slots.Arg(), b.ranks.Arg(), b.child.Arg(), edges, n, u32(uint32(size-1))))
}

// choose drops the children for which another one stays, and returns the lowest
// rank to keep and how many have it or a higher one.
func (b *Beam) choose(children int) (least uint64, kept int, err error) {
	n := driver.U32(uint32(children))
	unique, err := b.counted(func(count driver.Arg) error {
		return b.drop.Launch(b.gpu.Stream, b.small(children), b.ranks.Arg(), count, b.table.Arg(), b.slots.Arg(), b.child.Arg(), b.edges[b.now].Arg(), n)
	})
	if err != nil || unique <= b.search.Width {
		return 1, unique, err
	}
	var counts [snakeBins]uint32
	need, mask := b.search.Width, uint64(0)
	bins := b.counts.Slice(1, 1+snakeBins)
	for _, shift := range []uint32{51, 38, 25, 12, 0} {
		grid := b.small(children)
		grid.Shared = 4 * snakeBins
		err := errors.Join(bins.Zero(b.gpu.Stream),
			b.count.Launch(b.gpu.Stream, grid, bins.Arg(), b.ranks.Arg(), n, driver.U64(least), driver.U64(mask), driver.U32(shift)),
			bins.Download(b.gpu.Stream, counts[:]))
		if err != nil {
			return 0, 0, err
		}
		bin := snakeBins - 1
		for ; int(counts[bin]) < need; bin-- {
			need -= int(counts[bin])
		}
		least |= uint64(bin) << shift
		mask |= (snakeBins - 1) << shift
		if int(counts[bin]) == need {
			break
		}
	}
	return least, b.search.Width, nil
}

// replace puts the children of at least a rank in the place of the paths.
func (b *Beam) replace(children, kept int, least uint64) error {
	history := launch.Alloc[uint32](b.gpu, kept)
	if b.gpu.Err != nil {
		return b.gpu.Err
	}
	n, err := b.counted(func(count driver.Arg) error {
		return b.keep.Launch(b.gpu.Stream, b.small(children), history.Arg(), count, b.ranks.Arg(), b.child.Arg(), driver.U32(uint32(children)), driver.U64(least))
	})
	if err == nil && n != kept {
		err = fmt.Errorf("beam search kept %d paths instead of %d", n, kept)
	}
	if err != nil {
		return err
	}
	from, to := b.now, 1-b.now
	b.history, b.now, b.paths = append(b.history, history), to, kept
	return b.grow.Launch(b.gpu.Stream, b.large(kept), b.sets[to].Arg(), b.heads[to].Arg(), b.edges[to].Arg(), history.Arg(),
		b.sets[from].Arg(), b.heads[from].Arg(), b.edges[from].Arg(), driver.U32(uint32(kept)),
		b.unlock.Arg(), b.images.Arg(), driver.U32(b.symmetric))
}

// Best returns the moves of the path with the lowest hash of its edges.
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
		moves[i], at = uint8(child[0]&(1<<snakeMoveBits-1)), int(child[0]>>snakeMoveBits)
	}
	return moves, nil
}
