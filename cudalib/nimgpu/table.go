package nimgpu

import (
	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// An Axis is a heap that numbers the rows or the tiles of a board's positions.
type Axis struct {
	Size   int // sticks at most
	Stride int // change of the number for a stick
}

// A Board is all positions of a board as the kernel nim_solve reads them: rows of
// 16 bits for the sizes of one heap, tiles of rows, and an order of the tiles.
type Board struct {
	Bit    int    // sticks of the heap that rows are about
	Rows   []Axis // up to three; row numbers begin with the first
	Tiles  []Axis
	Tile   int      // rows of a tile, a multiple of 8
	Order  []uint32 // all tiles: moves lead to tiles that come before
	Layers []int    // where in Order the tiles begin that do not need each other, and the end of Order
	Limit  int
	Misere bool
}

// A Table is the positions of a board on a device. One goroutine uses it at a time.
type Table struct {
	gpu   *launch.Launcher
	board Board
	solve *launch.Kernel[solveParams]
	lost  driver.Buffer[uint16]
	order driver.Buffer[uint32]
	axes  driver.Buffer[uint32]
	total driver.Buffer[uint64]
}

// solveParams are the parameters of nim_solve in nim.cu.
type solveParams struct {
	Lost         driver.Buffer[uint16]
	Total        driver.Buffer[uint64]
	Order        driver.Buffer[uint32]
	Axes         driver.Buffer[uint32]
	NumAxes      uint32
	First, Count uint32 // tiles in Order
	Tile         uint32
	X, Y, Z      uint32 // the sizes of the axes of rows
	Bound        uint32 // a bit for each size of the heap that rows are about
	Rules        rules
}

// NewTable makes room for a board's positions. The error is a [*driver.MemoryError]
// where the device has too little memory free.
func NewTable(d *driver.Device, b Board) (*Table, error) {
	need := 2*int64(len(b.Order))*int64(b.Tile) + 4*int64(len(b.Order))
	if err := d.RequireMemory(need); err != nil {
		return nil, err
	}
	t := &Table{gpu: launch.New(d, Modules, "nim"), board: b}
	t.solve = launch.Find[solveParams](t.gpu, "nim_solve")
	var axes []uint32
	for _, a := range b.Tiles {
		axes = append(axes, uint32(a.Size), uint32(a.Stride))
	}
	t.lost, t.order = launch.Alloc[uint16](t.gpu, len(b.Order)*b.Tile), launch.Upload(t.gpu, b.Order)
	t.axes, t.total = launch.Upload(t.gpu, axes), launch.Alloc[uint64](t.gpu, 1)
	return launch.Finish(t.gpu, t)
}

// Close frees the memory on the device.
func (t *Table) Close() error { return t.gpu.Close() }

// Solve solves all positions, with a launch for each layer, and returns how many
// are lost for the player to move.
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
		grid := driver.Grid{
			Threads: min(queryThreads, launch.Whole(busy)), Shared: 2 * b.Tile,
		}
		for i, first := range b.Layers[:len(b.Layers)-1] {
			count := b.Layers[i+1] - first
			grid.Blocks = min(count, 1<<16)
			if err := t.solve.Launch(t.gpu.Stream, grid, solveParams{
				Lost: t.lost, Total: t.total, Order: t.order, Axes: t.axes, NumAxes: uint32(len(b.Tiles)),
				First: uint32(first), Count: uint32(count), Tile: uint32(b.Tile),
				X: sizes[0], Y: sizes[1], Z: sizes[2], Bound: 2<<b.Bit - 1, Rules: p.rules(),
			}); err != nil {
				return err
			}
		}
		return t.total.Download(t.gpu.Stream, total)
	})
	return total[0], err
}

// Download copies the rows, tile by tile.
func (t *Table) Download(lost []uint16) error { return t.lost.Download(t.gpu.Stream, lost) }
