package cfrbr

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/pcs"
)

// Name is the name of the algorithm in files.
const Name = "public-cfr-br"

// Trainer improves a strategy by CFR-BR. Units are dealt while it trains on the last one. A
// Trainer is used by one goroutine at a time.
//
// A device may fail. From then on nothing is trained, and Err and all methods that need its
// results return the failure.
type Trainer struct {
	pcs.Tables
	game    *Game
	machine machine
	dealer  dealer
	units   *parallel.Ahead[*unit]
}

// unitsAhead is how many units are dealt at a time: the work on one leaves some threads idle.
const unitsAhead = 4

// machine trains, and keeps the regrets of the opponents in the trunk.
type machine interface {
	// train trains both players on a unit.
	train(u *unit, update pcsgpu.Update) error
	// trunkTable returns the regrets of the opponent of a player in a part of the trunk, by
	// hand, column and lane. They are not to be changed.
	trunkTable(player, part int) ([]float32, error)
	setTrunkTable(player, part int, regrets []float32) error
}

// NewTrainer returns a trainer on the CPU that has done no iteration. It takes no memory
// before it is used.
func NewTrainer(g *Game, seed uint64, threads int) *Trainer {
	c := newCPU(g, threads)
	return newTrainer(g, seed, threads, c, &c.local)
}

func newTrainer(g *Game, seed uint64, threads int, m machine, tables pcs.Machine) *Trainer {
	t := &Trainer{
		Tables: pcs.NewTables(g.Game, tables, Name, seed, threads), game: g, machine: m,
		dealer: dealer{Game: g, sequence: pcs.NewSequence(g.Rules(), g.last, seed), threads: max(1, threads)},
	}
	t.units = parallel.NewAhead(t.dealer.deal, 1, unitsAhead)
	return t
}

// Close frees the trainer's memory.
func (t *Trainer) Close() error {
	t.units.Wait()
	return t.Tables.Close()
}

// Step does an iteration, a unit, unless the device has failed.
func (t *Trainer) Step() {
	if t.Err() != nil {
		return
	}
	u := t.units.Next(t.Iterations())
	t.Did(1, t.machine.train(u, weights(t.Iterations()+1)))
}

// weights are those of the k-th iteration, from 1: regrets have none, and strategies the weight k⁴, so
// that the first iterations, which are far worse than the last ones, soon count for little. Sums of them
// fit into a float32 for seven million iterations of hold'em, and keep their digits for [pcs.MaxSteps].
// The player's regrets may be below zero, its opponent's in the trunk may not, as in CFR+ (Tammelin,
// "Solving large imperfect information games using CFR+", 2014): that is better for both, see
// docs/training.md.
func weights(k uint64) pcsgpu.Update {
	square := float64(k) * float64(k)
	return pcsgpu.Update{Regret: 1, Sum: float32(square * square)}
}
