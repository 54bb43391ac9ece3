package snakegpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/snake"
)

// RunSpec is what nested Monte-Carlo searches for snakes are about, as the
// manual of solvers/nmcs describes them. The first position is a set of the
// vertices that are blocked, bit v%32 of word v/32, the head, and the dimensions
// that may be used, as bits.
type RunSpec struct {
	Dimension int // 3 to MaxDimension
	Level     int // 0 to MaxLevel
	Leaf      int // playouts of which the best counts
	Seed      uint64
	Blocked   []uint32
	Head      uint32
	Allowed   uint32

	// ByWarps has a warp for each search and a thread for each of the 32 playouts
	// of a leaf, rather than a thread for a search. The results are the same.
	ByWarps bool
	// Lanes is how many threads there are, 0 for what the device holds, and Steps
	// how many moves are made between looks at which playouts have ended, 0 for
	// what is fast.
	Lanes, Steps int
}

// The limits of searches on a device.
const (
	MaxDimension = 12
	MaxLevel     = 2
)

const (
	snakeThreads = 128 // of a block, as in kernels/snake.cu
	snakeFields  = 22  // of a lane that are saved
	snakeBuffers = 5   // of records
	inRecord     = 8   // moves of a word
	// snakeSets is the positions that a lane keeps, one a level.
	snakeSets = 2
)

// Runs does nested Monte-Carlo searches for snakes on a device. One goroutine
// uses it at a time.
type Runs struct {
	gpu         *launch.Launcher
	search      RunSpec
	kernel      *driver.Kernel
	grid        driver.Grid
	words       int // of a set
	recordWords int // of the moves of a run

	sets, records, saved, start driver.Buffer[uint32]
	streams, counts             driver.Buffer[uint64]
	lengths, lines              driver.Buffer[uint32]
	first                       uint64
	runs                        int
}

// NewRuns puts a search on a device.
func NewRuns(d *driver.Device, s RunSpec) (*Runs, error) {
	if s.Dimension < 3 || s.Dimension > MaxDimension || s.Level < 0 || s.Level > MaxLevel || s.Leaf < 1 {
		return nil, fmt.Errorf("snakes of dimension %d by level %d with %d playouts a leaf: %w", s.Dimension, s.Level, s.Leaf, errors.ErrUnsupported)
	}
	if s.ByWarps && s.Leaf != launch.Warp {
		return nil, fmt.Errorf("a leaf of %d playouts for a launch.Warp of %d threads: %w", s.Leaf, launch.Warp, errors.ErrUnsupported)
	}
	if s.Steps == 0 {
		s.Steps = snakeSteps(s.Dimension)
	}
	kernelDimension := max(8, s.Dimension)
	k := &Runs{search: s, gpu: launch.New(d, ptx.Modules, "nested"), words: 1 << (kernelDimension - 5), recordWords: 1 << (kernelDimension - 1) / inRecord}
	k.kernel, _ = k.gpu.Kernel(fmt.Sprintf("snake_search_%d", kernelDimension), snakeThreads)
	k.grid = driver.Grid{Threads: snakeThreads, Shared: snakeThreads * 4 * k.words}
	if k.gpu.Err == nil {
		k.grid.Blocks, k.gpu.Err = k.resident()
	}
	if s.Lanes > 0 {
		k.grid.Blocks = (s.Lanes + snakeThreads - 1) / snakeThreads
	}
	lanes := k.Lanes()
	k.sets, k.records = launch.Alloc[uint32](k.gpu, snakeSets*lanes*k.words), launch.Alloc[uint32](k.gpu, snakeBuffers*lanes*k.recordWords)
	k.saved, k.start = launch.Alloc[uint32](k.gpu, snakeFields*lanes), launch.Alloc[uint32](k.gpu, k.words+2)
	k.streams, k.counts = launch.Alloc[uint64](k.gpu, s.Leaf*lanes), launch.Alloc[uint64](k.gpu, 3)
	if k.gpu.Err == nil {
		start := make([]uint32, k.words, k.words+2)
		copy(start, s.Blocked)
		k.gpu.Err = k.start.Upload(k.gpu.Stream, append(start, s.Head, s.Allowed))
	}
	if k.gpu.Err != nil {
		return nil, errors.Join(k.gpu.Err, k.Close())
	}
	return k, nil
}

