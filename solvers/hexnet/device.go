package hexnet

import (
	"fmt"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/hexnetgpu"
	"gamebots/internal/parallel"
)

// A Device computes a network for batches of boards of one shape on a GPU, in half precision.
// Its outputs are within a hundredth of those of an [Evaluator], relative to the largest one,
// for networks that learned, and those for a board do not depend on the others of its batch. One goroutine uses it at
// a time.
type Device struct {
	gpu     *hexnetgpu.Evaluator
	shape   *Shape
	boards  int // number of boards that the device computes at a time
	threads int

	underWay []int // boards of the batches that Start has begun, the first one's first
	next     int   // slot of the next batch
}

const (
	// partBoards is how many boards the device computes at a time: enough that each
	// multiprocessor has some, and few enough that copies take place meanwhile.
	partBoards = 512
	// slots is how many parts of a batch are under way, one of which the host copies.
	slots = 4
)

// NewDevice puts a network, whose channels must be a multiple of 32, on a device, for up to a
// number of boards at a time. Threads copy to and from the device. Close frees its memory.
func NewDevice(n *Net, d *cudalib.Device, s *Shape, boards, threads int) (*Device, error) {
	if err := checkDevice(n.Config); err != nil {
		return nil, err
	}
	boards = min(boards, partBoards)
	gpu, err := hexnetgpu.New(d, deviceNetwork(n), s.deviceBoard(), boards, slots)
	if err != nil {
		return nil, err
	}
	return &Device{gpu: gpu, shape: s, boards: boards, threads: threads}, nil
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
		layers.Blocks = append(layers.Blocks, hexnetgpu.BlockLayers{Conv1: at(b.conv1), Pool: at(b.pool),
			Conv2: at(b.conv2)})
	}
	return hexnetgpu.Network{Channels: n.Config.Channels, Layers: layers, Parameters: n.Parameters}
}

// deviceBoard describes a board to the GPU.
func (s *Shape) deviceBoard() hexnetgpu.Board {
	return hexnetgpu.Board{Cells: s.Cells, Near: s.near, Scale: s.scale()}
}

// Start begins with a batch of at most as many boards as the device computes at a time. Its outputs
// come from Wait. Four batches may be under way. Planes are those of [Evaluator.Evaluate], and the
// caller may change them afterwards.
func (d *Device) Start(planes []uint8) error {
	boards, err := d.shape.boards(planes)
	if err != nil {
		return err
	}
	if boards > d.boards || len(d.underWay) == slots {
		return fmt.Errorf("a batch of %d boards beside %d others, not of up to %d beside up to %d", boards,
			len(d.underWay), d.boards, slots-1)
	}
	if err := d.start(planes, 0, boards, d.next); err != nil {
		return err
	}
	d.underWay, d.next = append(d.underWay, boards), (d.next+1)%slots
	return nil
}

// Wait sets o to the outputs for the batch that was started first, of those under way.
func (d *Device) Wait(o *Outputs) error {
	slot := (d.next + slots - len(d.underWay)) % slots
	o.resize(d.underWay[0], d.shape.Cells)
	d.underWay = slices.Delete(d.underWay, 0, 1)
	return d.read(o, 0, slot)
}

// Evaluate is [Evaluator.Evaluate] on the device, while no batch is under way. While it computes a part of the
// boards, the planes of the next are copied, and outputs of the one before.
func (d *Device) Evaluate(planes []uint8, o *Outputs) error {
	boards, err := d.shape.boards(planes)
	if err != nil {
		return err
	}
	o.resize(boards, d.shape.Cells)
	parts := (boards + d.boards - 1) / d.boards
	for part := range parts + slots {
		if done := part - slots; done >= 0 && done < parts {
			if err := d.read(o, done*d.boards, done%slots); err != nil {
				return err
			}
		}
		if part < parts {
			first := part * d.boards
			if err := d.start(planes, first, min(d.boards, boards-first), part%slots); err != nil {
				return err
			}
		}
	}
	return nil
}

// start begins with some boards, in a slot.
func (d *Device) start(planes []uint8, first, boards, slot int) error {
	to, size := d.gpu.Planes(slot), d.shape.Cells*Planes
	inParts(d.threads, boards, func(from, end int) { copy(to[from*size:end*size], planes[(first+from)*size:]) })
	return d.gpu.Start(slot, boards)
}

// read copies the outputs of a slot to those of the boards from a first one on.
func (d *Device) read(o *Outputs, first, slot int) error {
	logits, outputs, err := d.gpu.Wait(slot)
	if err != nil {
		return err
	}
	boards, cells := len(outputs)/boardOutputs, d.shape.Cells
	inParts(d.threads, boards, func(from, end int) {
		for head, all := range [cellOutputs][]float32{o.Policy, o.Reply, o.Own, o.Other} {
			copy(all[(first+from)*cells:], logits[(head*boards+from)*cells:(head*boards+end)*cells])
		}
		for board := from; board < end; board++ {
			o.setBoard(first+board, outputs[board*boardOutputs:])
		}
	})
	return nil
}

// inParts calls f for parts of some boards, on threads. A thread alone copies more slowly than a
// device computes.
func inParts(threads, boards int, f func(from, end int)) {
	const part = 32
	parallel.For(threads, (boards+part-1)/part, func(_, i int) { f(i*part, min((i+1)*part, boards)) })
}
