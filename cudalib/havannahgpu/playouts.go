package havannahgpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/havannah"
)

// Cell is a cell of a board without stones.
type Cell struct {
	// A cell touches those a step before or after it in its row or its column,
	// or a step before or after it in both.
	Row, Col int
	Border   uint16 // as havannah.Border
}

// Grid says how many threads play, and how. The counts are the same for
// any. Zero values are what is fast.
type Grid struct {
	Blocks, Threads int  // threads of a block
	Compress        bool // paths from a stone to the one that stands for its group
}

// Position is a position whose moves are rated.
type Position struct {
	Stones []uint8 // of each cell: 0 none, 1 white, 2 black
	Turn   uint8   // who makes the moves: 0 white, 1 black
}

// Move is a move to rate.
type Move struct {
	Cell   int    // -1 where Turn made it already
	Number uint32 // in the stream of random numbers
}

// Counts are results of playouts for who made the move.
type Counts struct {
	Wins, Losses, Draws, Plies uint64
	Ends                       [8]uint64 // by havannah.Structures
}

// Playouts rates moves of positions on one board by random games, as the manual
// of solvers/playout says. One goroutine uses it at a time.
type Playouts struct {
	gpu   *launch.Launcher
	rate  *driver.Kernel
	grid  driver.Grid
	cells []uint16 // as the kernel has them, by ours
	room  int      // words of a mark for each triangle, see kernels/havannah.cuh

	compress uint32
	board    driver.Buffer[uint32]
	position driver.Buffer[uint16]
	moves    driver.Buffer[uint32]
	orders   driver.Buffer[uint32]
	counts   driver.Buffer[uint64]
}

const (
	havannahCounts = 12

	// havannahPart is how many playouts a thread does after a move before its
	// warp turns to another: enough for what a warp does once to cost nothing.
	havannahPart = 16

	havannahThreads = 512 // of a block, at most
	havannahBlack   = 1 << 15
)

// NewPlayouts puts a board on a device. Cells are in the order of their numbers.
func NewPlayouts(d *driver.Device, board []Cell, g Grid) (*Playouts, error) {
	t, err := triangulate(board)
	if err != nil {
		return nil, err
	}
	h := &Playouts{gpu: launch.New(d, ptx.Modules, "rate"), cells: t.cells, room: t.room}
	if g.Compress {
		h.compress = 1
	}
	h.rate, _ = h.gpu.Kernel("havannah_rate", launch.Warp)
	h.grid = h.gridFor(g)
	n := len(board)
	h.board, h.position = launch.Alloc[uint32](h.gpu, len(t.rows)), launch.Alloc[uint16](h.gpu, n)
	h.orders = launch.Alloc[uint32](h.gpu, h.grid.Blocks*h.grid.Threads*((n+7)/8*4))
	h.moves, h.counts = launch.Alloc[uint32](h.gpu, 2*n), launch.Alloc[uint64](h.gpu, havannahCounts*n)
	if h.gpu.Err == nil {
		h.gpu.Err = h.board.Upload(h.gpu.Stream, t.rows)
	}
	if h.gpu.Err != nil {
		return nil, errors.Join(h.gpu.Err, h.Close())
	}
	return h, nil
}

// Close frees what is on the device.
func (h *Playouts) Close() error { return h.gpu.Close() }

