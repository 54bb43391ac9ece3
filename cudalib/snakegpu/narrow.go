package snakegpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A NarrowStart is where a narrow beam search for snakes begins, see [BeamSpec]. All
// dimensions may be used.
type NarrowStart struct {
	Free []uint32
	Head uint32
	Goal uint32 // the snake ends beside this vertex and meets no other neighbour of it; or NoGoal
	Turn uint64 // the snake does not enter the images of its vertices under this half turn, see [PackTurn]; or 0
	Salt uint64
}

// NoGoal is the goal of snakes that may end anywhere.
const NoGoal = ^uint32(0)

// The limits of [NewNarrowBeams].
const (
	MaxNarrowDimension = MaxDimension - 1   // dimension of halves; PackTurn has room for 12
	narrowThreads      = 256                // as in narrow.cu
	narrowChildren     = 2048               // there, too
	turnNames          = MaxNarrowDimension // there, too
	searchesOfBlock    = 4                  // searches of a run for each block: some take ten times as long as others
)

// PackTurn packs an automorphism of the cube that is its own inverse: the new names of dimensions,
// and then those that are flipped, a bit each.
func PackTurn(names []uint8, flips uint16) uint64 {
	packed := uint64(flips) << (4 * turnNames)
	for m, name := range names[:min(turnNames, len(names))] {
		packed |= uint64(name) << (4 * m)
	}
	return packed
}

// MaxNarrowWidth returns how many paths a narrow beam search keeps at most: a block
// must have room for all their children.
func MaxNarrowWidth(dimension int) int {
	return min(narrowThreads, narrowChildren/max(7, dimension-1))
}

// NarrowBeams does many narrow beam searches for snakes at once, a block each. One
// goroutine uses it at a time.
type NarrowBeams struct {
	gpu          *launch.Launcher
	words, width int // words of a set, and width of a search
	maxLength    int // edges of a path at most
	maxBatch     int // searches of a run
	blocks       int
	allowed      uint32 // dimensions, a bit each

	kernel  *launch.Kernel[narrowParams]
	next    driver.Buffer[uint32] // the number of the next search
	starts  driver.Buffer[uint32] // for each search, as are those that follow
	heads   driver.Buffer[uint32]
	goals   driver.Buffer[uint32]
	turns   driver.Buffer[uint64]
	salts   driver.Buffer[uint64]
	length  driver.Buffer[uint32]
	rated   driver.Buffer[uint64]
	moves   driver.Buffer[uint8]
	sets    driver.Buffer[uint32]
	history driver.Buffer[uint16]
}

// narrowParams are the parameters of the kernels of narrow.cu.
type narrowParams struct {
	Next, Starts, Heads, Goals          driver.Buffer[uint32]
	Turns, Salts                        driver.Buffer[uint64]
	Searches, Width, MaxLength, Allowed uint32
	Length                              driver.Buffer[uint32]
	Rated                               driver.Buffer[uint64]
	Moves                               driver.Buffer[uint8]
	Sets                                driver.Buffer[uint32]
	History                             driver.Buffer[uint16]
}

