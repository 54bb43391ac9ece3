package hexnetgpu

import (
	"math"

	"gamebots/cudalib/launch"
)

// A Network is the parameters of a network, layer by layer.
type Network struct {
	Channels int // a multiple of 32
	Blocks   int
	// Layers are the stem, of each block both convolutions, with the map of pooled channels
	// between them in every second block, and the map of pooled channels to hidden units.
	Layers []Layer
	// Constants are the biases of the convolutions in this order, then weights and biases of
	// the outputs of cells, biases of the hidden units, and weights and biases of the board's
	// outputs.
	Constants []float32
}

// A Layer is the weights of a layer, in the order [tap][input][output]. A layer of one tap is a
// map of pooled channels.
type Layer struct {
	Taps, In, Out int
	Weights       []float32
}

// The sizes of kernels/hexnet/network.cuh.
const (
	taps    = 7
	planes  = 16
	heads   = 4
	hidden  = 64
	step    = 16 // inputs
	columns = 8  // outputs of a product
	rows    = 32 // of a warp's tile
	padding = 16
)

// pack returns the weights of all layers as the kernels read them, for chunks of a number of
// outputs.
func (n *Network) pack(chunk int) (words []uint32) {
	for _, l := range n.Layers {
		if l.Taps == 1 {
			for i := 0; i < len(l.Weights); i += 2 {
				words = append(words, pair(l.Weights[i], l.Weights[i+1]))
			}
			continue
		}
		words = l.packProducts(words, chunk)
	}
	return words
}

// packProducts appends the weights of a convolution in the order in which the lanes of a warp
// need them: of two times eight outputs, each lane has of one output in each eight the inputs
// 2t, 2t+1, 2t+8 and 2t+9.
func (l *Layer) packProducts(words []uint32, chunk int) []uint32 {
	for first := 0; first < l.Out; first += chunk {
		for tap := range l.Taps {
			for in := 0; in < l.In; in += step {
				for eight := first; eight < first+chunk; eight += 2 * columns {
					for lane := range launch.Warp {
						g, t := lane/4, lane%4
						for out := eight + g; out < eight+2*columns; out += columns {
							for row := in + 2*t; row < in+step; row += step / 2 {
								at := (tap*l.In+row)*l.Out + out
								words = append(words, pair(l.Weights[at], l.Weights[at+l.Out]))
							}
						}
					}
				}
			}
		}
	}
	return words
}

// pair returns two numbers as halves of a word, the first in the lower one.
func pair(low, high float32) uint32 { return uint32(half(low)) | uint32(half(high))<<16 }

// half rounds a number to half precision, to the nearest, and to the largest one if it is
// larger.
func half(x float32) uint16 {
	const largest = 65504
	sign := uint16(math.Float32bits(x) >> 16 & 0x8000)
	magnitude := min(float32(math.Abs(float64(x))), largest)
	if magnitude < 0x1p-14 {
		return sign | uint16(math.RoundToEven(float64(magnitude)*0x1p24))
	}
	bits := math.Float32bits(magnitude) - 112<<23 // the exponent's bias is 15 instead of 127
	return sign | uint16((bits+0xfff+bits>>13&1)>>13)
}
