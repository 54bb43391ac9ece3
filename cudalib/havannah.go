package cudalib

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
)

// HavannahBoard is a board without stones, in arrays by cell.
type HavannahBoard struct {
	Near   [][6]int // the cells around each in a circle; others than 0 to len-1 are off the board
	Border []uint16 // as havannah.Border
}

// HavannahGrid says how many threads play, and how. The counts are the same for
// any. Zero values are what is fast.
type HavannahGrid struct {
	Blocks, Threads int  // threads of a block
	Compress        bool // paths from a stone to the one that stands for its group
}

// HavannahPosition is a position whose moves are rated.
type HavannahPosition struct {
	Stones []uint8 // of each cell: 0 none, 1 white, 2 black
	Turn   uint8   // who makes the moves: 0 white, 1 black
}

// HavannahMove is a move to rate.
type HavannahMove struct {
	Cell   int    // -1 where Turn made it already
	Number uint32 // in the stream of random numbers
}

// HavannahCounts are results of playouts for who made the move.
type HavannahCounts struct {
	Wins, Losses, Draws, Plies uint64
	Ends                       [8]uint64 // by havannah.Structures
}

// Havannah rates moves of positions on one board by random games, as the manual
// of solvers/playout says. One goroutine uses it at a time.
type Havannah struct {
	*launcher
	rate     *driver.Kernel
	grid     driver.Grid
	compress uint32
	numCells int

	cells, position driver.Buffer[uint16]
	orders          driver.Buffer[uint16] // of cells, one a thread
	moves           driver.Buffer[uint32]
	counts          driver.Buffer[uint64]
}

const (
	havannahThreads = 128
	havannahCounts  = 12

	// havannahPart is how many playouts a thread does before its block turns to
	// other ones: enough for what a block does once to cost nothing.
	havannahPart = 16

	// havannahWarp is how many bytes of shared memory a word of each thread of
	// a warp is.
	havannahWarp = 4 * warp
)

// havannahPlace is where kernels/havannah.cuh keeps a cell, which counts from 1.
func havannahPlace(cell int) uint16 {
	number := cell + 1
	return uint16(number>>1<<6 | number&1)
}

// NewHavannah puts a board on a device.
func NewHavannah(d *Device, b HavannahBoard, g HavannahGrid) (*Havannah, error) {
	n := len(b.Near)
	cells := make([]uint16, 8*(n+1))
	for cell, near := range b.Near {
		row := cells[8*(cell+1):]
		for i, other := range near {
			if other >= 0 && other < n {
				row[i] = havannahPlace(other)
			}
		}
		row[6] = b.Border[cell]
	}
	h := &Havannah{launcher: newLauncher(d, "havannah"), numCells: n}
	if g.Compress {
		h.compress = 1
	}
	h.rate, _ = h.kernel("havannah_rate", havannahThreads)
	h.grid = h.gridFor(g)
	h.cells, h.position = alloc[uint16](h.launcher, len(cells)), alloc[uint16](h.launcher, n)
	h.orders = alloc[uint16](h.launcher, h.grid.Blocks*h.grid.Threads*n)
	h.moves, h.counts = alloc[uint32](h.launcher, 2*n), alloc[uint64](h.launcher, havannahCounts*n)
	if h.err == nil {
		h.err = h.cells.Upload(h.stream, cells)
	}
	if h.err != nil {
		return nil, errors.Join(h.err, h.Close())
	}
	return h, nil
}

// gridFor fills in what a grid leaves open.
func (h *Havannah) gridFor(g HavannahGrid) driver.Grid {
	if h.err != nil {
		return driver.Grid{}
	}
	threads := g.Threads
	if threads == 0 {
		threads = havannahThreads
	}
	words := (h.numCells + 2) / 2
	shared := 16*(h.numCells+1) + 3*4*words + 4*havannahCounts + (threads+warp-1)/warp*havannahWarp*words
	if available := h.device.Info().SharedPerBlock; threads < 1 || shared > available {
		h.err = fmt.Errorf("%d threads a block need %d bytes of shared memory, there are %d", threads, shared, available)
		return driver.Grid{}
	}
	blocks := g.Blocks
	if blocks == 0 {
		var resident int
		resident, h.err = h.rate.Resident(threads, shared)
		blocks = max(1, resident*h.device.Info().Multiprocessors)
	}
	return driver.Grid{Blocks: blocks, Threads: threads, Shared: shared}
}

// Rate plays the playouts of the numbers from first to first+n-1 after each of
// some moves of a position in which the game is not over. Position, moves and
// counts are copied once.
func (h *Havannah) Rate(p HavannahPosition, moves []HavannahMove, seed, first, n uint64) ([]HavannahCounts, error) {
	if len(moves) == 0 || len(moves) > h.numCells || len(p.Stones) != h.numCells || n < 1 {
		return nil, fmt.Errorf("%d playouts after each of %d moves with %d cells of %d cannot be", n, len(moves), len(p.Stones), h.numCells)
	}
	var stones, empty []uint16
	listed := make([]int, h.numCells) // places of empty cells in the list of them
	for cell, colour := range p.Stones {
		listed[cell] = len(empty)
		if colour == 0 {
			empty = append(empty, havannahPlace(cell))
		} else {
			stones = append(stones, havannahPlace(cell)|uint16(colour)<<14)
		}
	}
	jobs := make([]uint32, 0, 2*len(moves))
	for _, m := range moves {
		place := len(empty) // which is no cell's
		if m.Cell >= 0 {
			if m.Cell >= h.numCells || p.Stones[m.Cell] != 0 {
				return nil, fmt.Errorf("cell %d is not empty", m.Cell)
			}
			place = listed[m.Cell]
		}
		jobs = append(jobs, uint32(place), m.Number)
	}
	part := min(havannahPart, (n-1)/uint64(h.grid.Threads)+1)
	flat := make([]uint64, havannahCounts*len(moves))
	err := h.device.Do(func() error {
		return errors.Join(
			h.position.Upload(h.stream, append(stones, empty...)),
			h.moves.Slice(0, len(jobs)).Upload(h.stream, jobs),
			h.counts.Zero(h.stream),
			h.rate.Launch(h.stream, h.grid, h.counts.Arg(), h.orders.Arg(), h.cells.Arg(), h.position.Arg(), h.moves.Arg(),
				driver.U32(uint32(h.numCells)), driver.U32(uint32(len(stones))), driver.U32(uint32(len(moves))), driver.U32(uint32(p.Turn)),
				driver.U64(seed), driver.U64(first), driver.U64(n), driver.U32(uint32(part)), driver.U32(h.compress)),
			h.counts.Slice(0, len(flat)).Download(h.stream, flat))
	})
	if err != nil {
		return nil, err
	}
	counts := make([]HavannahCounts, len(moves))
	for i := range counts {
		c := flat[havannahCounts*i:]
		counts[i] = HavannahCounts{Wins: c[0], Losses: c[1], Draws: c[2], Plies: c[3], Ends: [8]uint64(c[4:12])}
	}
	return counts, nil
}