// NewNarrowBeams makes room for beam searches of a width of [MaxNarrowWidth] or
// less in a dimension of 3 to [MaxNarrowDimension]: for maxBatch of them in a run,
// or with 0 for as many as keep the device busy.
func NewNarrowBeams(d *driver.Device, dimension, width, maxBatch int) (*NarrowBeams, error) {
	if dimension < 3 || dimension > MaxNarrowDimension || width < 1 || width > MaxNarrowWidth(dimension) {
		return nil, fmt.Errorf("narrow beams in dimension %d of width %d: %w", dimension, width, errors.ErrUnsupported)
	}
	kernelDimension := max(8, dimension)
	b := &NarrowBeams{gpu: launch.New(d, Modules, "narrow"), words: 1 << (kernelDimension - 5), width: width,
		maxLength: 1 << (dimension - 1), maxBatch: maxBatch, allowed: 1<<dimension - 1}
	b.kernel = launch.Find[narrowParams](b.gpu, fmt.Sprintf("narrow_%d", kernelDimension))
	b.blocks = launch.Blocks(b.gpu, b.kernel, narrowThreads, 0)
	if maxBatch == 0 {
		b.maxBatch = searchesOfBlock * b.blocks
	}
	b.blocks = max(1, min(b.blocks, b.maxBatch))
	b.next, b.rated = launch.Alloc[uint32](b.gpu, 1), launch.Alloc[uint64](b.gpu, 1)
	b.starts, b.heads = launch.Alloc[uint32](b.gpu, b.maxBatch*b.words), launch.Alloc[uint32](b.gpu, b.maxBatch)
	b.goals = launch.Alloc[uint32](b.gpu, b.maxBatch)
	b.turns, b.salts = launch.Alloc[uint64](b.gpu, b.maxBatch), launch.Alloc[uint64](b.gpu, b.maxBatch)
	b.length = launch.Alloc[uint32](b.gpu, b.maxBatch)
	b.moves = launch.Alloc[uint8](b.gpu, b.maxBatch*b.maxLength)
	b.sets = launch.Alloc[uint32](b.gpu, b.blocks*2*narrowThreads*b.words)
	b.history = launch.Alloc[uint16](b.gpu, b.blocks*narrowThreads*b.maxLength)
	if b.gpu.Err != nil {
		return nil, errors.Join(b.gpu.Err, b.Close())
	}
	return b, nil
}

// Close frees the memory on the device.
func (b *NarrowBeams) Close() error { return b.gpu.Close() }

// MaxBatch returns how many searches a run has room for.
func (b *NarrowBeams) MaxBatch() int { return b.maxBatch }

// Run does searches, [NarrowBeams.MaxBatch] of them or fewer. It returns the moves
// that each found, none if it did not reach its goal, and how many paths were rated in all.
func (b *NarrowBeams) Run(starts []NarrowStart) (found [][]uint8, rated uint64, err error) {
	n := len(starts)
	if n == 0 || n > b.maxBatch {
		return nil, 0, fmt.Errorf("%d narrow beams, there is room for 1 to %d", n, b.maxBatch)
	}
	sets, heads, goals := make([]uint32, n*b.words), make([]uint32, n), make([]uint32, n)
	turns, salts := make([]uint64, n), make([]uint64, n)
	for i, s := range starts {
		copy(sets[i*b.words:][:b.words], s.Free)
		heads[i], goals[i], turns[i], salts[i] = s.Head, s.Goal, s.Turn, s.Salt
	}
	lengths, moves, total := make([]uint32, n), make([]uint8, n*b.maxLength), make([]uint64, 1)
	err = b.gpu.Device.Do(func() error {
		return errors.Join(
			b.starts.Slice(0, len(sets)).Upload(b.gpu.Stream, sets), b.heads.Slice(0, n).Upload(b.gpu.Stream, heads),
			b.goals.Slice(0, n).Upload(b.gpu.Stream, goals),
			b.turns.Slice(0, n).Upload(b.gpu.Stream, turns), b.salts.Slice(0, n).Upload(b.gpu.Stream, salts),
			b.next.Zero(b.gpu.Stream), b.rated.Zero(b.gpu.Stream),
			b.kernel.Launch(b.gpu.Stream, driver.Grid{Blocks: min(n, b.blocks), Threads: narrowThreads}, narrowParams{
				Next: b.next, Starts: b.starts, Heads: b.heads, Goals: b.goals, Turns: b.turns, Salts: b.salts,
				Searches: uint32(n), Width: uint32(b.width), MaxLength: uint32(b.maxLength), Allowed: b.allowed,
				Length: b.length, Rated: b.rated, Moves: b.moves, Sets: b.sets, History: b.history,
			}),
			b.length.Slice(0, n).Download(b.gpu.Stream, lengths),
			b.moves.Slice(0, len(moves)).Download(b.gpu.Stream, moves), b.rated.Download(b.gpu.Stream, total))
	})
	if err != nil {
		return nil, 0, err
	}
	found = make([][]uint8, n)
	for i, length := range lengths {
		found[i] = moves[i*b.maxLength:][:length:length]
	}
	return found, total[0], nil
}
