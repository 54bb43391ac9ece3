package pcs

import (
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/parallel"
)

// Trainer improves a strategy by public chance sampling. The CPU deals the next batch while
// it trains on the last. A Trainer is used by one goroutine at a time.
//
// A device may fail. From then on nothing is trained, and Err and all methods that need its
// results return the failure.
type Trainer struct {
	Tables
	method  Method
	machine machine
	batches *parallel.Ahead[*pcsgpu.Batch] // the place of one is that of its first board
}

// machine trains, and keeps the tables.
type machine interface {
	Machine
	// train updates the players in turn on a batch.
	train(b *pcsgpu.Batch, u pcsgpu.Update) error
}

// NewTrainer returns a trainer on the CPU that has done no iteration. It takes no memory
// before it is used.
func NewTrainer(g *Game, m Method, seed uint64, threads int) *Trainer {
	return newTrainer(g, m, seed, threads, &cpu{Local: NewLocal(g), threads: max(1, threads)})
}

// NewDeviceTrainer returns a trainer on devices that has done no iteration, or [NewTrainer]'s without any. Its results
// have the same bits. Devices divide the betting sequences of the last two rounds. The
// error is a [*cudalib.MemoryError] where a device has too little memory free.
func NewDeviceTrainer(devices []*cudalib.Device, g *Game, m Method, seed uint64, threads int) (*Trainer, error) {
	if len(devices) == 0 {
		return NewTrainer(g, m, seed, threads), nil
	}
	solver, err := pcsgpu.New(devices, &g.layout)
	if err != nil {
		return nil, err
	}
	return newTrainer(g, m, seed, threads, &gpu{solver, g}), nil
}

func newTrainer(g *Game, m Method, seed uint64, threads int, machine machine) *Trainer {
	t := &Trainer{Tables: NewTables(g, machine, m.String(), seed, threads), method: m, machine: machine}
	dealer := &batches{g, NewSequence(g.Rules(), g.Rules().NumRounds, seed), t.threads}
	t.batches = parallel.NewAhead(dealer.deal, uint64(m.Batch), 1)
	return t
}

// Close frees the trainer's memory.
func (t *Trainer) Close() error {
	t.batches.Wait()
	return t.Tables.Close()
}

// Step does a batch of iterations, unless the device has failed.
func (t *Trainer) Step() {
	if t.err != nil {
		return
	}
	size := uint64(t.method.Batch)
	t.Did(size, t.machine.train(t.batches.Next(t.done), t.method.update(t.done/size+1)))
}

// DeviceWorthwhile reports whether a GPU is likely to be faster than the CPU, and why it is or is not, for so many
// (hand, betting sequence) pairs of work, as "a batch".
func DeviceWorthwhile(pairs int, work string) (worthwhile bool, reason string) {
	const minPairs = 1 << 17
	return pairs >= minPairs,
		fmt.Sprintf("%d hands after betting sequences %s, and a GPU gains from %d on", pairs, work, minPairs)
}

// DeviceWorthwhile is the function of that name for a batch of the game.
func (g *Game) DeviceWorthwhile() (worthwhile bool, reason string) {
	n := 0
	for i := range g.layout.Parts {
		n += g.layout.Boards * g.layout.Hands * g.layout.Parts[i].Lanes
	}
	return DeviceWorthwhile(n, "a batch")
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
