package cudalib

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
)

// HavannahCell is a cell of a board without stones.
type HavannahCell struct {
	// A cell touches those a step before or after it in its row or its column,
	// or a step before or after it in both.
	Row, Col int
	Border   uint16 // as havannah.Border
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

// NewHavannah puts a board on a device. Cells are in the order of their numbers.
func NewHavannah(d *Device, board []HavannahCell, g HavannahGrid) (*Havannah, error) {
	t, err := triangulate(board)
	if err != nil {
		return nil, err
	}
	h := &Havannah{launcher: newLauncher(d, "havannah"), cells: t.cells, room: t.room}
	if g.Compress {
		h.compress = 1
	}
	h.rate, _ = h.kernel("havannah_rate", warp)
	h.grid = h.gridFor(g)
	n := len(board)
	h.board, h.position = alloc[uint32](h.launcher, len(t.rows)), alloc[uint16](h.launcher, n)
	h.orders = alloc[uint32](h.launcher, h.grid.Blocks*h.grid.Threads*((n+7)/8*4))
	h.moves, h.counts = alloc[uint32](h.launcher, 2*n), alloc[uint64](h.launcher, havannahCounts*n)
	if h.err == nil {
		h.err = h.board.Upload(h.stream, t.rows)
	}
	if h.err != nil {
		return nil, errors.Join(h.err, h.Close())
	}
	return h, nil
}

// gridFor fills in what a grid leaves open: as many threads as there is shared
// memory for, because a game at a time is what a thread plays.
func (h *Havannah) gridFor(g HavannahGrid) driver.Grid {
	if h.err != nil {
		return driver.Grid{}
	}
	const word = 4
	ofBlock, ofWarp := word*5*h.room, word*(2*h.room+16+warp*(h.room+1))
	available := h.device.Info().SharedPerBlock
	threads := g.Threads
	if threads == 0 {
		threads = min(havannahThreads, warp*max(1, (available-ofBlock)/ofWarp))
	}
	shared := ofBlock + (threads+warp-1)/warp*ofWarp
	switch {
	case threads < 1 || threads > havannahThreads || threads > warp && threads%warp != 0:
		h.err = fmt.Errorf("%d threads a block are not a part of a warp or up to %d warps of %d threads", threads, havannahThreads/warp, warp)
		return driver.Grid{}
	case shared > available:
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
	err := h.device.Do(func() error {
		return errors.Join(
			h.position.Upload(h.stream, append(stones, empty...)),
			h.moves.Slice(0, len(jobs)).Upload(h.stream, jobs),
			h.counts.Zero(h.stream),
			h.rate.Launch(h.stream, h.grid, h.counts.Arg(), h.orders.Arg(), h.board.Arg(), h.position.Arg(), h.moves.Arg(),
				driver.U32(uint32(h.room)), driver.U32(uint32(len(h.cells))), driver.U32(uint32(len(stones))), driver.U32(uint32(len(moves))), driver.U32(uint32(p.Turn)),
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
