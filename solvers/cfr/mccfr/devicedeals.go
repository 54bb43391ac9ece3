package mccfr

import (
	"io"

	"gamebots/cudalib"
	"gamebots/solvers/strategy"
)

// DeviceDeals does on a GPU what a Deals does, to the same bits, so that
// checkpoints go from one to the other. The cards are dealt by the CPU, while the
// device works on the deals before. A DeviceDeals is used by one goroutine at a
// time.
//
// A device may fail. From then on nothing is trained any more, and Err and all
// that needs the device's results return the failure.
type DeviceDeals struct {
	dealer // its regrets and averages are those of the last download
	device *cudalib.Deals
	feeder *feeder
	most   int // batches at once
	err    error
	stale  bool // the device has trained since the last download

	// The batches that are dealt already: from the deal ahead on, in a feed.
	ahead        uint64
	dealt, feed  int
	utilities    []float32
	aheadFinally chan struct{} // closed when they are
}

// Batches at once are those of a fraction of a second, and no more than fit into
// this.
const (
	aheadBytes     = 64 << 20
	aheadDeals     = 1 << 16
	aheadDecisions = 1 << 30 // times deals
	aheadLevels    = 1 << 15 // launches, for each phase
)

// NewDeviceDeals returns a trainer on a device that has done no step. The error
// is a [*cudalib.MemoryError] where the device has too little memory free.
func NewDeviceDeals(d *cudalib.Device, g *Game, batch int, seed uint64, threads int) (*DeviceDeals, error) {
	return newDeviceDeals(d, g, DealsName(batch), batch, seed, threads, cudalib.DealsFast)
}

// NewDeviceReis returns a trainer that does what the seed's program for GPUs
// does: one deal a step, its own cards brought to the device, two phases of a
// launch for each level, a thread a decision. Its bits are those of Recursive.
func NewDeviceReis(d *cudalib.Device, g *Game, seed uint64) (*DeviceDeals, error) {
	return newDeviceDeals(d, g, ReisName, 1, seed, 1, cudalib.DealsPlain)
}

// ReisName is what strategy files call training by the seed's program for GPUs.
const ReisName = "reis-gpu"

// NewReis is the twin of NewDeviceReis on the CPU.
func NewReis(g *Game, seed uint64, threads int) *Iterative {
	t := NewIterative(g, seed, threads)
	t.name = ReisName
	return t
}

func newDeviceDeals(d *cudalib.Device, g *Game, name string, batch int, seed uint64, threads int, mode cudalib.DealsMode) (*DeviceDeals, error) {
	g = g.byLevel()
	t := &DeviceDeals{dealer: newDealer(g, name, seed), feeder: newFeeder(g, batch, seed, threads)}
	t.most = max(1, min(aheadDeals/batch, aheadBytes/4/t.feeder.shape.Words(), aheadDecisions/(batch*len(g.nodes)), aheadLevels/len(g.levels)))
	device, err := cudalib.NewDeals(d, g.forDevice(), batch, t.most, mode)
	if err != nil {
		return nil, err
	}
	t.device = device
	t.utilities = make([]float32, t.most*t.feeder.shape.Players*batch)
	return t, nil
}

// forDevice lays a game in level order out for a device.
func (g *Game) forDevice() cudalib.DealsGame {
	out := cudalib.DealsGame{
		Players: g.Rules.NumPlayers, Rounds: g.Rules.NumRounds, Levels: g.levels, Children: g.children,
		Widest: g.widest, Entries: g.Entries, Spent: g.ends.spent,
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		out.Nodes = append(out.Nodes, cudalib.DealsNode{
			Row: n.row, Action: uint32(g.action(n)), Actions: uint32(n.actions), Round: uint32(n.round), Actor: uint32(n.actor),
		})
	}
	for _, first := range g.ends.first {
		out.Pots = append(out.Pots, uint32(first))
	}
	for _, pot := range g.ends.pots {
		out.In, out.Amount = append(out.In, uint32(pot.in)), append(out.Amount, pot.amount)
	}
	return out
}

// Close frees what the trainer has on its device.
func (t *DeviceDeals) Close() error {
	t.wait()
	return t.device.Close()
}

// Err returns why the device does not train any more, or nil.
func (t *DeviceDeals) Err() error { return t.err }

// Bytes returns how much of the device's memory the training takes.
func (t *DeviceDeals) Bytes() int64 { return t.device.Bytes() }

// Step does one batch of deals.
func (t *DeviceDeals) Step() { t.StepUpTo(1) }

// StepUpTo does at least one batch, and no more than n deals beyond that, as
// many as take a fraction of a second.
func (t *DeviceDeals) StepUpTo(n uint64) {
	if t.err != nil {
		return
	}
	size := uint64(t.feeder.shape.Batch)
	batches := max(1, int(min((n+size-1)/size, uint64(t.most))))
	t.wait()
	if t.ahead != t.iterations || t.dealt < batches {
		t.feeder.fill(t.device.Feed(t.feed), t.iterations, batches)
	}
	feed := t.feed
	t.feed, t.ahead, t.dealt = 1-feed, t.iterations+uint64(batches)*size, batches
	t.aheadFinally = make(chan struct{})
	go func(done chan struct{}, to []uint32, first uint64) {
		t.feeder.fill(to, first, batches)
		close(done)
	}(t.aheadFinally, t.device.Feed(t.feed), t.ahead)

	won := t.utilities[:batches*t.feeder.shape.Players*int(size)]
	if t.err = t.device.Run(feed, batches, won); t.err != nil {
		return
	}
	for k := range batches {
		t.won(won[k*t.feeder.shape.Players*int(size):], int(size))
	}
	t.stale = true
}

// wait waits for the deals ahead.
func (t *DeviceDeals) wait() {
	if t.aheadFinally != nil {
		<-t.aheadFinally
	}
}

// download brings what was learnt from the device.
func (t *DeviceDeals) download() error {
	if t.err == nil && t.stale {
		t.err = t.device.Download(t.regret, t.average)
		t.stale = t.err != nil
	}
	return t.err
}

// Weights returns the average strategy, see Recursive.
func (t *DeviceDeals) Weights() []float32 {
	t.download() // an error is Err's
	return t.dealer.Weights()
}

// Respond learns a response to the average strategy, see Recursive.
func (t *DeviceDeals) Respond(iterations int, seed uint64) *Response {
	t.download() // an error is Err's
	return t.dealer.Respond(iterations, seed)
}

// Save writes the average strategy to a file.
func (t *DeviceDeals) Save(path string, m strategy.Meta) error {
	if err := t.download(); err != nil {
		return err
	}
	return t.dealer.Save(path, m)
}

// WriteState writes what a Deals writes.
func (t *DeviceDeals) WriteState(w io.Writer) error {
	if err := t.download(); err != nil {
		return err
	}
	return t.dealer.WriteState(w)
}

// ReadState goes on where the trainer was that wrote the state, of the same game,
// algorithm and seed, on whatever device.
func (t *DeviceDeals) ReadState(r io.Reader) error {
	if err := t.dealer.ReadState(r); err != nil {
		return err
	}
	t.stale = false
	return t.device.Upload(t.regret, t.average)
}
