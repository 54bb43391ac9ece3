package reis

import (
	"fmt"
	"io"

	"gamebots/cudalib"
	"gamebots/cudalib/mccfrgpu"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/strategy"
)

// GPU trains on a GPU by batches of deals, one after the other. The CPU deals the
// next batches while the device works on the last. It has the bits of its CPU
// reference implementation, and checkpoints go from one to the other. A GPU is used
// by one goroutine at a time.
//
// After a failure of the device it trains no more, and Err and every method that
// needs the device's results return the failure.
type GPU struct {
	trainer    // its table is as of the last download
	device     *mccfrgpu.DealBatch
	dealer     *dealer
	maxBatches int // computed at once
	err        error
	stale      bool // the device has trained since the last download

	// The batches that are dealt ahead lie in one of two buffers.
	buffer    int
	ahead     uint64 // the first deal in it
	batches   int
	dealt     chan struct{} // closed when they are dealt; nil before the first
	utilities []float32
}

// The bounds on batches that are dealt and trained at once: a fraction of a second
// of work, and memory for it.
const (
	aheadBytes     = 64 << 20
	aheadDeals     = 1 << 16
	aheadDecisions = 1 << 30 // (deal, decision) pairs
	aheadLevels    = 1 << 15 // launches, for each pass
)

// NewDealBatchGPU returns a trainer as DealBatch on a device that has done no step.
// The error is a [*cudalib.MemoryError] where the device has too little memory free.
func NewDealBatchGPU(d *cudalib.Device, g *mccfr.Game, batch int, seed uint64, threads int) (*GPU, error) {
	return newGPU(d, g, DealBatchName(batch), batch, seed, threads, mccfrgpu.Fast)
}

// NewGPU returns a trainer as Reis's third program, which is for GPUs: one deal a
// step, whose cards are brought to the device by themselves, two passes with a
// launch for each level, a thread for each decision. Its bits are those of
// DepthFirst.
func NewGPU(d *cudalib.Device, g *mccfr.Game, seed uint64) (*GPU, error) {
	return newGPU(d, g, GPUName, 1, seed, 1, mccfrgpu.Plain)
}

// GPUName is the name of Reis's program for GPUs in strategy files.
const GPUName = "reis-gpu"

func newGPU(d *cudalib.Device, g *mccfr.Game, name string, batch int, seed uint64, threads int,
	mode mccfrgpu.DealMode) (*GPU, error) {
	g = g.LevelOrder()
	t := &GPU{trainer: newTrainer(g, name, seed), dealer: newDealer(g, batch, seed, threads)}
	t.maxBatches = max(1, min(aheadDeals/batch, aheadBytes/4/t.dealer.shape.Words(),
		aheadDecisions/(batch*len(g.Nodes)), aheadLevels/len(g.Levels)))
	device, err := mccfrgpu.NewDealBatch(d, deviceLayout(g), batch, t.maxBatches, mode)
	if err != nil {
		return nil, err
	}
	t.device = device
	t.utilities = make([]float32, t.maxBatches*t.dealer.shape.Players*batch)
	return t, nil
}

// deviceLayout lays a game in level order out for a device.
func deviceLayout(g *mccfr.Game) mccfrgpu.DealGame {
	out := mccfrgpu.DealGame{
		Players: g.Rules.NumPlayers, Rounds: g.Rules.NumRounds, Levels: g.Levels, Children: g.Children,
		MaxActions: g.MaxActions, Entries: g.Entries, Spent: g.Terminals.Spent,
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		out.Nodes = append(out.Nodes, mccfrgpu.DealNode{
			Row: n.Offset, Action: uint32(g.FirstAction(n)), Actions: uint32(n.Actions), Round: uint32(n.Round),
			Actor: uint32(n.Actor),
		})
	}
	for _, first := range g.Terminals.FirstPot {
		out.Pots = append(out.Pots, uint32(first))
	}
	for _, pot := range g.Terminals.Pots {
		out.In, out.Amount = append(out.In, uint32(pot.Contenders)), append(out.Amount, pot.Amount)
	}
	return out
}

