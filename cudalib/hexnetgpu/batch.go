package hexnetgpu

import (
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/hexnet"
)

// A Batch is what a step learns from, flat, board by board: the planes, and the targets as they
// are in Targets of package hexnet of the solvers.
type Batch struct {
	Planes    []uint8
	Policy    []float32
	Reply     []int16
	Structure []int8
	Value     []float32
	Kinds     []uint8
}

// batch is the memory for a batch, and what is kept of it between forward and backward. Its
// stream computes gradients of weights, while that of the learner goes on through the layers.
type batch struct {
	*launch.Launcher
	reached *driver.Event // what a stream waits for before it goes on
	graphs  map[graphKey]*driver.Graph
	room    int // rows for which there is memory
	shape   Board
	near    driver.Buffer[uint16]
	boards  int
	// capacity is the boards of a block of a convolution, and parts those of the batch whose
	// gradients are summed apart.
	capacity, parts, headsParts int

	pinned struct { // the device reads it in the host's memory
		Planes    driver.Pinned[uint8]
		Policy    driver.Pinned[float32]
		Reply     driver.Pinned[int16]
		Structure driver.Pinned[int8]
		Value     driver.Pinned[float32]
		Kinds     driver.Pinned[uint8]
	}
	losses driver.Pinned[float64] // the device writes it

	// Halves of activations, by row, and of gradients d.
	planes, f driver.Buffer[uint32]
	blocks    []activations
	d         driver.Buffer[uint32]  // of f
	stream    driver.Buffer[float32] // h, and then its gradient
	// By board, like what follows, as learning.cuh has them.
	pooled, units, dUnits, dOutputs driver.Buffer[float32]
}

// activations are what a block of the network keeps, see pass of package hexnet of the solvers.
type activations struct {
	in, middle driver.Buffer[uint32]
	before     driver.Buffer[uint32]  // not its positive part
	pooled     driver.Buffer[float32] // of that
	d, dMiddle driver.Buffer[uint32]  // of in and middle
	dShift     driver.Buffer[float32]
}

// A graphKey tells batches apart whose gradients take other work.
type graphKey struct {
	near   *int32 // Board.Near
	boards int
}

// Batch returns memory for a batch of boards, for the next Gradient. It is valid until the next
// call.
func (l *Learner) Batch(shape Board, boards int) (*Batch, error) {
	capacity := min(boards, max(1, maxWarps/2*rowsOfWarp/shape.Cells))
	channels, most := l.network.Channels, l.gpu.Device.Info().SharedPerBlock
	if need := max(gradientBytes(capacity*shape.Cells, channels, channels), l.boardBytes(shape.Cells), l.headsBytes(shape.Cells)); need > most {
		return nil, fmt.Errorf("to learn from a board of %d cells with %d channels needs %d bytes of shared memory of %d", shape.Cells, channels, need, most)
	}
	near, ok := l.near[&shape.Near[0]]
	if !ok {
		near = launch.Upload(l.gpu, shape.nearRows())
		if err := l.gpu.Err; err != nil {
			return nil, err
		}
		l.near[&shape.Near[0]] = near
	}
	if l.batch == nil || l.batch.room < boards*shape.Cells || l.batch.losses.Len() < boards*losses {
		if err := l.grow(boards, shape.Cells); err != nil {
			return nil, err
		}
	}
	b := l.batch
	b.shape, b.near, b.boards, b.capacity = shape, near, boards, capacity
	b.parts, b.headsParts = min(maxParts, (boards+boardsOfPart-1)/boardsOfPart), min(maxHeadsParts, boards)
	p := &b.pinned
	cells := boards * shape.Cells
	return &Batch{p.Planes.Data()[:cells*planes], p.Policy.Data()[:cells], p.Reply.Data()[:boards], p.Structure.Data()[:cells], p.Value.Data()[:boards], p.Kinds.Data()[:boards]}, nil
}

// grow makes memory for larger batches.
func (l *Learner) grow(boards, cells int) error {
	rows := boards * cells
	if old := l.batch; old != nil {
		rows, boards = max(rows, old.room), max(boards, old.losses.Len()/losses)
		l.batch = nil
		if err := old.Close(); err != nil {
			return err
		}
	}
	b := &batch{Launcher: launch.New(l.gpu.Device, ptx.Modules), room: rows, graphs: map[graphKey]*driver.Graph{}}
	b.reached = launch.Keep(b.Launcher, l.gpu.Device.NewEvent)
	channels := l.network.Channels
	activation := func() driver.Buffer[uint32] { return launch.Alloc[uint32](b.Launcher, rows*channels/2) }
	byBoard := func(n int) driver.Buffer[float32] { return launch.Alloc[float32](b.Launcher, boards*n) }
	p := &b.pinned
	p.Planes, p.Policy = launch.AllocPinned[uint8](b.Launcher, rows*planes), launch.AllocPinned[float32](b.Launcher, rows)
	p.Structure, p.Reply = launch.AllocPinned[int8](b.Launcher, rows), launch.AllocPinned[int16](b.Launcher, boards)
	p.Value, p.Kinds = launch.AllocPinned[float32](b.Launcher, boards), launch.AllocPinned[uint8](b.Launcher, boards)
	b.losses = launch.AllocPinned[float64](b.Launcher, boards*losses)
	b.planes, b.f, b.d = launch.Alloc[uint32](b.Launcher, rows*planes/2), activation(), activation()
	for _, layers := range l.network.Layers.Blocks {
		a := activations{in: activation(), middle: activation(), d: activation(), dMiddle: activation()}
		if layers.Pool.Out > 0 {
			a.before, a.pooled, a.dShift = activation(), byBoard(layers.Pool.In), byBoard(layers.Pool.Out)
		}
		b.blocks = append(b.blocks, a)
	}
	b.stream = launch.Alloc[float32](b.Launcher, rows*channels)
	b.pooled, b.units, b.dUnits, b.dOutputs = byBoard(3*channels), byBoard(hidden), byBoard(hidden), byBoard(heads)
	if b.Err != nil {
		defer b.Close()
		return b.Err
	}
	l.batch = b
	return nil
}
