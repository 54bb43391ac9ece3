package cfrbr

import (
	"fmt"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/cfrbrgpu"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/internal/tiles"
)

// NewDeviceTrainer returns a trainer on a device that has done no iteration. Its results have
// the bits of one on the CPU. The error is a [*cudalib.MemoryError] where the device has too
// little memory free.
func NewDeviceTrainer(d *cudalib.Device, g *Game, seed uint64, threads int) (*Trainer, error) {
	solver, err := cfrbrgpu.New(d, g.forDevice())
	if err != nil {
		return nil, err
	}
	m := &gpu{g, solver}
	t := newTrainer(g, seed, threads, m, m)
	t.dealer.forDevice = true
	return t, nil
}

// forDevice returns the game for the kernels.
func (g *Game) forDevice() cfrbrgpu.Game {
	x := cfrbrgpu.Game{Game: g.layout, UnitHands: g.hands, Rivers: g.rivers, Scale: g.scale}
	for r, index := range g.trunk {
		x.Trunk = append(x.Trunk, cfrbrgpu.Trunk{Sets: index.Size(), Lanes: g.lanes(r)})
	}
	return x
}

// DeviceBytes returns the memory that the training takes on a device, about.
func (g *Game) DeviceBytes() int64 {
	x := g.forDevice()
	return x.Bytes()
}

// minDeviceHands is the number of (hand, betting sequence) pairs of a unit from which a GPU is
// faster than a CPU.
const minDeviceHands = 1 << 17

// DeviceWorthwhile reports whether a GPU is likely to be faster than a CPU, and why.
func (g *Game) DeviceWorthwhile() (worthwhile bool, reason string) {
	n := g.rivers * g.layout.Hands * g.lanes(g.last)
	return n >= minDeviceHands, fmt.Sprintf("%d hands after betting sequences an iteration, and a GPU gains from %d on", n, minDeviceHands)
}

// gpu is the machine of a device.
type gpu struct {
	*Game
	solver *cfrbrgpu.Solver
}

func (m *gpu) train(u *unit, update pcsgpu.Update) error { return m.solver.Train(u.device, update) }

func (m *gpu) trunkTable(player, r int) ([]float32, error) {
	regrets := make([]float32, m.trunkEntries(player, r))
	return regrets, m.solver.TrunkTable(1-player, r).Download(regrets)
}

func (m *gpu) setTrunkTable(player, r int, regrets []float32) error {
	return m.solver.TrunkTable(1-player, r).Upload(regrets)
}

// Table, SetTable, Match and Close are those of pcs.Machine.

func (m *gpu) Table(sums bool, player, r int) ([]float32, error) {
	values := make([]float32, m.layout.Entries(r, player))
	return values, m.solver.Table(sums, player, r).Download(values)
}

func (m *gpu) SetTable(sums bool, player, r int, values []float32) error {
	return m.solver.Table(sums, player, r).Upload(values)
}

func (m *gpu) Match() error { return m.solver.Match() }

func (m *gpu) Close() error { return m.solver.Close() }

// unitForDevice returns a unit for the kernels.
func (g *Game) unitForDevice(u *unit) *cfrbrgpu.Unit {
	x := &cfrbrgpu.Unit{Orders: u.buckets, Rivers: slices.Concat(u.rivers...), Sets: u.sets}
	for i, order := range u.rivers {
		for range g.hands {
			x.Places = append(x.Places, pcsgpu.None)
		}
		for place, entry := range order {
			x.Places[i*g.hands+int(entry&tiles.HandMask)] = uint32(place)
		}
	}
	for r := range g.layout.Parts {
		order, hands := x.Rivers, g.layout.Hands
		if r < g.last {
			order, hands = u.buckets[r], g.hands
		}
		rows := make([]uint32, len(order))
		for i, entry := range order {
			rows[i] = uint32(entry >> tiles.BucketBit)
		}
		x.Hits = append(x.Hits, pcsgpu.NewHits(rows, g.layout.Parts[r].Buckets, hands))
	}
	for r, sets := range u.sets {
		x.TrunkHits = append(x.TrunkHits, pcsgpu.NewHits(sets, g.trunk[r].Size(), g.hands))
	}
	return x
}
