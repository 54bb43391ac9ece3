package snakegpu

import (
	"cmp"
	"embed"
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A RunSpec describes nested Monte-Carlo searches for snakes, see solvers/nmcs/snake: the
// first position, and how it is searched.
type RunSpec struct {
	Dimension int // 3 to MaxDimension
	Level     int // 0 to MaxLevel
	Leaf      int // playouts from a leaf, at least one; the best one counts
	Seed      uint64
	Blocked   []uint32 // vertices: bit v%32 of word v/32
	Head      uint32   // a vertex
	Allowed   uint32   // dimensions, a bit each

	// ByWarps runs a search on a warp, with a thread for each of the 32 playouts of
	// a leaf, instead of a search on a thread. The results are the same.
	ByWarps bool
	// Lanes is how many threads there are: 0 for as many as the device holds.
	Lanes int
	// Steps is how many moves are made between checks for playouts that have ended:
	// 0 for the fastest number.
	Steps int
}

// The limits of searches on a device.
const (
	MaxDimension = 13 // dimension of all searches
	MaxLevel     = 2
)

// As in nested.cu.
const (
	laneFields   = 22 // fields of a lane that are saved
	laneRecords  = 5  // records of moves for each lane
	laneSets     = 2  // positions that a lane keeps, one a level
	movesPerWord = 8
)

// Runs does nested Monte-Carlo searches for snakes on a device. One goroutine
// uses it at a time.
type Runs struct {
	gpu         *launch.Launcher
	spec        RunSpec
	search      *launch.Kernel[runParams]
	grid        driver.Grid
	words       int // words of a set
	recordWords int // words of the moves of a run

	sets, records, saved, start driver.Buffer[uint32]
	streams, counts             driver.Buffer[uint64]
	lengths, lines              driver.Buffer[uint32]
	first                       uint64
	runs                        int
}

// runParams are the parameters of the kernels of nested.cu.
type runParams struct {
	Sets, Records     driver.Buffer[uint32]
	Streams           driver.Buffer[uint64] // streams of random numbers
	Saved, Start      driver.Buffer[uint32]
	Lengths, Lines    driver.Buffer[uint32] // results of the runs
	Counts            driver.Buffer[uint64]
	Seed, First       uint64
	Runs, Level, Leaf uint32
	Dimensions        uint32 // a bit each
	Rounds, Steps     uint32
	ByWarps           bool
}

// NewRuns puts a search on a device.
func NewRuns(d *driver.Device, s RunSpec) (*Runs, error) {
	if s.Steps == 0 {
		s.Steps = fastestSteps(s.Dimension)
	}
	kernelDimension := max(8, s.Dimension)
	k := &Runs{spec: s, gpu: launch.New(d, Modules, "nested"), words: 1 << (kernelDimension - 5),
		recordWords: 1 << (kernelDimension - 1) / movesPerWord}
	k.search = launch.Find[runParams](k.gpu, fmt.Sprintf("snake_search_%d", kernelDimension))
	k.grid = driver.Grid{Threads: runThreads(s.Dimension), Shared: runThreads(s.Dimension) * 4 * k.words}
	k.grid.Blocks = max(1, launch.Blocks(k.gpu, k.search, k.grid.Threads, k.grid.Shared))
	if s.Lanes > 0 {
		k.grid.Blocks = (s.Lanes + k.grid.Threads - 1) / k.grid.Threads
	}
	lanes := k.Lanes()
	k.sets, k.records = launch.Alloc[uint32](k.gpu, laneSets*lanes*k.words), launch.Alloc[uint32](k.gpu,
		laneRecords*lanes*k.recordWords)
	start := make([]uint32, k.words, k.words+2)
	copy(start, s.Blocked)
	k.saved, k.start = launch.Alloc[uint32](k.gpu, laneFields*lanes),
		launch.Upload(k.gpu, append(start, s.Head, s.Allowed))
	k.streams, k.counts = launch.Alloc[uint64](k.gpu, s.Leaf*lanes), launch.Alloc[uint64](k.gpu, 3)
	return launch.Finish(k.gpu, k)
}

// Close frees the memory on the device.
func (k *Runs) Close() error { return k.gpu.Close() }

// runThreads returns the threads of a block, as in nested.cu. Their sets are in its shared
// memory.
func runThreads(dimension int) int {
	if dimension < 13 {
		return 128
	}
	return 64
}

// fastestSteps is how many moves a round should have: in higher dimensions
// playouts are longer, and so is the work between them.
func fastestSteps(dimension int) int {
	return []int{8: 8, 9: 12, 10: 16, 11: 24, 12: 32, 13: 32}[max(8, dimension)]
}

// Lanes returns how many threads there are.
func (k *Runs) Lanes() int { return k.grid.Blocks * k.grid.Threads }

// Begin starts runs with the numbers from first on, in place of those before.
func (k *Runs) Begin(first uint64, runs int) error {
	k.first, k.runs = first, runs
	if err := errors.Join(launch.Grow(k.gpu, &k.lengths, runs),
		launch.Grow(k.gpu, &k.lines, runs*k.recordWords)); err != nil {
		return err
	}
	return errors.Join(k.lengths.Zero(k.gpu.Stream), k.saved.Zero(k.gpu.Stream), k.counts.Zero(k.gpu.Stream))
}

// Counts is the work since Begin.
type Counts struct {
	Playouts, Moves uint64 // Moves are those of all playouts
	Ended           int    // runs
}

// Continue runs the searches for some rounds: of moves, or of leaves with ByWarps. It returns the lengths of all runs
// that have ended, and -1 for the others.
func (k *Runs) Continue(rounds int) ([]int, Counts, error) {
	s := k.spec
	params := runParams{
		Sets: k.sets, Records: k.records, Streams: k.streams, Saved: k.saved, Start: k.start, Lengths: k.lengths,
		Lines: k.lines, Counts: k.counts,
		Seed: s.Seed, First: k.first, Runs: uint32(k.runs), Level: uint32(s.Level), Leaf: uint32(s.Leaf),
		Dimensions: 1<<s.Dimension - 1,
		Rounds:     uint32(rounds), Steps: uint32(s.Steps), ByWarps: s.ByWarps,
	}
	var counts [3]uint64
	lengths := make([]uint32, k.runs)
	err := k.gpu.Device.Do(func() error {
		return cmp.Or(k.search.Launch(k.gpu.Stream, k.grid, params),
			k.lengths.Slice(0, k.runs).Download(k.gpu.Stream, lengths), k.counts.Download(k.gpu.Stream, counts[:]))
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
	record := make([]uint32, (length+movesPerWord-1)/movesPerWord)
	if len(record) == 0 {
		return nil, nil
	}
	if err := k.lines.Slice(run*k.recordWords, run*k.recordWords+len(record)).
		Download(k.gpu.Stream, record); err != nil {
		return nil, err
	}
	moves := make([]uint8, length)
	for i := range moves {
		moves[i] = uint8(record[i/movesPerWord] >> (i % movesPerWord * 4) & 15)
	}
	return moves, nil
}

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
