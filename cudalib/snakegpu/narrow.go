package snakegpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/snake"
)

// A NarrowStart is where a narrow beam search for snakes begins, see [BeamSpec]; all
// dimensions may be used.
type NarrowStart struct {
	Free []uint32
	Head uint32
	Salt uint64
}

// The limits of [NewNarrowBeams].
const (
	MaxNarrowDimension = 10
	narrowThreads      = 256  // as in kernels/snakenarrow.cu
	narrowChildren     = 2048 // there, too
)

// MaxNarrowWidth is how many paths a narrow beam search keeps at most: what a
// block has room for the children of.
func MaxNarrowWidth(dimension int) int {
	return min(narrowThreads, narrowChildren/max(7, dimension-1))
}

// NarrowBeams does many narrow beam searches for snakes at once, a block each. One
// goroutine uses it at a time.
type NarrowBeams struct {
	gpu                                 *launch.Launcher
	words, width, longest, most, blocks int
	allowed                             uint32 // dimensions, as bits

	kernel *driver.Kernel
	next   driver.Buffer[uint32] // and what follows, for each search
	starts driver.Buffer[uint32]
	heads  driver.Buffer[uint32]
	salts  driver.Buffer[uint64]
	length driver.Buffer[uint32]
	rated  driver.Buffer[uint64]
	moves  driver.Buffer[uint8]
	sets   driver.Buffer[uint32]
	past   driver.Buffer[uint16]
}

// NewNarrowBeams makes room for beam searches of a width of [MaxNarrowWidth] or
// less in a dimension of 3 to [MaxNarrowDimension], most of them at a time, or
// where most is 0 as many as keep the device at work.
func NewNarrowBeams(d *driver.Device, dimension, width, most int) (*NarrowBeams, error) {
	if dimension < 3 || dimension > MaxNarrowDimension || width < 1 || width > MaxNarrowWidth(dimension) {
		return nil, fmt.Errorf("narrow beams in dimension %d of width %d: %w", dimension, width, errors.ErrUnsupported)
	}
	kernelDimension := max(8, dimension)
	b := &NarrowBeams{gpu: launch.New(d, ptx.Modules, "narrow"), words: 1 << (kernelDimension - 5), width: width, longest: 1 << (dimension - 1), most: most, allowed: 1<<dimension - 1}
	b.kernel, b.blocks = b.gpu.Kernel(fmt.Sprintf("narrow_%d", kernelDimension), narrowThreads)
	if most == 0 {
		b.most = 2 * b.blocks
	}
	b.blocks = max(1, min(b.blocks, b.most))
	b.next, b.rated = launch.Alloc[uint32](b.gpu, 1), launch.Alloc[uint64](b.gpu, 1)
	b.starts, b.heads = launch.Alloc[uint32](b.gpu, b.most*b.words), launch.Alloc[uint32](b.gpu, b.most)
	b.salts, b.length = launch.Alloc[uint64](b.gpu, b.most), launch.Alloc[uint32](b.gpu, b.most)
	b.moves = launch.Alloc[uint8](b.gpu, b.most*b.longest)
	b.sets = launch.Alloc[uint32](b.gpu, b.blocks*2*narrowThreads*b.words)
	b.past = launch.Alloc[uint16](b.gpu, b.blocks*narrowThreads*b.longest)
	if b.gpu.Err != nil {
		return nil, errors.Join(b.gpu.Err, b.Close())
	}
	return b, nil
}

// Close frees what is on the device.
func (b *NarrowBeams) Close() error { return b.gpu.Close() }

// Most is how many searches there is room for.
func (b *NarrowBeams) Most() int { return b.most }

// Run does searches, [NarrowBeams.Most] of them or fewer. It returns the moves that each
// found, and how many paths were rated in all.
func (b *NarrowBeams) Run(starts []NarrowStart) (found [][]uint8, rated uint64, err error) {
	n := len(starts)
	if n == 0 || n > b.most {
		return nil, 0, fmt.Errorf("%d narrow beams, there is room for 1 to %d", n, b.most)
	}
	sets, heads, salts := make([]uint32, n*b.words), make([]uint32, n), make([]uint64, n)
	for i, s := range starts {
		copy(sets[i*b.words:][:b.words], s.Free)
		heads[i], salts[i] = s.Head, s.Salt
	}
	lengths, moves, total := make([]uint32, n), make([]uint8, n*b.longest), make([]uint64, 1)
	err = b.gpu.Device.Do(func() error {
		return errors.Join(
			b.starts.Slice(0, len(sets)).Upload(b.gpu.Stream, sets), b.heads.Slice(0, n).Upload(b.gpu.Stream, heads), b.salts.Slice(0, n).Upload(b.gpu.Stream, salts),
			b.next.Zero(b.gpu.Stream), b.rated.Zero(b.gpu.Stream),
			b.kernel.Launch(b.gpu.Stream, driver.Grid{Blocks: min(n, b.blocks), Threads: narrowThreads}, b.next.Arg(), b.starts.Arg(), b.heads.Arg(), b.salts.Arg(),
				driver.U32(uint32(n)), driver.U32(uint32(b.width)), driver.U32(uint32(b.longest)), driver.U32(b.allowed), b.length.Arg(), b.rated.Arg(), b.moves.Arg(), b.sets.Arg(), b.past.Arg()),
			b.length.Slice(0, n).Download(b.gpu.Stream, lengths), b.moves.Slice(0, len(moves)).Download(b.gpu.Stream, moves), b.rated.Download(b.gpu.Stream, total))
	})
	if err != nil {
		return nil, 0, err
	}
	found = make([][]uint8, n)
	for i, length := range lengths {
		found[i] = moves[i*b.longest:][:length:length]
	}
	return found, total[0], nil
}
