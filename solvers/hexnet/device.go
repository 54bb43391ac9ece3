package hexnet

import (
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/hexnetgpu"
	"gamebots/internal/parallel"
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
	if n.Config.Channels%32 != 0 {
		return nil, fmt.Errorf("a network of %d channels is not for a GPU: they must be a multiple of 32", n.Config.Channels)
	}
	gpu, err := hexnetgpu.New(d, deviceNetwork(n), hexnetgpu.Board{Cells: s.Cells, Near: s.near, Scale: s.scale()}, boards)
	if err != nil {
		return nil, err
	}
	return &Device{gpu, s, boards, threads}, nil
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
		d.inParts(n, func(from, to int) {
			size := d.shape.Cells * Planes
			copy(d.gpu.Planes()[from*size:to*size], planes[(first+from)*size:])
		})
		logits, outputs, err := d.gpu.Evaluate(n)
		if err != nil {
			return err
		}
		d.inParts(n, func(from, to int) {
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

// inParts calls f for parts of some boards, on threads. A thread alone copies more slowly than
// a device computes.
func (d *Device) inParts(boards int, f func(from, to int)) {
	const part = 64
	parallel.For(d.threads, (boards+part-1)/part, func(_, i int) { f(i*part, min((i+1)*part, boards)) })
}