// minGPUDecisions is the number of (deal, decision) pairs that a batch must have for
// a GPU to be faster: see docs/benchmarks/reis-gpu.md.
const minGPUDecisions = 1000

// DeviceWorthwhile reports whether a GPU is likely to be faster than the CPU for batches of deals, and why it is or is
// not.
func DeviceWorthwhile(g *mccfr.Game, batch int) (worthwhile bool, reason string) {
	n := batch * len(g.Nodes)
	return n >= minGPUDecisions, fmt.Sprintf("%d decisions of deals a batch, and a GPU gains from %d on", n,
		minGPUDecisions)
}

// Close frees the device memory of the trainer.
func (t *GPU) Close() error {
	t.wait()
	return t.device.Close()
}

// Err returns the failure that ended the training, or nil.
func (t *GPU) Err() error { return t.err }

// Bytes returns the device memory that the training takes.
func (t *GPU) Bytes() int64 { return t.device.Bytes() }

// Step does one batch of deals.
func (t *GPU) Step() { t.StepUpTo(1) }

// StepUpTo does at least one batch. It does as many as take a fraction of a second
// and cover no more than n deals.
func (t *GPU) StepUpTo(n uint64) {
	if t.err != nil {
		return
	}
	size := uint64(t.dealer.shape.Batch)
	batches := max(1, int(min((n+size-1)/size, uint64(t.maxBatches))))
	t.wait()
	if t.ahead != t.Done || t.batches < batches {
		t.dealer.fill(t.device.Buffer(t.buffer), t.Done, batches)
	}
	buffer := t.buffer
	t.buffer, t.ahead, t.batches = 1-buffer, t.Done+uint64(batches)*size, batches
	t.dealt = make(chan struct{})
	go func(done chan struct{}, to []uint32, first uint64) {
		t.dealer.fill(to, first, batches)
		close(done)
	}(t.dealt, t.device.Buffer(t.buffer), t.ahead)

	won := t.utilities[:batches*t.dealer.shape.Players*int(size)]
	if t.err = t.device.Run(buffer, batches, won); t.err != nil {
		return
	}
	for k := range batches {
		t.finishBatch(won[k*t.dealer.shape.Players*int(size):], int(size))
	}
	t.stale = true
}

// wait waits for the batches that are dealt ahead.
func (t *GPU) wait() {
	if t.dealt != nil {
		<-t.dealt
	}
}

// download copies the regrets and strategy sums from the device.
func (t *GPU) download() error {
	if t.err == nil && t.stale {
		t.err = t.device.Download(t.Regret, t.StrategySum)
		t.stale = t.err != nil
	}
	return t.err
}

// Weights returns the average strategy, see [mccfr.Table.Weights].
func (t *GPU) Weights() []float32 {
	_ = t.download() // Err returns the error
	return t.trainer.Weights()
}

// CurrentWeights returns the current strategy, see [mccfr.Table.CurrentWeights].
func (t *GPU) CurrentWeights() []float32 {
	_ = t.download() // Err returns the error
	return t.trainer.CurrentWeights()
}

// NewResponse returns a response to the average strategy, see [mccfr.Table.NewResponse].
func (t *GPU) NewResponse(seed uint64) (*mccfr.Response, error) {
	_ = t.download()
	if err := t.Err(); err != nil {
		return nil, err
	}
	return t.trainer.NewResponse(seed)
}

// Save writes the average strategy to a file, see [mccfr.Table.Save].
func (t *GPU) Save(path string, m strategy.Meta) error {
	if err := t.download(); err != nil {
		return err
	}
	return t.trainer.Save(path, m)
}

// WriteState writes the state as a trainer on the CPU does.
func (t *GPU) WriteState(w io.Writer) error {
	if err := t.download(); err != nil {
		return err
	}
	return t.trainer.WriteState(w)
}

// ReadState restores the state that a trainer of the same game, algorithm and seed
// wrote, on whatever device.
func (t *GPU) ReadState(r io.Reader) error {
	if err := t.trainer.ReadState(r); err != nil {
		return err
	}
	t.stale = false
	return t.device.Upload(t.Regret, t.StrategySum)
}
