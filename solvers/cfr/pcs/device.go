package pcs

import (
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/pcsgpu"
)

// NewDeviceTrainer returns a trainer on one or more devices that has done no iteration. Its results
// have the bits of one on the CPU. Devices divide the betting sequences of the last two rounds. The
// error is a [*cudalib.MemoryError] where a device has too little memory free.
func NewDeviceTrainer(devices []*cudalib.Device, g *Game, m Method, seed uint64, threads int) (*Trainer, error) {
	solver, err := pcsgpu.New(devices, &g.layout)
	if err != nil {
		return nil, err
	}
	return newTrainer(g, m, seed, threads, &gpu{solver, g}), nil
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

// gpu is the machine of devices.
type gpu struct {
	*pcsgpu.Solver
	game *Game
}

func (m *gpu) train(b *pcsgpu.Batch, u pcsgpu.Update) error { return m.Train(b, u) }

func (m *gpu) Table(sums bool, player, part int) ([]float32, error) {
	values := make([]float32, m.game.layout.Entries(part, player))
	return values, m.Solver.Table(sums, player, part, values)
}
