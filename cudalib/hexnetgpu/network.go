package hexnetgpu

import (
	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A Network is a network's layers and parameters.
type Network struct {
	Channels int // a multiple of 32
	Layers   Layers
	// Parameters has all weights and biases.
	Parameters []float32
}

// Layers are the layers of a network, see package hexnet of the solvers.
type Layers struct {
	Stem                 Layer
	Blocks               []BlockLayers
	Cells, Hidden, Board Layer
}

// convolutions returns the stem and the two convolutions of each block.
func (l *Layers) convolutions() []Layer {
	all := []Layer{l.Stem}
	for _, b := range l.Blocks {
		all = append(all, b.Conv1, b.Conv2)
	}
	return all
}

// all returns all layers.
func (l *Layers) all() []Layer {
	all := append(l.convolutions(), l.Cells, l.Hidden, l.Board)
	for _, b := range l.Blocks {
		all = append(all, b.Pool)
	}
	return all
}

// BlockLayers are the layers of a block. Pool, the map of pooled channels, has no outputs in a
// block without.
type BlockLayers struct{ Conv1, Pool, Conv2 Layer }

// A Layer has its weights, in the order [tap][input][output], at an offset of the parameters.
// Then come its biases, which maps of pooled channels in blocks lack.
type Layer struct{ Taps, In, Out, Offset int }

func (l Layer) numWeights() int { return l.Taps * l.In * l.Out }

// biases returns the offset of the biases.
func (l Layer) biases() int { return l.Offset + l.numWeights() }

// appendRange appends n numbers from a first one on.
func appendRange(order []uint32, first, n int) []uint32 {
	for i := range n {
		order = append(order, uint32(first+i))
	}
	return order
}

// The sizes of the kernels.
const (
	taps    = 7
	planes  = 16
	heads   = 4
	hidden  = 64
	losses  = 5
	step    = 16 // inputs
	columns = 8  // outputs of a product
	packed  = 32 // outputs whose weights are together
	padding = 16
)

// appendProducts appends the offsets of a convolution's weights in the order in which the
// lanes of a warp need them: of two times eight outputs, each lane has of one output in each eight
// the inputs 2t, 2t+1, 2t+8 and 2t+9.
func (l Layer) appendProducts(order []uint32) []uint32 {
	return appendProducts(order, l.In, l.Out, func(tap, in, out int) int {
		return l.Offset + (tap*l.In+in)*l.Out + out
	})
}

// appendBackward does so for the convolution that leads gradients from outputs to inputs. A cell
// is the neighbour of its neighbours, in the opposite direction.
func (l Layer) appendBackward(order []uint32) []uint32 {
	opposite := [taps]int{0, 4, 5, 6, 1, 2, 3}
	return appendProducts(order, l.Out, l.In, func(tap, in, out int) int {
		return l.Offset + (opposite[tap]*l.In+out)*l.Out + in
	})
}

func appendProducts(order []uint32, inputs, outputs int, offset func(tap, in, out int) int) []uint32 {
	for first := 0; first < outputs; first += packed {
		for tap := range taps {
			for in := 0; in < inputs; in += step {
				for eight := first; eight < first+packed; eight += 2 * columns {
					for lane := range launch.Warp {
						g, t := lane/4, lane%4
						for out := eight + g; out < eight+2*columns; out += columns {
							for row := in + 2*t; row < in+step; row += step / 2 {
								order = append(order, uint32(offset(tap, row, out)), uint32(offset(tap, row+1, out)))
							}
						}
					}
				}
			}
		}
	}
	return order
}

// A Board is the shape of boards.
type Board struct {
	Cells int
	// Near has for each cell the cells of its seven taps, and Cells for those off the board.
	Near  []int32
	Scale float32 // scale of the second pooled mean
}

// nearRows returns the table of taps as kernels read it, eight for each cell.
func (b *Board) nearRows() []uint16 {
	const offBoard = 0xffff
	near := make([]uint16, 8*b.Cells)
	for i, cell := range b.Near {
		if at := &near[i/taps*8+i%taps]; int(cell) < b.Cells {
			*at = uint16(cell)
		} else {
			*at = offBoard
		}
	}
	return near
}

// tallest is the rows of the tallest tile.
const tallest = 64

// neighbourBytes is the shared memory of the neighbours of some rows, in tiles of so many.
func neighbourBytes(rows, ofTile int) int { return 2 * taps * ((rows + ofTile - 1) / ofTile * ofTile) }

// A tile is the part of a convolution that a warp computes at a time, and the kernels that do.
type tile struct {
	suffix        string // suffix of the kernels' names
	rows, columns int
	warps         int // most warps of a block: see LAUNCH_BOUNDS of hexnet_evaluate
}

// tensorCapability is the first compute capability with the products of products.cuh.
const tensorCapability driver.Capability = 80

// tilesOf returns the module for a device, and its tiles for a network's channels, large ones first.
func tilesOf(d *driver.Device, channels int) (module string, tiles []tile) {
	switch {
	case d.Info().Capability < tensorCapability:
		return "shuffles", []tile{{"", 32, 32, 12}}
	case channels%64 == 0:
		return "tensor", []tile{{"_64x64", tallest, 64, 8}, {"_48x64", 48, 64, 12}, {"_32x64", 32, 64, 12},
			{"_32x32", 32, 32, 12}}
	}
	return "tensor", []tile{{"_32x32", 32, 32, 12}}
}

// A packer packs parameters into words of two halves, in an order, on the device.
type packer struct {
	kernel     *launch.Kernel[packParams]
	parameters driver.Buffer[float32]
	order      driver.Buffer[uint32]
	words      driver.Buffer[uint32]
}

type packParams struct {
	Parameters driver.Buffer[float32]
	Order      driver.Buffer[uint32]
	Words      driver.Buffer[uint32]
	N          uint32
}

// newPacker makes room for words in an order of parameters, and for some steps of a convolution more,
// which kernels load early but do not use.
func newPacker(l *launch.Launcher, parameters driver.Buffer[float32], order []uint32) *packer {
	const after = 2 * step * packed
	return &packer{launch.Find[packParams](l, "hexnet_pack"), parameters, launch.Upload(l, order),
		launch.Alloc[uint32](l, len(order)/2+after)}
}

// pack puts packing on the stream.
func (p *packer) pack(s *driver.Stream) error {
	n := p.order.Len() / 2
	return p.kernel.Launch(s, perThread(n), packParams{p.parameters, p.order, p.words, uint32(n)})
}

// perThread is the grid of a kernel whose threads do n pieces of work.
func perThread(n int) driver.Grid {
	const threads, mostBlocks = 256, 4096
	return driver.Grid{Blocks: min((n+threads-1)/threads, mostBlocks), Threads: threads}
}
