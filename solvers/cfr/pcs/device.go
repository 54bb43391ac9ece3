package pcs

import (
	"fmt"
	"slices"

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
	for r := range g.rounds {
		n += g.layout.Boards * g.layout.Hands * len(g.rounds[r].lanes)
	}
	return n >= minDeviceHands, fmt.Sprintf("%d hands after betting sequences a batch, and a GPU gains from %d on", n, minDeviceHands)
}

// gpu is the machine of a device.
type gpu struct {
	*Game
	solver *pcsgpu.Solver
}

func (m *gpu) train(b *pcsgpu.Batch, u pcsgpu.Update) error { return m.solver.Train(b, u) }

func (m *gpu) tables(player int) (regrets, sums [][]float32, err error) {
	n := 0
	for r := range m.rounds {
		n += m.layout.Entries(r, player)
	}
	regret, sum := make([]float32, n), make([]float32, n)
	err = m.solver.Tables(player, regret, sum)
	for r := range m.rounds {
		n := m.layout.Entries(r, player)
		regrets, sums = append(regrets, regret[:n:n]), append(sums, sum[:n:n])
		regret, sum = regret[n:], sum[n:]
	}
	return regrets, sums, err
}

func (m *gpu) setTables(regrets, sums [2][][]float32) error {
	var all [2][2][]float32
	for p := range 2 {
		all[0][p], all[1][p] = slices.Concat(regrets[p]...), slices.Concat(sums[p]...)
	}
	return m.solver.SetTables(all[0], all[1])
}

func (m *gpu) close() error { return m.solver.Close() }
