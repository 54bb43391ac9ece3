package hexnetgpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/hexnet"
)

// A Board is the shape of boards.
type Board struct {
	Cells int
	// Near has for each cell the cells of its seven taps, and Cells for those off the board.
	Near  []int32
	Scale float32 // of the second pooled mean
}

// An Evaluator computes a network for batches of boards. One goroutine uses it at a time.
type Evaluator struct {
	gpu     *launch.Launcher
	kernel  *launch.Kernel[params]
	board   Board
	network Network // without weights
	most    int     // boards of a batch
	chunk   int     // channels that a warp computes at a time

	near      driver.Buffer[uint16]
	weights   driver.Buffer[uint32]
	constants driver.Buffer[float32]
	// The device reads planes from the host's memory, and writes outputs there.
	planes          driver.Pinned[uint8]
	logits, outputs driver.Pinned[float32]
}

// params are the parameters of the kernels of kernels/hexnet.
type params struct {
	Planes                          driver.Pinned[uint8]
	Near                            driver.Buffer[uint16]
	Weights                         driver.Buffer[uint32]
	Constants                       driver.Buffer[float32]
	Logits, Outputs                 driver.Pinned[float32]
	Boards, Cells, Channels, Blocks uint32
	Capacity                        uint32
	Scale                           float32
}

// tensorCapability is the first compute capability with the products of network.cuh.
const tensorCapability driver.Capability = 80

// maxWarps is how many warps a block has at most: see LAUNCH_BOUNDS of the kernels.
const maxWarps = 12

// New puts a network on a device, for batches of up to a number of boards.
func New(d *driver.Device, n Network, b Board, boards int) (*Evaluator, error) {
	if n.Channels%32 != 0 || boards < 1 || b.Cells < 1 || len(b.Near) != taps*b.Cells {
		return nil, fmt.Errorf("%d channels, and %d boards of %d cells with %d taps cannot be", n.Channels, boards, b.Cells, len(b.Near))
	}
	e := &Evaluator{board: b, most: boards, chunk: 32}
	module, name := "shuffles", "hexnet_evaluate"
	if d.Info().Capability >= tensorCapability {
		module, name = "tensor", "hexnet_tensor_32"
		if n.Channels%64 == 0 {
			e.chunk, name = 64, "hexnet_tensor_64"
		}
	}
	e.network = Network{Channels: n.Channels, Blocks: n.Blocks}
	if e.bytes(1) > d.Info().SharedPerBlock {
		return nil, fmt.Errorf("a board of %d cells with %d channels needs %d bytes of shared memory of %d", b.Cells, n.Channels, e.bytes(1), d.Info().SharedPerBlock)
	}
	const offBoard = 0xffff
	near := make([]uint16, 8*b.Cells)
	for i, cell := range b.Near {
		if at := &near[i/taps*8+i%taps]; int(cell) < b.Cells {
			*at = uint16(cell)
		} else {
			*at = offBoard
		}
	}
	e.gpu = launch.New(d, ptx.Modules, module)
	e.kernel = launch.Find[params](e.gpu, name)
	e.near, e.weights, e.constants = launch.Upload(e.gpu, near), launch.Upload(e.gpu, n.pack(e.chunk)), launch.Upload(e.gpu, n.Constants)
	e.planes = launch.AllocPinned[uint8](e.gpu, boards*b.Cells*planes)
	e.logits = launch.AllocPinned[float32](e.gpu, boards*b.Cells*heads)
	e.outputs = launch.AllocPinned[float32](e.gpu, boards*heads)
	if e.gpu.Err != nil {
		return nil, errors.Join(e.gpu.Err, e.Close())
	}
	return e, nil
}

// Close frees the memory on the device.
func (e *Evaluator) Close() error { return e.gpu.Close() }

// SetNetwork replaces the parameters by those of a network of the same size.
func (e *Evaluator) SetNetwork(n Network) error {
	return errors.Join(e.weights.Upload(e.gpu.Stream, n.pack(e.chunk)), e.constants.Upload(e.gpu.Stream, n.Constants))
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
	capacity, warps := e.plan(boards)
	err = e.gpu.Device.Do(func() error {
		return errors.Join(e.kernel.Launch(e.gpu.Stream, driver.Grid{Blocks: (boards + capacity - 1) / capacity, Threads: warps * launch.Warp, Shared: e.bytes(capacity)}, params{
			Planes: e.planes, Near: e.near, Weights: e.weights, Constants: e.constants, Logits: e.logits, Outputs: e.outputs,
			Boards: uint32(boards), Cells: uint32(e.board.Cells), Channels: uint32(e.network.Channels), Blocks: uint32(e.network.Blocks),
			Capacity: uint32(capacity), Scale: e.board.Scale,
		}), e.gpu.Stream.Sync())
	})
	return e.logits.Data()[:boards*e.board.Cells*heads], e.outputs.Data()[:boards*heads], err
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
		tiles := (n*e.board.Cells + rows - 1) / rows * (e.network.Channels / e.chunk)
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
	channels := e.network.Channels
	return 2*(boards*e.board.Cells+1)*(2*channels+padding) + 4*(boards*3*channels+max(2*maxWarps*launch.Warp, boards*max(channels, hidden)))
}
