package havannahgpu

import (
	"embed"
	"errors"
	"fmt"
	"math/bits"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A Cell is a cell of a board. It touches the cells a step before or after it in
// its row, in its column, or in both.
type Cell struct {
	Row, Col int
	Border   uint16 // as havannah.Border: one corner or edge, or none
}

// A Grid is how many threads play, and how. The counts do not depend on it. The
// zero value is the fastest.
type Grid struct {
	Blocks, Threads int  // threads of a block
	Compress        bool // shorten the paths from stones to the roots of their groups
}

// A Position is a position whose moves are rated.
type Position struct {
	Stones []uint8 // stone of each cell: 0 none, 1 white, 2 black
	Turn   uint8   // the player who makes the moves: 0 white, 1 black
}

// A Move is a move to rate.
type Move struct {
	Cell   int    // -1 where the move is in the position already
	Number uint32 // number in the stream of random numbers
}

// Counts are the results of playouts for the player who made the move.
type Counts struct {
	Wins, Losses, Draws, Plies uint64
	Ends                       [8]uint64 // ends by havannah.Structures
}

// Playouts rates the moves of positions on one board by random games, see
// solvers/playout. One goroutine uses it at a time.
type Playouts struct {
	triangulation
	gpu      *launch.Launcher
	rate     *launch.Kernel[rateParams]
	grid     driver.Grid
	compress bool

	board    driver.Buffer[uint32]
	position driver.Buffer[uint16]
	moves    driver.Buffer[uint32]
	orders   driver.Buffer[uint32]
	counts   driver.Buffer[uint64]
}

// rateParams are the parameters of havannah_rate in rate.cu.
type rateParams struct {
	Counts                                   driver.Buffer[uint64]
	Orders, Board                            driver.Buffer[uint32]
	Position                                 driver.Buffer[uint16] // its stones, then its empty cells
	Moves                                    driver.Buffer[uint32]
	Triangles, Cells, Stones, NumMoves, Turn uint32
	Seed, First, Playouts                    uint64
	Part                                     uint32
	Compress                                 bool
}

const (
	countsPerMove = 12

	// playoutsPerPart is how many playouts a thread does after a move before its
	// warp turns to another move. It is large enough for the work that a warp does
	// once a move not to matter.
	playoutsPerPart = 16

	maxRateThreads = 512 // most threads of a block
	blackStone     = 1 << 15
)

// NewPlayouts puts a board on a device. Its cells are in the order of their numbers.
func NewPlayouts(d *driver.Device, board []Cell, g Grid) (*Playouts, error) {
	h := &Playouts{triangulation: triangulate(board), gpu: launch.New(d, Modules, "rate"), compress: g.Compress}
	h.rate = launch.Find[rateParams](h.gpu, "havannah_rate")
	h.grid = h.gridFor(g)
	n := len(board)
	h.board, h.position = launch.Upload(h.gpu, h.rows), launch.Alloc[uint16](h.gpu, n)
	h.orders = launch.Alloc[uint32](h.gpu, h.grid.Blocks*h.grid.Threads*((n+7)/8*4))
	h.moves, h.counts = launch.Alloc[uint32](h.gpu, 2*n), launch.Alloc[uint64](h.gpu, countsPerMove*n)
	return launch.Finish(h.gpu, h)
}

// Close frees the memory on the device.
func (h *Playouts) Close() error { return h.gpu.Close() }

// gridFor fills in the zero values of a grid: as many threads as there is shared
// memory for, because each plays a game of its own.
func (h *Playouts) gridFor(g Grid) driver.Grid {
	if h.gpu.Err != nil {
		return driver.Grid{}
	}
	const word = 4
	ofBlock, ofWarp := word*5*h.triangles, word*(2*h.triangles+16+launch.Warp*(h.triangles+1))
	available := h.gpu.Device.Info().SharedPerBlock
	threads := g.Threads
	if threads == 0 {
		threads = min(maxRateThreads, launch.Warp*max(1, (available-ofBlock)/ofWarp))
	}
	shared := ofBlock + (threads+launch.Warp-1)/launch.Warp*ofWarp
	switch {
	case threads < 1 || threads > maxRateThreads || threads > launch.Warp && threads%launch.Warp != 0:
		h.gpu.Err = fmt.Errorf("%d threads a block are not a part of a launch.Warp or up to %d warps of %d threads",
			threads, maxRateThreads/launch.Warp, launch.Warp)
		return driver.Grid{}
	case shared > available:
		h.gpu.Err = fmt.Errorf("%d threads a block need %d bytes of shared memory, there are %d",
			threads, shared, available)
		return driver.Grid{}
	}
	blocks := g.Blocks
	if blocks == 0 {
		blocks = max(1, launch.Blocks(h.gpu, h.rate, threads, shared))
	}
	return driver.Grid{Blocks: blocks, Threads: threads, Shared: shared}
}

// Rate plays the playouts with the numbers first to first+n-1 after each of some
// moves of a position in which the game is not over. A call copies the position,
// the moves and the counts once.
func (h *Playouts) Rate(p Position, moves []Move, seed, first, n uint64) ([]Counts, error) {
	if len(moves) == 0 || len(moves) > len(h.cells) || len(p.Stones) != len(h.cells) || n < 1 {
		return nil, fmt.Errorf("%d playouts after each of %d moves with %d cells of %d cannot be", n, len(moves),
			len(p.Stones), len(h.cells))
	}
	stones, empty, listed := p.lists(h.cells)
	jobs := make([]uint32, 0, 2*len(moves))
	for _, m := range moves {
		index := len(empty) // no cell's
		if m.Cell >= 0 {
			if m.Cell >= len(h.cells) || p.Stones[m.Cell] != 0 {
				return nil, fmt.Errorf("cell %d is not empty", m.Cell)
			}
			index = int(listed[m.Cell])
		}
		jobs = append(jobs, uint32(index), m.Number)
	}
	// A little work is shared by all warps. With much of it they change moves rarely.
	part := min(playoutsPerPart, n*uint64(len(moves))/uint64(h.grid.Blocks*h.grid.Threads)+1)
	flat := make([]uint64, countsPerMove*len(moves))
	err := h.gpu.Device.Do(func() error {
		return errors.Join(
			h.position.Upload(h.gpu.Stream, append(stones, empty...)),
			h.moves.Slice(0, len(jobs)).Upload(h.gpu.Stream, jobs),
			h.counts.Zero(h.gpu.Stream),
			h.rate.Launch(h.gpu.Stream, h.grid, rateParams{
				Counts: h.counts, Orders: h.orders, Board: h.board, Position: h.position, Moves: h.moves,
				Triangles: uint32(h.triangles), Cells: uint32(len(h.cells)), Stones: uint32(len(stones)),
				NumMoves: uint32(len(moves)), Turn: uint32(p.Turn),
				Seed: seed, First: first, Playouts: n, Part: uint32(part), Compress: h.compress,
			}),
			h.counts.Slice(0, len(flat)).Download(h.gpu.Stream, flat))
	})
	if err != nil {
		return nil, err
	}
	counts := make([]Counts, len(moves))
	for i := range counts {
		c := flat[countsPerMove*i:]
		counts[i] = Counts{Wins: c[0], Losses: c[1], Draws: c[2], Plies: c[3], Ends: [8]uint64(c[4:12])}
	}
	return counts, nil
}

// lists returns the stones and the empty cells of a position by the kernels' numbers of cells, and for each cell its
// index in the list of empty cells, or noIndex.
func (p Position) lists(cells []uint16) (stones, empty, listed []uint16) {
	for cell, colour := range p.Stones {
		index := uint16(noIndex)
		switch colour {
		case 0:
			index = uint16(len(empty))
			empty = append(empty, cells[cell])
		case 1:
			stones = append(stones, cells[cell])
		default:
			stones = append(stones, cells[cell]|blackStone)
		}
		listed = append(listed, index)
	}
	return stones, empty, listed
}

// A triangulation is a board in triangles of three cells that all touch, as
// board.cuh reads it.
type triangulation struct {
	cells []uint16 // the kernels' number of each cell: 4·triangle + index
	// rows has, by number of a cell, the three other triangles around, eight bits each, and the border's bit in a mark.
	rows []uint32
	// triangles is their number, rounded up to a multiple of 4, and the number of the triangle off the board. A mark
	// has a word for each.
	triangles int
}

func triangulate(board []Cell) triangulation {
	type corner struct{ row, col int } // the cell of a triangle with index 0
	split := func(row, col int) (of corner, index int) {
		index = ((row+col)%3 + 3) % 3
		return corner{row - index/2, col - (index+1)/2}, index
	}
	numbers := map[corner]int{}
	for _, c := range board {
		of, _ := split(c.Row, c.Col)
		if _, seen := numbers[of]; !seen {
			numbers[of] = len(numbers)
		}
	}
	t := triangulation{triangles: (len(numbers) + 3) / 4 * 4} // 172 on side 13, in eight bits
	number := func(of corner) int {
		if n, ok := numbers[of]; ok {
			return n
		}
		return t.triangles
	}
	steps := [6]corner{{-1, -1}, {-1, 0}, {0, 1}, {1, 1}, {1, 0}, {0, -1}}
	t.rows = make([]uint32, 4*t.triangles)
	for _, c := range board {
		of, index := split(c.Row, c.Col)
		cell := 4*number(of) + index
		t.cells = append(t.cells, uint16(cell))
		// The first two of the circle are in the cell's own triangle, the fourth
		// and fifth in the same one.
		for i, further := range []int{2, 3, 5} {
			step := steps[(2*index+2+further)%6]
			other, _ := split(c.Row+step.row, c.Col+step.col)
			t.rows[cell] |= uint32(number(other)) << (8 * i)
		}
		if c.Border != 0 {
			t.rows[cell] |= uint32(4+bits.TrailingZeros16(c.Border)) << 24
		}
	}
	return t
}

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
