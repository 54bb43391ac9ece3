package pcs

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/strategy"
)

// Trainer improves a strategy by public chance sampling. The CPU deals the next batch while
// it trains on the last. A Trainer is used by one goroutine at a time.
//
// A device may fail. From then on nothing is trained, and Err and all methods that need its
// results return the failure.
type Trainer struct {
	Tables
	method  Method
	seed    uint64
	machine machine
	batches batches

	ahead      chan *pcsgpu.Batch // the batch that is dealt ahead
	aheadFirst uint64             // its first board
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

func newTrainer(g *Game, m Method, seed uint64, threads int, machine machine) *Trainer {
	t := &Trainer{Tables: NewTables(g, machine, threads), method: m, seed: seed, machine: machine}
	t.batches = batches{g, NewSequence(g.Rules(), g.Rules().NumRounds, seed), t.threads}
	return t
}

// Close frees the trainer's memory.
func (t *Trainer) Close() error {
	if t.ahead != nil {
		<-t.ahead
		t.ahead = nil
	}
	return t.Tables.Close()
}

// Step does a batch of iterations.
func (t *Trainer) Step() { t.StepUpTo(1) }

// StepUpTo does a batch of iterations, unless the device has failed.
func (t *Trainer) StepUpTo(uint64) {
	if t.err != nil {
		return
	}
	size := uint64(t.method.Batch)
	if t.ahead == nil || t.aheadFirst != t.done {
		t.dealAhead(t.done)
	}
	batch := <-t.ahead
	t.dealAhead(t.done + size)
	t.Did(size, t.machine.train(batch, t.method.update(t.done/size+1)))
}

// dealAhead begins to deal a batch.
func (t *Trainer) dealAhead(first uint64) {
	ahead := make(chan *pcsgpu.Batch, 1)
	t.ahead, t.aheadFirst = ahead, first
	go func() { ahead <- t.batches.deal(first) }()
}

// Save writes the average strategy to a file. The caller may have set the exploitability in
// m; Save fills in the rest.
func (t *Trainer) Save(path string, m strategy.Meta) error {
	m.Algorithm, m.Seed = t.method.String(), t.seed
	return t.Tables.Save(path, m)
}
