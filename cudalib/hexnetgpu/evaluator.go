package hexnetgpu

import (
	"errors"
	"fmt"
	"math"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// An Evaluator computes a network for batches of boards. One goroutine uses it at a time.
type Evaluator struct {
	gpu      *launch.Launcher
	tiles    []tile
	kernels  []*launch.Kernel[params] // kernel by tile
	board    Board
	channels int
	layers   Layers

	near       driver.Buffer[uint16]
	parameters driver.Buffer[float32]
	weights    *packer
	constants  driver.Buffer[float32]
	slots      []slot
}

// A slot is for a batch that is on the device, or the next one. The device reads planes from the
// host's memory, and writes outputs there.
type slot struct {
	stream          *driver.Stream
	planes          driver.Pinned[uint8]
	logits, outputs driver.Pinned[float32]
	boards          int // boards of the batch
}

// params are the parameters of the kernels.
type params struct {
	Planes                          driver.Arg // uint8, in the memory of the host or the device
	Near                            driver.Buffer[uint16]
	Weights                         driver.Buffer[uint32]
	Constants                       driver.Buffer[float32]
	Logits, Outputs                 driver.Arg // float32, likewise
	Boards, Cells, Channels, Blocks uint32
	Capacity                        uint32
	Scale                           float32
}

// New puts a network on a device, with slots for batches of up to boards positions.
func New(d *driver.Device, n Network, b Board, boards, slots int) (*Evaluator, error) {
	module, tiles := tilesOf(d, n.Channels)
	e := &Evaluator{tiles: tiles, board: b, channels: n.Channels, layers: n.Layers}
	if least := e.bytes(1, tiles[len(tiles)-1]); least > d.Info().SharedPerBlock {
		return nil, fmt.Errorf("a board of %d cells with %d channels needs %d bytes of shared memory of %d", b.Cells,
			n.Channels, least, d.Info().SharedPerBlock)
	}
	e.gpu = launch.New(d, Modules, module, "learning")
	for _, t := range tiles {
		e.kernels = append(e.kernels, launch.Find[params](e.gpu, "hexnet_evaluate"+t.suffix))
	}
	e.near = launch.Upload(e.gpu, b.nearRows())
	e.parameters, e.constants = launch.Alloc[float32](e.gpu, len(n.Parameters)),
		launch.Upload(e.gpu, e.constantsOf(n.Parameters))
	e.weights = newPacker(e.gpu, e.parameters, e.order())
	for range slots {
		e.slots = append(e.slots, slot{
			stream: launch.Keep(e.gpu, d.NewStream), planes: launch.AllocPinned[uint8](e.gpu, boards*b.Cells*planes),
			logits:  launch.AllocPinned[float32](e.gpu, boards*b.Cells*heads),
			outputs: launch.AllocPinned[float32](e.gpu, boards*heads),
		})
	}
	e.gpu.Try(func() error { return e.SetParameters(n.Parameters) })
	return launch.Finish(e.gpu, e)
}

// Close frees the memory on the device.
func (e *Evaluator) Close() error { return e.gpu.Close() }

// SetParameters replaces the parameters. No batch may be on the device.
func (e *Evaluator) SetParameters(parameters []float32) error {
	return errors.Join(e.parameters.Upload(e.gpu.Stream, parameters),
		e.constants.Upload(e.gpu.Stream, e.constantsOf(parameters)), e.weights.pack(e.gpu.Stream), e.gpu.Stream.Sync())
}

// order is the order in which the kernels read weights.
func (e *Evaluator) order() []uint32 {
	order := e.layers.Stem.appendProducts(nil)
	for _, b := range e.layers.Blocks {
		order = b.Conv1.appendProducts(order)
		order = appendRange(order, b.Pool.Offset, b.Pool.numWeights())
		order = b.Conv2.appendProducts(order)
	}
	return appendRange(order, e.layers.Hidden.Offset, e.layers.Hidden.numWeights())
}

// constantsOf returns the biases of the convolutions, then weights and biases of the outputs of
// cells, biases of the hidden units, and weights and biases of the board's outputs.
func (e *Evaluator) constantsOf(parameters []float32) (constants []float32) {
	add := func(first, n int) { constants = append(constants, parameters[first:][:n]...) }
	l := e.layers
	add(l.Stem.biases(), l.Stem.Out)
	for _, b := range l.Blocks {
		add(b.Conv1.biases(), b.Conv1.Out)
		add(b.Conv2.biases(), b.Conv2.Out)
	}
	add(l.Cells.Offset, l.Cells.numWeights()+l.Cells.Out)
	add(l.Hidden.biases(), l.Hidden.Out)
	add(l.Board.Offset, l.Board.numWeights()+l.Board.Out)
	return constants
}

// Planes returns a slot's memory for the planes of a batch of the most boards.
func (e *Evaluator) Planes(slot int) []uint8 { return e.slots[slot].planes.Data() }

// Start begins to compute the network for the first boards, at least one, of a slot's planes.
func (e *Evaluator) Start(slot, boards int) error {
	s := &e.slots[slot]
	s.boards = boards
	return e.launch(s.stream, boards, s.planes.Arg(), s.logits.Arg(), s.outputs.Arg())
}

// Launch puts on a stream the computation of boards whose planes are on the device, of as many
// as there are outputs for. What it sets is as Wait returns it.
func (e *Evaluator) Launch(
	s *driver.Stream, planes driver.Buffer[uint8], logits, outputs driver.Buffer[float32],
) error {
	return e.launch(s, outputs.Len()/heads, planes.Arg(), logits.Arg(), outputs.Arg())
}

func (e *Evaluator) launch(s *driver.Stream, boards int, planes, logits, outputs driver.Arg) error {
	p := e.plan(boards)
	return e.kernels[p.tile].Launch(s, driver.Grid{Blocks: (boards + p.capacity - 1) / p.capacity,
		Threads: p.warps * launch.Warp, Shared: e.bytes(p.capacity, e.tiles[p.tile])}, params{
		Planes: planes, Near: e.near, Weights: e.weights.words, Constants: e.constants,
		Logits: logits, Outputs: outputs,
		Boards: uint32(boards), Cells: uint32(e.board.Cells), Channels: uint32(e.channels),
		Blocks:   uint32(len(e.layers.Blocks)),
		Capacity: uint32(p.capacity), Scale: e.board.Scale,
	})
}

// Wait waits for the outputs of the batch that Start has begun: four logits for each cell, by
// output, board and cell, and four outputs for each board, all valid until the slot's next batch.
func (e *Evaluator) Wait(slot int) (logits, outputs []float32, err error) {
	s := &e.slots[slot]
	return s.logits.Data()[:s.boards*e.board.Cells*heads], s.outputs.Data()[:s.boards*heads], s.stream.Sync()
}

// A plan is how a batch is computed: by tiles of a kind, with some boards and warps a block.
type plan struct{ tile, capacity, warps int }

// plan returns the plan by which multiprocessors need the fewest cycles for a step of all their
// tiles. One adds a product to a tile in 1.5 cycles, and one of its four parts, which computes for
// a warp, in 6. It loads 128 bytes a cycle from shared memory or the cache: 512 for 16 rows of a
// tile, and 256 for eight columns. Before the first product a warp waits for loads. Where there
// are more blocks than multiprocessors, those of another batch follow the last ones.
func (e *Evaluator) plan(boards int) (best plan) {
	const wait = 100.
	info := e.gpu.Device.Info()
	least := math.Inf(1)
	for i, t := range e.tiles {
		m, n := float64(t.rows)/step, float64(t.columns)/columns
		busy, alone := max(1.5*m*n, 4*m+2*n), wait+6*m*n
		for capacity := 1; capacity <= boards && e.bytes(capacity, t) <= info.SharedPerBlock; capacity++ {
			blocks := (boards + capacity - 1) / capacity
			tiles := (capacity*e.board.Cells + t.rows - 1) / t.rows * (e.channels / t.columns)
			for warps := 1; warps <= min(tiles, t.warps); warps++ {
				rounds := max(1, float64(blocks)/float64(info.Multiprocessors)) * float64((tiles+warps-1)/warps)
				if cost := rounds * max(alone, float64(warps)*busy); cost < least {
					least, best = cost, plan{i, capacity, warps}
				}
			}
		}
	}
	return best
}

// parts is in how many parts pooled channels and hidden units are summed up.
const parts = 8

// bytes returns the shared memory of a block of some boards in tiles of a kind: two buffers of activations, the
// neighbours, the pooled channels, and for each part four numbers of two of a board's channels, which is enough for
// two numbers of two hidden units.
func (e *Evaluator) bytes(boards int, t tile) int {
	channels, rows := e.channels, boards*e.board.Cells
	return 2*(rows+1)*(2*channels+padding) + neighbourBytes(rows, t.rows) +
		4*boards*(3+2*parts)*channels
}
