package hexnetgpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/hexnet"
)

// An Evaluator computes a network for batches of boards. One goroutine uses it at a time.
type Evaluator struct {
	gpu      *launch.Launcher
	kernel   *launch.Kernel[params]
	board    Board
	channels int
	layers   Layers
	most     int // boards of a batch
	chunk    int // channels that a warp computes at a time

	near       driver.Buffer[uint16]
	parameters driver.Buffer[float32]
	weights    *packer
	constants  driver.Buffer[float32]
	// The device reads planes from the host's memory, and writes outputs there.
	planes          driver.Pinned[uint8]
	logits, outputs driver.Pinned[float32]
}

// params are the parameters of the kernels of kernels/hexnet.
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

// maxWarps is how many warps a block has at most: see LAUNCH_BOUNDS of the kernels.
const maxWarps = 12

// New puts a network on a device, for batches of up to a number of boards.
func New(d *driver.Device, n Network, b Board, boards int) (*Evaluator, error) {
	if n.Channels%32 != 0 || boards < 1 || b.Cells < 1 || len(b.Near) != taps*b.Cells {
		return nil, fmt.Errorf("%d channels, and %d boards of %d cells with %d taps cannot be", n.Channels, boards, b.Cells, len(b.Near))
	}
	variant := variantOf(d, n.Channels)
	e := &Evaluator{board: b, channels: n.Channels, layers: n.Layers, most: boards, chunk: variant.chunk}
	if e.bytes(1) > d.Info().SharedPerBlock {
		return nil, fmt.Errorf("a board of %d cells with %d channels needs %d bytes of shared memory of %d", b.Cells, n.Channels, e.bytes(1), d.Info().SharedPerBlock)
	}
	e.gpu = launch.New(d, ptx.Modules, variant.module, "learning")
	e.kernel = launch.Find[params](e.gpu, "hexnet_evaluate"+variant.suffix)
	e.near = launch.Upload(e.gpu, b.nearRows())
	e.parameters, e.constants = launch.Alloc[float32](e.gpu, len(n.Parameters)), launch.Upload(e.gpu, e.constantsOf(n.Parameters))
	e.weights = newPacker(e.gpu, e.parameters, e.order())
	e.planes = launch.AllocPinned[uint8](e.gpu, boards*b.Cells*planes)
	e.logits = launch.AllocPinned[float32](e.gpu, boards*b.Cells*heads)
	e.outputs = launch.AllocPinned[float32](e.gpu, boards*heads)
	if e.gpu.Err == nil {
		e.gpu.Err = e.SetParameters(n.Parameters)
	}
	if e.gpu.Err != nil {
		return nil, errors.Join(e.gpu.Err, e.Close())
	}
	return e, nil
}

// Close frees the memory on the device.
func (e *Evaluator) Close() error { return e.gpu.Close() }

// SetParameters replaces the parameters.
func (e *Evaluator) SetParameters(parameters []float32) error {
	return errors.Join(e.parameters.Upload(e.gpu.Stream, parameters), e.constants.Upload(e.gpu.Stream, e.constantsOf(parameters)), e.weights.pack(e.gpu.Stream))
}

// order is the order in which the kernels read weights.
func (e *Evaluator) order() []uint32 {
	order := e.layers.Stem.appendProducts(nil, e.chunk)
	for _, b := range e.layers.Blocks {
		order = b.Conv1.appendProducts(order, e.chunk)
		order = appendRange(order, b.Pool.Offset, b.Pool.numWeights())
		order = b.Conv2.appendProducts(order, e.chunk)
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

// Planes returns the memory for the planes of a batch of the most boards.
func (e *Evaluator) Planes() []uint8 { return e.planes.Data() }

// Evaluate computes the network for the first boards of Planes. It returns four logits for
// each cell, by output, board and cell, and four outputs for each board, all valid until the
// next call.
func (e *Evaluator) Evaluate(boards int) (logits, outputs []float32, err error) {
	if boards < 1 || boards > e.most {
		return nil, nil, fmt.Errorf("%d boards in a batch of %d", boards, e.most)
	}
	err = e.gpu.Device.Do(func() error {
		return errors.Join(e.launch(e.gpu.Stream, boards, e.planes.Arg(), e.logits.Arg(), e.outputs.Arg()), e.gpu.Stream.Sync())
	})
	return e.logits.Data()[:boards*e.board.Cells*heads], e.outputs.Data()[:boards*heads], err
}

// Launch puts on a stream the computation of boards whose planes are on the device, of as many
// as there are outputs for. What it sets is as for Evaluate.
func (e *Evaluator) Launch(s *driver.Stream, planes driver.Buffer[uint8], logits, outputs driver.Buffer[float32]) error {
	return e.launch(s, outputs.Len()/heads, planes.Arg(), logits.Arg(), outputs.Arg())
}

func (e *Evaluator) launch(s *driver.Stream, boards int, planes, logits, outputs driver.Arg) error {
	capacity, warps := e.plan(boards)
	return e.kernel.Launch(s, driver.Grid{Blocks: (boards + capacity - 1) / capacity, Threads: warps * launch.Warp, Shared: e.bytes(capacity)}, params{
		Planes: planes, Near: e.near, Weights: e.weights.words, Constants: e.constants, Logits: logits, Outputs: outputs,
		Boards: uint32(boards), Cells: uint32(e.board.Cells), Channels: uint32(e.channels), Blocks: uint32(len(e.layers.Blocks)),
		Capacity: uint32(capacity), Scale: e.board.Scale,
	})
}

// plan returns how many boards and how many warps a block has, so that the multiprocessor with
// the most blocks has the fewest tiles to compute. A warp without a tile counts as if it had
// one. Fewer than half of the warps that there can be would wait for loads, and of equal plans
// the one with the most warps waits least.
func (e *Evaluator) plan(boards int) (capacity, warps int) {
	info := e.gpu.Device.Info()
	least := 0
	for n := 1; n <= boards && e.bytes(n) <= info.SharedPerBlock; n++ {
		blocks := (boards + n - 1) / n
		tiles := (n*e.board.Cells + rows - 1) / rows * (e.channels / e.chunk)
		for w := min(tiles, maxWarps/2); w <= min(tiles, maxWarps); w++ {
			cost := (blocks + info.Multiprocessors - 1) / info.Multiprocessors * ((tiles + w - 1) / w * w)
			if least == 0 || cost < least || cost == least && w > warps {
				least, capacity, warps = cost, n, w
			}
		}
	}
	return capacity, warps
}

// bytes returns the shared memory of a block of some boards: two buffers of activations, the
// pooled channels, and the sums of linear maps of these, two for a thread at least.
func (e *Evaluator) bytes(boards int) int {
	channels := e.channels
	return 2*(boards*e.board.Cells+1)*(2*channels+padding) + 4*(boards*3*channels+max(2*maxWarps*launch.Warp, boards*max(channels, hidden)))
}
