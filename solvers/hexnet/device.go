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
	gpu    *hexnetgpu.Evaluator
	config Config
	shape  *Shape
	boards int // of the largest batch on the device
}

// NewDevice puts a network, whose channels must be a multiple of 32, on a device, for up to a
// number of boards at a time. Close frees its memory.
func NewDevice(n *Net, d *cudalib.Device, s *Shape, boards int) (*Device, error) {
	if n.Config.Channels%32 != 0 {
		return nil, fmt.Errorf("a network of %d channels is not for a GPU: they must be a multiple of 32", n.Config.Channels)
	}
	gpu, err := hexnetgpu.New(d, deviceNetwork(n), hexnetgpu.Board{Cells: s.Cells, Near: s.near, Scale: s.scale()}, boards)
	if err != nil {
		return nil, err
	}
	return &Device{gpu, n.Config, s, boards}, nil
}

// Close frees the memory on the device.
func (d *Device) Close() error { return d.gpu.Close() }

// SetNet takes the parameters of another network of the same size.
func (d *Device) SetNet(n *Net) error { return d.gpu.SetNetwork(deviceNetwork(n)) }

// deviceNetwork describes a network to the GPU.
func deviceNetwork(n *Net) hexnetgpu.Network {
	to := hexnetgpu.Network{Channels: n.Config.Channels, Blocks: n.Config.Blocks}
	weights := func(l layer) []float32 { return n.Parameters[l.weights:][:l.numWeights()] }
	add := func(l layer) {
		to.Layers = append(to.Layers, hexnetgpu.Layer{Taps: l.taps, In: l.in, Out: l.out, Weights: weights(l)})
	}
	constant := func(numbers []float32) { to.Constants = append(to.Constants, numbers...) }
	biases := func(l layer) []float32 { return n.Parameters[l.bias:][:l.out] }
	l := n.Config.layers()
	add(l.stem)
	constant(biases(l.stem))
	for _, b := range l.blocks {
		add(b.conv1)
		constant(biases(b.conv1))
		if b.pool.out > 0 {
			add(b.pool)
		}
		add(b.conv2)
		constant(biases(b.conv2))
	}
	add(l.hidden)
	for _, numbers := range [][]float32{weights(l.cells), biases(l.cells), biases(l.hidden), weights(l.board), biases(l.board)} {
		constant(numbers)
	}
	return to
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
		copy(d.gpu.Planes(), planes[first*d.shape.Cells*Planes:][:n*d.shape.Cells*Planes])
		logits, outputs, err := d.gpu.Evaluate(n)
		if err != nil {
			return err
		}
		cells := n * d.shape.Cells
		for head, to := range [][]float32{o.Policy, o.Reply, o.Own, o.Other} {
			copy(to[first*d.shape.Cells:], logits[head*cells:][:cells])
		}
		for board := range n {
			o.setBoard(first+board, outputs[board*boardOutputs:])
		}
	}
	return nil
}
