package pcs

import (
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/pcsgpu"
)

// NewDeviceTrainer returns a trainer on a device that has done no iteration. Its results have
// the bits of one on the CPU. The error is a [*cudalib.MemoryError] where the device has too
// little memory free.
func NewDeviceTrainer(d *cudalib.Device, g *Game, m Method, seed uint64, threads int) (*Trainer, error) {
	solver, err := pcsgpu.New(d, g.layout)
	if err != nil {
		return nil, err
	}
	return newTrainer(g, m, seed, threads, &gpu{g, solver}), nil
}

// minDeviceHands is the number of (hand, betting sequence) pairs of a batch from which a GPU
// is faster than a CPU.
const minDeviceHands = 1 << 17

// DeviceWorthwhile reports whether a GPU is likely to be faster than a CPU, and why.
func (g *Game) DeviceWorthwhile() (worthwhile bool, reason string) {
	n := 0
	for i := range g.parts {
		n += g.layout.Boards * g.layout.Hands * len(g.parts[i].lanes)
	}
	return n >= minDeviceHands, fmt.Sprintf("%d hands after betting sequences a batch, and a GPU gains from %d on", n, minDeviceHands)
}

// gpu is the machine of a device.
type gpu struct {
	*Game
	solver *pcsgpu.Solver
}

func (m *gpu) train(b *pcsgpu.Batch, u pcsgpu.Update) error { return m.solver.Train(b, u) }

func (m *gpu) Table(sums bool, player, part int) ([]float32, error) {
	values := make([]float32, m.layout.Entries(part, player))
	return values, m.solver.Table(sums, player, part).Download(values)
}

func (m *gpu) SetTable(sums bool, player, part int, values []float32) error {
	return m.solver.Table(sums, player, part).Upload(values)
}

func (m *gpu) Match() error { return m.solver.Match() }

func (m *gpu) Close() error { return m.solver.Close() }
