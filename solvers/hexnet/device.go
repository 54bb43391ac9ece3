package hexnet

import (
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/hexnetgpu"
)

// A Device computes a network for batches of boards of one shape on a GPU, in half precision.
// Its outputs are within a hundredth of those of an [Evaluator], relative to the largest one,
// for networks that learned. One goroutine uses it at a time.
type Device struct {
	gpu     *hexnetgpu.Evaluator
	shape   *Shape
	boards  int // of the largest batch on the device
	threads int
}

// NewDevice puts a network, whose channels must be a multiple of 32, on a device, for up to a
// number of boards at a time. Threads copy to and from the device. Close frees its memory.
func NewDevice(n *Net, d *cudalib.Device, s *Shape, boards, threads int) (*Device, error) {
	if err := checkDevice(n.Config); err != nil {
		return nil, err
	}
	gpu, err := hexnetgpu.New(d, deviceNetwork(n), s.deviceBoard(), boards)
	if err != nil {
		return nil, err
	}
	return &Device{gpu, s, boards, threads}, nil
}

// checkDevice returns why there is no network of a size on a GPU, or nil.
func checkDevice(c Config) error {
	if c.Channels%32 != 0 {
		return fmt.Errorf("a network of %d channels is not for a GPU: they must be a multiple of 32", c.Channels)
	}
	return nil
}

// GPU returns the network on the device, for kernels that make planes there.
func (d *Device) GPU() *hexnetgpu.Evaluator { return d.gpu }

// Close frees the memory on the device.
func (d *Device) Close() error { return d.gpu.Close() }

// SetNet takes the parameters of another network of the same size.
func (d *Device) SetNet(n *Net) error { return d.gpu.SetParameters(n.Parameters) }

// deviceNetwork describes a network to the GPU.
func deviceNetwork(n *Net) hexnetgpu.Network {
	at := func(l layer) hexnetgpu.Layer {
		return hexnetgpu.Layer{Taps: l.taps, In: l.in, Out: l.out, Offset: l.weights}
	}
	l := n.Config.layers()
	layers := hexnetgpu.Layers{Stem: at(l.stem), Cells: at(l.cells), Hidden: at(l.hidden), Board: at(l.board)}
	for _, b := range l.blocks {
		layers.Blocks = append(layers.Blocks, hexnetgpu.BlockLayers{Conv1: at(b.conv1), Pool: at(b.pool), Conv2: at(b.conv2)})
	}
	return hexnetgpu.Network{Channels: n.Config.Channels, Layers: layers, Parameters: n.Parameters}
}

// deviceBoard describes a board to the GPU.
func (s *Shape) deviceBoard() hexnetgpu.Board {
	return hexnetgpu.Board{Cells: s.Cells, Near: s.near, Scale: s.scale()}
}

// Evaluate is [Evaluator.Evaluate] on the device.
func (d *Device) Evaluate(planes []uint8, o *Outputs) error {
	boards, err := d.shape.boards(planes)
	if err != nil {
		return err
	}
	o.resize(boards, d.shape.Cells)
	for first := 0; first < boards; first += d.boards {
		n := min(d.boards, boards-first)
		inParts(d.threads, n, func(from, to int) {
			size := d.shape.Cells * Planes
			copy(d.gpu.Planes()[from*size:to*size], planes[(first+from)*size:])
		})
		logits, outputs, err := d.gpu.Evaluate(n)
		if err != nil {
			return err
		}
		inParts(d.threads, n, func(from, to int) {
			cells := d.shape.Cells
			for head, all := range [cellOutputs][]float32{o.Policy, o.Reply, o.Own, o.Other} {
				copy(all[(first+from)*cells:], logits[(head*n+from)*cells:(head*n+to)*cells])
			}
			for board := from; board < to; board++ {
				o.setBoard(first+board, outputs[board*boardOutputs:])
			}
		})
	}
	return nil
}