// gridFor fills in what a grid leaves open: as many threads as there is shared
// memory for, because a game at a time is what a thread plays.
func (h *Playouts) gridFor(g Grid) driver.Grid {
	if h.gpu.Err != nil {
		return driver.Grid{}
	}
	const word = 4
	ofBlock, ofWarp := word*5*h.room, word*(2*h.room+16+launch.Warp*(h.room+1))
	available := h.gpu.Device.Info().SharedPerBlock
	threads := g.Threads
	if threads == 0 {
		threads = min(havannahThreads, launch.Warp*max(1, (available-ofBlock)/ofWarp))
	}
	shared := ofBlock + (threads+launch.Warp-1)/launch.Warp*ofWarp
	switch {
	case threads < 1 || threads > havannahThreads || threads > launch.Warp && threads%launch.Warp != 0:
		h.gpu.Err = fmt.Errorf("%d threads a block are not a part of a launch.Warp or up to %d warps of %d threads", threads, havannahThreads/launch.Warp, launch.Warp)
		return driver.Grid{}
	case shared > available:
		h.gpu.Err = fmt.Errorf("%d threads a block need %d bytes of shared memory, there are %d", threads, shared, available)
		return driver.Grid{}
	}
	blocks := g.Blocks
	if blocks == 0 {
		var resident int
		resident, h.gpu.Err = h.rate.Resident(threads, shared)
		blocks = max(1, resident*h.gpu.Device.Info().Multiprocessors)
	}
	return driver.Grid{Blocks: blocks, Threads: threads, Shared: shared}
}

// Rate plays the playouts of the numbers from first to first+n-1 after each of
// some moves of a position in which the game is not over. Position, moves and
// counts are copied once.
func (h *Playouts) Rate(p Position, moves []Move, seed, first, n uint64) ([]Counts, error) {
	if len(moves) == 0 || len(moves) > len(h.cells) || len(p.Stones) != len(h.cells) || n < 1 {
		return nil, fmt.Errorf("%d playouts after each of %d moves with %d cells of %d cannot be", n, len(moves), len(p.Stones), len(h.cells))
	}
	var stones, empty []uint16
	listed := make([]int, len(h.cells)) // places of empty cells in the list of them
	for cell, colour := range p.Stones {
		listed[cell] = len(empty)
		switch colour {
		case 0:
			empty = append(empty, h.cells[cell])
		case 1:
			stones = append(stones, h.cells[cell])
		default:
			stones = append(stones, h.cells[cell]|havannahBlack)
		}
	}
	jobs := make([]uint32, 0, 2*len(moves))
	for _, m := range moves {
		place := len(empty) // which is no cell's
		if m.Cell >= 0 {
			if m.Cell >= len(h.cells) || p.Stones[m.Cell] != 0 {
				return nil, fmt.Errorf("cell %d is not empty", m.Cell)
			}
			place = listed[m.Cell]
		}
		jobs = append(jobs, uint32(place), m.Number)
	}
	// Little work is for all warps, much of it for few changes of the move.
	part := min(havannahPart, n*uint64(len(moves))/uint64(h.grid.Blocks*h.grid.Threads)+1)
	flat := make([]uint64, havannahCounts*len(moves))
	err := h.gpu.Device.Do(func() error {
		return errors.Join(
			h.position.Upload(h.gpu.Stream, append(stones, empty...)),
			h.moves.Slice(0, len(jobs)).Upload(h.gpu.Stream, jobs),
			h.counts.Zero(h.gpu.Stream),
			h.rate.Launch(h.gpu.Stream, h.grid, h.counts.Arg(), h.orders.Arg(), h.board.Arg(), h.position.Arg(), h.moves.Arg(),
				driver.U32(uint32(h.room)), driver.U32(uint32(len(h.cells))), driver.U32(uint32(len(stones))), driver.U32(uint32(len(moves))), driver.U32(uint32(p.Turn)),
				driver.U64(seed), driver.U64(first), driver.U64(n), driver.U32(uint32(part)), driver.U32(h.compress)),
			h.counts.Slice(0, len(flat)).Download(h.gpu.Stream, flat))
	})
	if err != nil {
		return nil, err
	}
	counts := make([]Counts, len(moves))
	for i := range counts {
		c := flat[havannahCounts*i:]
		counts[i] = Counts{Wins: c[0], Losses: c[1], Draws: c[2], Plies: c[3], Ends: [8]uint64(c[4:12])}
	}
	return counts, nil
}