// Close frees what is on the device.
func (k *Runs) Close() error { return k.gpu.Close() }

// snakeSteps is how many moves a round has that is fast: a playout is longer,
// and what is between playouts takes longer, in higher dimensions.
func snakeSteps(dimension int) int {
	return []int{8: 8, 9: 12, 10: 16, 11: 24, 12: 32}[max(8, dimension)]
}

// resident returns how many blocks the device holds.
func (k *Runs) resident() (int, error) {
	n, err := k.kernel.Resident(k.grid.Threads, k.grid.Shared)
	return max(1, n*k.gpu.Device.Info().Multiprocessors), err
}

// Lanes is how many threads there are.
func (k *Runs) Lanes() int { return k.grid.Blocks * k.grid.Threads }

// Begin starts runs, numbered from first, in place of those before.
func (k *Runs) Begin(first uint64, runs int) error {
	if runs < 1 {
		return errors.New("no runs")
	}
	if k.lengths.Len() < runs {
		k.lengths, k.lines = launch.Alloc[uint32](k.gpu, runs), launch.Alloc[uint32](k.gpu, runs*k.recordWords)
	}
	k.first, k.runs = first, runs
	if k.gpu.Err != nil {
		return k.gpu.Err
	}
	return errors.Join(k.lengths.Zero(k.gpu.Stream), k.saved.Zero(k.gpu.Stream), k.counts.Zero(k.gpu.Stream))
}

// Counts is what was done since Begin.
type Counts struct {
	Playouts, Moves uint64 // playouts, and their moves
	Ended           int    // runs
}

// Go goes on with the runs for a number of rounds of moves, or of leaves where a
// warp has a search, and returns the lengths of all runs that have ended, -1 for
// the others.
func (k *Runs) Go(rounds int) ([]int, Counts, error) {
	s, u32 := k.search, driver.U32
	byWarps := uint32(0)
	if s.ByWarps {
		byWarps = 1
	}
	var counts [3]uint64
	lengths := make([]uint32, k.runs)
	err := k.gpu.Device.Do(func() error {
		err := k.kernel.Launch(k.gpu.Stream, k.grid, k.sets.Arg(), k.records.Arg(), k.streams.Arg(), k.saved.Arg(), k.start.Arg(), k.lengths.Arg(), k.lines.Arg(),
			k.counts.Arg(), driver.U64(s.Seed), driver.U64(k.first), u32(uint32(k.runs)), u32(uint32(s.Level)), u32(uint32(s.Leaf)), u32(1<<s.Dimension-1),
			u32(uint32(rounds)), u32(uint32(s.Steps)), u32(byWarps))
		if err != nil {
			return err
		}
		if err := k.lengths.Slice(0, k.runs).Download(k.gpu.Stream, lengths); err != nil {
			return err
		}
		return k.counts.Download(k.gpu.Stream, counts[:])
	})
	done := Counts{Playouts: counts[0], Moves: counts[1]}
	all := make([]int, k.runs)
	for i, n := range lengths {
		all[i] = int(n) - 1
		if n > 0 {
			done.Ended++
		}
	}
	return all, done, err
}

// Moves returns the moves of a run that has ended and has a length.
func (k *Runs) Moves(run, length int) ([]uint8, error) {
	record := make([]uint32, (length+inRecord-1)/inRecord)
	if len(record) == 0 {
		return nil, nil
	}
	if err := k.lines.Slice(run*k.recordWords, run*k.recordWords+len(record)).Download(k.gpu.Stream, record); err != nil {
		return nil, err
	}
	moves := make([]uint8, length)
	for i := range moves {
		moves[i] = uint8(record[i/inRecord] >> (i % inRecord * 4) & 15)
	}
	return moves, nil
}
