package hexnetgpu

import (
	"errors"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A Learner improves a network by steps of AdamW. Its products are in half precision, its sums,
// parameters and moments in single precision; sums have a fixed order, so that the same steps on
// the same device give the same bits. One goroutine uses it at a time.
type Learner struct {
	gpu     *launch.Launcher
	kernels learningKernels
	columns int // columns that a warp computes at a time
	network Network
	inputs  [2]*input // one to write, while the device reads the other
	running int       // the number of that one
	batch   *batch    // nil before the first

	parameters, average, momentum, variance driver.Buffer[float32]
	gradient                                driver.Buffer[float32]
	decays                                  driver.Buffer[uint8]
	sums                                    driver.Buffer[float32] // sums of the parts of a layer's gradient
	// squares of the gradient, in parts; the device writes them
	squares driver.Pinned[float64]
	weights *packer
	near    map[*int32]driver.Buffer[uint16] // neighbours by Board.Near
}

const (
	maxParts         = 128 // most parts of a batch, for the sums of a layer's gradient
	maxHeadsParts    = 512 // for those of the cells' outputs, which are few
	rowsOfWarp       = 32  // rows of a warp in convolutions
	maxWarps         = 12  // most warps in these, see LAUNCH_BOUNDS of the kernels
	maxGradientWarps = 15  // see LAUNCH_BOUNDS of the kernels
	boardsOfPart     = 4   // at least, if there are fewer parts
	squaresBlocks    = 256
	scaleThreads     = 256
	mapThreads       = 256
	boardThreads     = 256 // threads of a block for a board
)

// gradientScale is gradient_scale of learning.cuh.
const gradientScale = 32

// NewLearner puts a network on a device. Weights decay, biases do not.
func NewLearner(d *driver.Device, n Network) (*Learner, error) {
	module, tiles := tilesOf(d, n.Channels)
	tile := tiles[slices.IndexFunc(tiles, func(t tile) bool { return t.rows == rowsOfWarp })]
	l := &Learner{gpu: launch.New(d, Modules, module, "learning"), columns: tile.columns, network: n,
		near: map[*int32]driver.Buffer[uint16]{}}
	l.kernels = findLearningKernels(l.gpu, tile.suffix)
	size := len(n.Parameters)
	for _, b := range []*driver.Buffer[float32]{&l.parameters, &l.average, &l.momentum, &l.variance, &l.gradient} {
		*b = launch.Alloc[float32](l.gpu, size)
	}
	decays := make([]uint8, size)
	largest := 0
	for _, layer := range n.Layers.all() {
		for i := range layer.numWeights() {
			decays[layer.Offset+i] = 1
		}
		largest = max(largest, layer.numWeights()+layer.Out)
	}
	l.decays = launch.Upload(l.gpu, decays)
	l.sums = launch.Alloc[float32](l.gpu, maxParts*largest)
	l.squares = launch.AllocPinned[float64](l.gpu, squaresBlocks)
	l.weights = newPacker(l.gpu, l.parameters, l.order())
	return launch.Finish(l.gpu, l)
}

// Close frees the memory on the device.
func (l *Learner) Close() error {
	var errs []error
	if l.batch != nil {
		errs = append(errs, l.batch.Close())
	}
	for _, in := range l.inputs {
		if in != nil {
			errs = append(errs, in.Close())
		}
	}
	return errors.Join(append(errs, l.gpu.Close())...)
}

// A State is a number for each parameter of each kind.
type State struct{ Parameters, Average, Momentum, Variance []float32 }

// each calls f with each buffer and its numbers.
func (l *Learner) each(s State, f func(driver.Buffer[float32], []float32) error) error {
	return errors.Join(f(l.parameters, s.Parameters), f(l.average, s.Average), f(l.momentum, s.Momentum),
		f(l.variance, s.Variance))
}

// SetState copies a state to the device.
func (l *Learner) SetState(s State) error {
	return l.each(s, func(b driver.Buffer[float32], x []float32) error { return b.Upload(l.gpu.Stream, x) })
}

// ReadState copies the state from the device.
func (l *Learner) ReadState(s State) error {
	return l.each(s, func(b driver.Buffer[float32], x []float32) error { return b.Download(l.gpu.Stream, x) })
}

// ReadGradient copies the gradient of the last batch from the device.
func (l *Learner) ReadGradient(to []float32) error { return l.gradient.Download(l.gpu.Stream, to) }

// order is the order in which the kernels read weights: each convolution's, then those that lead
// gradients back.
func (l *Learner) order() (order []uint32) {
	for _, c := range l.network.Layers.convolutions() {
		order = c.appendProducts(order)
	}
	for _, c := range l.network.Layers.convolutions()[1:] { // the stem's inputs need no gradient
		order = c.appendBackward(order)
	}
	return order
}

// forwardWeights and backwardWeights return packed weights of a convolution by its number.
func (l *Learner) forwardWeights(i int) driver.Buffer[uint32] {
	at := 0
	if i > 0 {
		at = l.network.Layers.Stem.numWeights()/2 + (i-1)*l.convolutionWords()
	}
	return l.weights.words.Slice(at, l.weights.words.Len())
}

func (l *Learner) backwardWeights(i int) driver.Buffer[uint32] {
	return l.forwardWeights(len(l.network.Layers.Blocks)*2 + i)
}

// convolutionWords is the number of packed words of a convolution in a block.
func (l *Learner) convolutionWords() int { return l.network.Layers.Blocks[0].Conv1.numWeights() / 2 }

// An Update is what a step of AdamW depends on.
type Update struct {
	Rate         float64
	Scale        float64 // scale of the gradient
	Bias1, Bias2 float64 // corrections of both moments
	Towards      float32 // how far the average moves
}

// Update makes a step with the gradient of the last batch.
func (l *Learner) Update(u Update) error {
	return l.kernels.adamw.Launch(l.gpu.Stream, perThread(l.gradient.Len()), adamwParams{
		Gradient: l.gradient, Decays: l.decays, Parameters: l.parameters, Average: l.average,
		Momentum: l.momentum, Variance: l.variance,
		N: uint32(l.gradient.Len()), Towards: u.Towards, Scale: u.Scale, Bias1: u.Bias1, Bias2: u.Bias2, Rate: u.Rate,
	})
}

// Start begins to compute the gradient of the mean loss of the boards in the memory that
// [Learner.Batch] returned last. Wait comes before the next Start.
func (l *Learner) Start() error {
	l.running = 1 - l.running
	if err := l.read(l.inputs[l.running]); err != nil {
		return err
	}
	return l.gpu.Device.Do(func() error {
		graph, err := l.graph(l.batch)
		if err != nil {
			return err
		}
		return graph.Launch(l.gpu.Stream)
	})
}

// Wait waits for the gradient. It returns the losses of each board, in the order of Losses of
// solvers/hexnet, and the sum of the squares of the gradient.
func (l *Learner) Wait() (boards []float64, squares float64, err error) {
	b := l.batch
	err = l.gpu.Stream.Sync()
	for _, x := range l.squares.Data() {
		squares += x
	}
	return b.in.losses.Data()[:b.in.boards*losses], squares, err
}

// graph returns the work for a gradient, most of which are short kernels.
func (l *Learner) graph(b *batch) (graph *driver.Graph, err error) {
	key := graphKey{b.in, &b.in.shape.Near[0], b.in.boards}
	if graph := b.graphs[key]; graph != nil {
		return graph, nil
	}
	s := l.gpu.Stream
	graph = launch.Keep(b.Launcher, func() (*driver.Graph, error) {
		return s.Capture(func() error {
			return errors.Join(l.gradient.Zero(s), l.weights.pack(s), l.forward(b), l.backward(b),
				l.kernels.scale.Launch(s, driver.Grid{Blocks: squaresBlocks, Threads: scaleThreads,
					Shared: 8 * scaleThreads / launch.Warp}, scaleParams{
					l.gradient, l.squares, uint32(l.gradient.Len()), 1 / (gradientScale * float32(b.in.boards)),
				}))
		})
	})
	if b.Err == nil {
		b.graphs[key] = graph
	}
	return graph, b.Err
}

// follow makes later work on s wait for the work that is already queued on before.
func (b *batch) follow(s, before *driver.Stream) error {
	return errors.Join(b.reached.Record(before), s.Wait(b.reached))
}

// convolution launches a convolution of a batch.
func (l *Learner) convolution(b *batch, p convolveParams) error {
	in, shape := int(p.In), b.in.shape
	warps := min(maxWarps, (b.in.capacity*shape.Cells+rowsOfWarp-1)/rowsOfWarp*(l.network.Channels/l.columns))
	p.Near, p.Boards, p.Cells, p.Channels, p.Capacity = b.in.near, uint32(b.in.boards), uint32(shape.Cells),
		uint32(l.network.Channels), uint32(b.in.capacity)
	return l.kernels.convolve.Launch(l.gpu.Stream, driver.Grid{
		Blocks: (b.in.boards + b.in.capacity - 1) / b.in.capacity, Threads: warps * launch.Warp,
		Shared: (b.in.capacity*shape.Cells+1)*(2*in+padding) + neighbourBytes(b.in.capacity*shape.Cells, tallest),
	}, p)
}

// learn adds the gradient of a convolution's weights and biases, once the learner's stream has x
// and d.
func (l *Learner) learn(b *batch, c Layer, x, d driver.Buffer[uint32]) error {
	tiles := (taps*c.In/step + 1 + 1) / 2 * (c.Out / l.columns) // pairs of 16 inputs, with one for the biases
	warps := min(tiles, maxGradientWarps)
	capacity := (b.in.boards + b.parts - 1) / b.parts // boards that a block reads together
	for capacity > 1 && gradientBytes(capacity*b.in.shape.Cells, c.In, c.Out) > l.gpu.Device.Info().SharedPerBlock {
		capacity--
	}
	return errors.Join(b.follow(b.Stream, l.gpu.Stream), l.kernels.gradient.Launch(b.Stream, driver.Grid{
		Blocks: b.parts * ((tiles + warps - 1) / warps), Threads: warps * launch.Warp,
		Shared: gradientBytes(capacity*b.in.shape.Cells, c.In, c.Out),
	}, gradientParams{
		X: x, D: d, Near: b.in.near, Sums: l.sums, Boards: uint32(b.in.boards), Cells: uint32(b.in.shape.Cells),
		In: uint32(c.In), Out: uint32(c.Out),
		Capacity: uint32(capacity), Parts: uint32(b.parts),
	}), l.addParts(b, c.Offset, c.numWeights()+c.Out, b.parts))
}

// gradientBytes is the shared memory of a block of hexnet_gradient.
func gradientBytes(cells, in, out int) int {
	height := (cells + step - 1) / step * step
	return (height+1)*(2*in+padding) + height*(2*out+padding) + 2*taps*height
}

// learnMap does so for a map, and for its biases if it has them.
func (l *Learner) learnMap(b *batch, m Layer, x, d driver.Buffer[float32], biased int) error {
	return errors.Join(b.follow(b.Stream, l.gpu.Stream),
		l.kernels.mapGradient.Launch(b.Stream, driver.Grid{Blocks: b.parts, Threads: mapThreads}, mapGradientParams{
			x, d, l.sums, uint32(b.in.boards), uint32(m.In), uint32(m.Out), uint32(biased), uint32(b.parts),
		}), l.addParts(b, m.Offset, (m.In+biased)*m.Out, b.parts))
}

// addParts adds the parts of a gradient.
func (l *Learner) addParts(b *batch, offset, n, parts int) error {
	return l.kernels.addParts.Launch(b.Stream, perThread(n),
		addPartsParams{l.gradient.Slice(offset, offset+n), l.sums, uint32(n), uint32(parts)})
}

// forward computes the network for a batch.
func (l *Learner) forward(b *batch) error {
	layers, channels := l.network.Layers, uint32(l.network.Channels)
	biases := func(c Layer) driver.Buffer[float32] { return l.parameters.Slice(c.biases(), c.biases()+c.Out) }
	words := b.in.boards * b.in.shape.Cells * planes / 2
	err := errors.Join(
		l.kernels.planes.Launch(l.gpu.Stream, perThread(words), planesParams{b.in.planes, b.planes, uint32(words)}),
		l.convolution(b, convolveParams{X: b.planes, Weights: l.forwardWeights(0), Biases: biases(layers.Stem),
			Stream: b.stream, To: b.blocks[0].in, In: planes, Relu: 1}),
	)
	for i, block := range layers.Blocks {
		a, next := b.blocks[i], b.f
		if i+1 < len(layers.Blocks) {
			next = b.blocks[i+1].in
		}
		conv1 := convolveParams{X: a.in, Weights: l.forwardWeights(1 + 2*i), Biases: biases(block.Conv1),
			To: a.middle, In: channels, Relu: 1}
		if pool := block.Pool; pool.Out == 0 {
			err = errors.Join(err, l.convolution(b, conv1))
		} else {
			conv1.To, conv1.Relu = a.before, 0
			err = errors.Join(err, l.convolution(b, conv1),
				l.kernels.pool.Launch(l.gpu.Stream, l.boardGrid(b), poolParams{
					a.before, l.parameters.Slice(pool.Offset, pool.biases()), a.pooled, a.middle,
					uint32(b.in.shape.Cells),
					channels, b.in.shape.Scale,
				}))
		}
		err = errors.Join(err, l.convolution(b, convolveParams{X: a.middle, Weights: l.forwardWeights(2 + 2*i),
			Biases: biases(block.Conv2), Stream: b.stream, To: next, In: channels, Add: 1, Relu: 1}))
	}
	return err
}

// backward adds the gradient for a batch that forward has computed.
func (l *Learner) backward(b *batch) error {
	layers, channels := l.network.Layers, uint32(l.network.Channels)
	from := func(m Layer) driver.Buffer[float32] { return l.parameters.Slice(m.Offset, m.biases()+m.Out) }
	err := errors.Join(
		l.kernels.heads.Launch(l.gpu.Stream, driver.Grid{Blocks: b.headsParts, Threads: boardThreads,
			Shared: l.headsBytes(b.in.shape.Cells)}, headsParams{
			F: b.f, ToCells: from(layers.Cells), ToHidden: from(layers.Hidden), ToBoard: from(layers.Board),
			Targets: b.in.targets,
			Pooled:  b.pooled, Units: b.units, DUnits: b.dUnits, DOutputs: b.dOutputs, Losses: b.in.losses,
			Stream: b.stream, D: b.d, Sums: l.sums,
			Boards: uint32(b.in.boards), Cells: uint32(b.in.shape.Cells), Channels: channels,
			Parts: uint32(b.headsParts), Scale: b.in.shape.Scale,
		}),
		b.follow(b.Stream, l.gpu.Stream),
		l.addParts(b, layers.Cells.Offset, layers.Cells.numWeights()+layers.Cells.Out, b.headsParts),
		l.learnMap(b, layers.Board, b.units, b.dOutputs, 1),
		l.learnMap(b, layers.Hidden, b.pooled, b.dUnits, 1),
	)
	d := b.d // gradient of what the block makes
	for i := len(layers.Blocks) - 1; i >= 0; i-- {
		a, block := b.blocks[i], layers.Blocks[i]
		err = errors.Join(err, l.learn(b, block.Conv2, a.middle, d),
			l.convolution(b,
				convolveParams{X: d, Weights: l.backwardWeights(2 + 2*i), Mask: a.middle, To: a.dMiddle, In: channels}))
		if pool := block.Pool; pool.Out > 0 {
			err = errors.Join(err, l.kernels.unpool.Launch(l.gpu.Stream, l.boardGrid(b), unpoolParams{
				a.before, l.parameters.Slice(pool.Offset, pool.biases()), a.dMiddle, a.dShift, uint32(b.in.shape.Cells),
				channels, b.in.shape.Scale,
			}), l.learnMap(b, pool, a.pooled, a.dShift, 0))
		}
		err = errors.Join(err, l.learn(b, block.Conv1, a.in, a.dMiddle),
			l.convolution(b, convolveParams{X: a.dMiddle, Weights: l.backwardWeights(1 + 2*i), Mask: a.in,
				Stream: b.stream, To: a.d, In: channels, Add: 1}))
		d = a.d
	}
	return errors.Join(err, l.learn(b, layers.Stem, b.planes, d), b.follow(l.gpu.Stream, b.Stream))
}

// boardGrid is the grid of a kernel with a block for each board.
func (l *Learner) boardGrid(b *batch) driver.Grid {
	return driver.Grid{Blocks: b.in.boards, Threads: boardThreads, Shared: l.boardBytes(b.in.shape.Cells)}
}

// boardBytes is the shared memory of such a block, which copies two arrays of the board.
func (l *Learner) boardBytes(cells int) int {
	return 2*l.copyBytes(cells) + 4*(l.poolNumbers()+4*l.network.Channels)
}

// copyBytes is the shared memory of a copy of a board's activations.
func (l *Learner) copyBytes(cells int) int { return cells * (2*l.network.Channels + padding) }

// poolNumbers is the number of numbers of a Pool of learning.cuh.
func (l *Learner) poolNumbers() int {
	return 4*l.network.Channels + 6*max(boardThreads, l.network.Channels/2)
}

// headsBytes is the shared memory of a block of hexnet_heads.
func (l *Learner) headsBytes(cells int) int {
	channels := l.network.Channels
	return l.copyBytes(cells) +
		4*(2*cells+l.poolNumbers()+2*hidden+2*heads+3*channels+2*heads*cells+2*cells+4+2*heads*(channels+1))
}
