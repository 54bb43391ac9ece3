package nimgpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/nim"
)

// Axis is a heap that numbers rows or tiles of a board's positions: its sticks
// at most, and what one of them adds to the number.
type Axis struct{ Size, Place int }

// Board is all positions of a board as the kernel nim_solve wants them: rows of
// 16 bits for the sizes of one heap, tiles of rows, and an order of the tiles.
type Board struct {
	Bit    int    // sticks of the heap that rows are about
	Rows   []Axis // up to three; row numbers begin with the first
	Tiles  []Axis
	Tile   int      // rows of a tile, a multiple of 8
	Order  []uint32 // all tiles, so that moves lead back
	Layers []int    // where in Order tiles begin that do not need each other, and its end
	Limit  int
	Misere bool
}

// A Table is the positions of a board on a device, solved or not.
type Table struct {
	gpu   *launch.Launcher
	board Board
	solve *driver.Kernel
	lost  driver.Buffer[uint16]
	order driver.Buffer[uint32]
	axes  driver.Buffer[uint32]
	total driver.Buffer[uint64]
}

// NewTable makes room for a board's positions. The error is a [*driver.MemoryError]
// where the device has too little.
func NewTable(d *driver.Device, b Board) (*Table, error) {
	need := 2*int64(len(b.Order))*int64(b.Tile) + 4*int64(len(b.Order))
	if err := d.RequireMemory(need); err != nil {
		return nil, err
	}
	if len(b.Rows) > 3 || b.Tile%8 != 0 || len(b.Layers) < 2 {
		return nil, fmt.Errorf("%w: a board with %d axes of rows, tiles of %d and %d layers", ErrInvalid, len(b.Rows), b.Tile, len(b.Layers)-1)
	}
	t := &Table{gpu: launch.New(d, ptx.Modules, "nim"), board: b}
	t.solve, _ = t.gpu.Kernel("nim_solve", nimThreads)
	t.lost, t.order = launch.Alloc[uint16](t.gpu, len(b.Order)*b.Tile), launch.Alloc[uint32](t.gpu, len(b.Order))
	t.axes, t.total = launch.Alloc[uint32](t.gpu, max(1, 2*len(b.Tiles))), launch.Alloc[uint64](t.gpu, 1)
	axes := make([]uint32, t.axes.Len())
	for i, a := range b.Tiles {
		axes[2*i], axes[2*i+1] = uint32(a.Size), uint32(a.Place)
	}
	if t.gpu.Err == nil {
		t.gpu.Err = errors.Join(t.order.Upload(t.gpu.Stream, b.Order), t.axes.Upload(t.gpu.Stream, axes))
	}
	if t.gpu.Err != nil {
		return nil, errors.Join(t.gpu.Err, t.Close())
	}
	return t, nil
}

// Close frees what is on the device.
func (t *Table) Close() error { return t.gpu.Close() }

// Solve solves all positions, a launch for each layer, and returns how many are
// lost.
func (t *Table) Solve() (lost uint64, err error) {
	b := &t.board
	sizes := [3]uint32{}
	for i, a := range b.Rows {
		sizes[i] = uint32(a.Size)
	}
	p := Position{Limit: b.Limit, Misere: b.Misere}
	total := make([]uint64, 1)
	err = t.gpu.Device.Do(func() error {
		if err := t.total.Zero(t.gpu.Stream); err != nil {
			return err
		}
		busy := max(int(sizes[1]+1)*int(sizes[2]+1), b.Tile/8) // threads, at most
		grid := driver.Grid{Threads: min(nimThreads, (busy+launch.Warp-1)/launch.Warp*launch.Warp), Shared: 2 * b.Tile}
		for i, first := range b.Layers[:len(b.Layers)-1] {
			count := b.Layers[i+1] - first
			grid.Blocks = min(count, 1<<16)
			if err := t.solve.Launch(t.gpu.Stream, grid, t.lost.Arg(), t.total.Arg(), t.order.Arg(), t.axes.Arg(), driver.U32(uint32(len(b.Tiles))),
				driver.U32(uint32(first)), driver.U32(uint32(count)), driver.U32(uint32(b.Tile)),
				driver.U32(sizes[0]), driver.U32(sizes[1]), driver.U32(sizes[2]), driver.U32(2<<b.Bit-1), p.limit(), p.misere()); err != nil {
				return err
			}
		}
		return t.total.Download(t.gpu.Stream, total)
	})
	return total[0], err
}

// Download copies the rows, tile by tile.
func (t *Table) Download(lost []uint16) error { return t.lost.Download(t.gpu.Stream, lost) }
