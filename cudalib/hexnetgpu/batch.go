package hexnetgpu

import (
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
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

// input is a batch in the host's memory, where the device reads it.
type input struct {
	*launch.Launcher
	rows  int // for which there is memory
	shape Board
	near  driver.Buffer[uint16]
	// boards is the number of the batch, at most that of the losses, and capacity the boards
	// of a block of a convolution.
	boards, capacity int

	planes  driver.Pinned[uint8]
	targets targetParams
	losses  driver.Pinned[float64] // the device writes it
}

// batch is an input, and what is kept of it between forward and backward. Its stream computes
// gradients of weights, while that of the learner goes on through the layers.
type batch struct {
	*launch.Launcher
	in                *input
	reached           *driver.Event // what a stream waits for before it goes on
	graphs            map[graphKey]*driver.Graph
	rows, most        int // rows and boards for which there is memory
	parts, headsParts int // parts of the boards, whose gradients are summed apart

	// Halves of activations, by row, and of gradients d.
	planes, f driver.Buffer[uint32]
	blocks    []activations
	d         driver.Buffer[uint32]  // gradient of f
	stream    driver.Buffer[float32] // h, and then its gradient
	// By board, like what follows, as learning.cuh has them.
	pooled, units, dUnits, dOutputs driver.Buffer[float32]
}

// activations are what a block of the network keeps, see pass of package hexnet of the solvers.
type activations struct {
	in, middle driver.Buffer[uint32]
	before     driver.Buffer[uint32]  // not its positive part
	pooled     driver.Buffer[float32] // pooled means of before
	d, dMiddle driver.Buffer[uint32]  // gradients of in and middle
	dShift     driver.Buffer[float32]
}

// A graphKey tells batches apart whose gradients take other work.
type graphKey struct {
	input  *input
	near   *int32 // Board.Near
	boards int
}

// Batch returns memory for the batch of the next Start, also before Wait for the one before. It
// is valid until that Start.
func (l *Learner) Batch(shape Board, boards int) (*Batch, error) {
	capacity := min(boards, max(1, maxWarps/2*rowsOfWarp/shape.Cells))
	channels, most := l.network.Channels, l.gpu.Device.Info().SharedPerBlock
	if need := max(gradientBytes(capacity*shape.Cells, channels, channels), l.boardBytes(shape.Cells),
		l.headsBytes(shape.Cells)); need > most {
		return nil, fmt.Errorf("to learn from a board of %d cells with %d channels needs %d bytes of shared "+
			"memory of %d", shape.Cells, channels, need, most)
	}
	near, ok := l.near[&shape.Near[0]]
	if !ok {
		near = launch.Upload(l.gpu, shape.nearRows())
		if err := l.gpu.Err; err != nil {
			return nil, err
		}
		l.near[&shape.Near[0]] = near
	}
	in := l.inputs[1-l.running]
	if in == nil || in.rows < boards*shape.Cells || in.losses.Len() < boards*losses {
		var err error
		if in, err = l.growInput(boards, shape.Cells); err != nil {
			return nil, err
		}
	}
	in.shape, in.near, in.boards, in.capacity = shape, near, boards, capacity
	cells, t := boards*shape.Cells, &in.targets
	return &Batch{in.planes.Data()[:cells*planes], t.Policy.Data()[:cells], t.Reply.Data()[:boards],
		t.Structure.Data()[:cells], t.Value.Data()[:boards], t.Kinds.Data()[:boards]}, nil
}

// growInput makes memory for larger batches, in place of that which the device does not read.
func (l *Learner) growInput(boards, cells int) (in *input, err error) {
	rows, slot := boards*cells, 1-l.running
	if old := l.inputs[slot]; old != nil {
		rows, boards = max(rows, old.rows), max(boards, old.losses.Len()/losses)
		l.inputs[slot] = nil
		if err := old.Close(); err != nil {
			return nil, err
		}
	}
	in = &input{Launcher: launch.New(l.gpu.Device, Modules), rows: rows}
	in.planes = launch.AllocPinned[uint8](in.Launcher, rows*planes)
	in.targets = targetParams{
		launch.AllocPinned[float32](in.Launcher, rows), launch.AllocPinned[int16](in.Launcher, boards),
		launch.AllocPinned[int8](in.Launcher, rows), launch.AllocPinned[float32](in.Launcher, boards),
		launch.AllocPinned[uint8](in.Launcher, boards),
	}
	in.losses = launch.AllocPinned[float64](in.Launcher, boards*losses)
	l.inputs[slot], err = launch.Finish(in.Launcher, in)
	return l.inputs[slot], err
}

// read makes an input the batch of the learner, whose device is idle.
func (l *Learner) read(in *input) error {
	if l.batch == nil || l.batch.rows < in.boards*in.shape.Cells || l.batch.most < in.boards {
		if err := l.grow(in.boards, in.shape.Cells); err != nil {
			return err
		}
	}
	b := l.batch
	b.in, b.parts, b.headsParts = in, min(maxParts, (in.boards+boardsOfPart-1)/boardsOfPart),
		min(maxHeadsParts, in.boards)
	return nil
}

// grow makes memory for larger batches on the device.
func (l *Learner) grow(boards, cells int) (err error) {
	rows := boards * cells
	if old := l.batch; old != nil {
		rows, boards = max(rows, old.rows), max(boards, old.most)
		l.batch = nil
		if err := old.Close(); err != nil {
			return err
		}
	}
	b := &batch{Launcher: launch.New(l.gpu.Device, Modules), rows: rows, most: boards,
		graphs: map[graphKey]*driver.Graph{}}
	b.reached = launch.Keep(b.Launcher, l.gpu.Device.NewEvent)
	channels := l.network.Channels
	activation := func() driver.Buffer[uint32] { return launch.Alloc[uint32](b.Launcher, rows*channels/2) }
	byBoard := func(n int) driver.Buffer[float32] { return launch.Alloc[float32](b.Launcher, boards*n) }
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
	l.batch, err = launch.Finish(b.Launcher, b)
	return err
}
