package mccfrgpu

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/mccfr"
)

const (
	dealsThreads      = 256 // of a block at most, as in the kernels
	dealsFewThreads   = 64  // where there are enough of them
	dealsWholeThreads = 1024
	// dealsWhole is how many deals at decisions a level may have for one block
	// to train the whole game: with more, launches cost less than one block's
	// slowness.
	dealsWhole = 8192
)

// DealBatch trains a game on a device by batches of deals. Batches are written into
// one of two feeds on the host, so that one can be filled while the other is
// trained on. Run is used by one goroutine at a time.
type DealBatch struct {
	gpu   *launch.Launcher
	game  DealGame
	shape BatchShape
	most  int // batches a run
	mode  DealMode

	nodes, levels, pots, clock, feed driver.Buffer[uint32]
	children                         driver.Buffer[int32]
	stakes, regret, average          driver.Buffer[float32]
	states, reach, utilities         driver.Buffer[float32]
	feeds                            [2]driver.Pinned[uint32]
	downs, ups, tick, whole          *driver.Kernel
	graph                            *driver.Graph // of one batch, unless one block does it all or mode is Plain
	bytes                            int64
}

// DealMode says how a batch is put on the device.
type DealMode int

const (
	// Fast is ByLevel, or one launch for many batches where one block
	// is enough.
	Fast DealMode = iota
	// ByLevel is a graph a batch, of a launch for each level and phase.
	ByLevel
	// Plain has the same launches one by one, and each batch is brought to
	// the device and waited for by itself, as in Reis (2015).
	Plain
)

// NewDealBatch puts a game on a device, with regrets and averages of zero, to be
// trained by up to so many batches a run.
//
// The error is a [*driver.MemoryError] where the device has too little memory free, and
// errors.ErrUnsupported where the kernels cannot train such batches.
func NewDealBatch(d *driver.Device, g DealGame, batch, batches int, mode DealMode) (*DealBatch, error) {
	t := &DealBatch{game: g, shape: BatchShape{g.Players, g.Rounds, batch}, most: batches, mode: mode}
	if err := t.fits(d); err != nil {
		return nil, err
	}
	t.gpu = launch.New(d, ptx.Modules, "deals")
	special := "" // for the number of players, where there are such kernels
	if slices.Contains([]int{2, 3, 5, 8}, g.Players) {
		special = fmt.Sprintf("_%d", g.Players)
	}
	t.downs, _ = t.gpu.Kernel("deals_down"+special, dealsThreads)
	t.ups, _ = t.gpu.Kernel("deals_up"+special, dealsThreads)
	t.tick, _ = t.gpu.Kernel("deals_tick", 1)
	t.whole, _ = t.gpu.Kernel("deals_whole"+special, dealsWholeThreads)

	var nodes, levels []uint32
	for _, n := range g.Nodes {
		nodes = append(nodes, n.Row, n.Action, n.Actions|n.Actor<<16, n.Round*uint32(g.Players)+n.Actor)
	}
	at, states := g.states()
	for level, first := range g.Levels {
		levels = append(levels, uint32(first), at[level])
	}
	stakes := g.Spent
	for _, amount := range g.Amount {
		for winners := range g.Players {
			stakes = append(stakes, amount/float32(winners+1))
		}
	}
	t.nodes, t.levels, t.pots = launch.Alloc[uint32](t.gpu, len(nodes)), launch.Alloc[uint32](t.gpu, len(levels)), launch.Alloc[uint32](t.gpu, len(g.Pots)+len(g.In))
	t.children, t.stakes = launch.Alloc[int32](t.gpu, len(g.Children)), launch.Alloc[float32](t.gpu, len(stakes))
	t.clock, t.feed = launch.Alloc[uint32](t.gpu, 1), launch.Alloc[uint32](t.gpu, batches*t.shape.Words())
	t.regret, t.average = launch.Alloc[float32](t.gpu, g.Entries), launch.Alloc[float32](t.gpu, g.Entries)
	t.states, t.reach = launch.Alloc[float32](t.gpu, states*g.Players*batch), launch.Alloc[float32](t.gpu, 2*len(g.Nodes)*batch)
	t.utilities = launch.Alloc[float32](t.gpu, batches*g.Players*batch)
	for i := range t.feeds {
		t.feeds[i] = launch.AllocPinned[uint32](t.gpu, batches*t.shape.Words())
	}
	if t.gpu.Err == nil {
		t.gpu.Err = errors.Join(t.nodes.Upload(t.gpu.Stream, nodes), t.levels.Upload(t.gpu.Stream, levels), t.pots.Upload(t.gpu.Stream, append(g.Pots, g.In...)),
			t.children.Upload(t.gpu.Stream, g.Children), t.stakes.Upload(t.gpu.Stream, stakes), t.regret.Zero(t.gpu.Stream), t.average.Zero(t.gpu.Stream))
	}
	if !t.one() && t.mode != Plain {
		t.graph = launch.Keep(t.gpu, func() (*driver.Graph, error) { return t.gpu.Stream.Capture(t.batch) })
	}
	if t.gpu.Err != nil {
		return nil, errors.Join(t.gpu.Err, t.Close())
	}
	t.game.Nodes, t.game.Children, t.game.Spent = nil, nil, nil // are on the device
	return t, nil
}

// Close frees what is on the device.
func (t *DealBatch) Close() error { return t.gpu.Close() }

// fits returns an error unless the game can be trained on the device.
func (t *DealBatch) fits(d *driver.Device) error {
	g := &t.game
	_, states := g.states()
	batch, words := int64(t.shape.Batch), int64(t.most*t.shape.Words())
	t.bytes = 4 * (int64(4*len(g.Nodes)+len(g.Children)+2*len(g.Levels)+len(g.Pots)+len(g.In)+len(g.Spent)+len(g.In)*g.Players) +
		2*int64(g.Entries) + words + batch*int64(states*g.Players+2*len(g.Nodes)+t.most*g.Players))
	switch has := d.Info().SharedPerBlock; {
	case g.Entries > math.MaxUint32:
		return fmt.Errorf("%d entries are too many for a GPU: %w", g.Entries, errors.ErrUnsupported)
	case t.shared(1) > has:
		return fmt.Errorf("a batch of %d deals takes %d bytes of shared memory a block, %v has %d: %w", t.shape.Batch, t.shared(1), d, has, errors.ErrUnsupported)
	}
	return d.RequireMemory(t.bytes)
}

// Bytes returns how much of the device's memory the training takes.
func (t *DealBatch) Bytes() int64 { return t.bytes }

// shared is how many bytes of shared memory a block has for so many decisions at
// once: a float for each deal and action, and one for the reach.
func (t *DealBatch) shared(decisions int) int {
	return 4 * decisions * (t.game.Widest + 1) * t.shape.Batch
}

// lanes is how many threads share a decision.
func (t *DealBatch) lanes(most int) int { return min(most, 1<<bits.Len(uint(t.shape.Batch-1))) }

func (t *DealBatch) widestLevel() int {
	widest := 0
	for level := range len(t.game.Levels) - 1 {
		widest = max(widest, t.decisions(level))
	}
	return widest
}

func (t *DealBatch) decisions(level int) int {
	return int(t.game.Levels[level+1] - t.game.Levels[level])
}

// one says whether one block trains the whole game.
func (t *DealBatch) one() bool {
	return t.mode == Fast && t.widestLevel()*t.shape.Batch <= dealsWhole && t.wholeGrid().Shared <= t.gpu.Device.Info().SharedPerBlock
}

// wholeGrid has threads for the widest level of the game, as far as one block
// goes.
func (t *DealBatch) wholeGrid() driver.Grid {
	lanes := t.wholeLanes()
	threads := max(launch.Warp, min(dealsWholeThreads/lanes, t.widestLevel())*lanes)
	threads = (threads + launch.Warp - 1) / launch.Warp * launch.Warp
	return driver.Grid{Blocks: 1, Threads: threads, Shared: t.shared(threads / lanes)}
}

// wholeLanes is how many threads share a decision where one block trains the
// whole game: a game of few decisions has more for each.
func (t *DealBatch) wholeLanes() int {
	return t.lanes(max(dealsThreads, dealsWholeThreads>>bits.Len(uint(t.widestLevel()-1))))
}

// levelThreads is how many threads a block has at a level: the fewer, the less
// they wait for each other, if there are decisions for all of the device twice
// over, and memory for so many blocks (docs/benchmarks/reis-gpu.md).
func (t *DealBatch) levelThreads(level int) int {
	const most, running = 2048, 1024 // threads of a multiprocessor; of these kernels
	d, threads := t.gpu.Device.Info(), dealsFewThreads
	for threads < dealsThreads && (t.decisions(level)*threads < 2*most*d.Multiprocessors || t.shared(running/threads) > d.SharedPerBlock) {
		threads *= 2
	}
	return threads
}

// grid has a thread for each decision and deal of a level, and loops where
// there are more deals.
func (t *DealBatch) grid(level int) driver.Grid {
	lanes := t.lanes(t.levelThreads(level))
	threads := min(t.levelThreads(level), max(launch.Warp, lanes*t.decisions(level)))
	threads = (threads + launch.Warp - 1) / launch.Warp * launch.Warp
	slots := threads / lanes
	return driver.Grid{Blocks: (t.decisions(level) + slots - 1) / slots, Threads: threads, Shared: t.shared(slots)}
}

// work are the arguments that all kernels have.
func (t *DealBatch) work(lanes int, more ...driver.Arg) []driver.Arg {
	n := func(x int) driver.Arg { return driver.U32(uint32(x)) }
	return append([]driver.Arg{
		t.nodes.Arg(), t.children.Arg(), t.levels.Arg(), t.pots.Arg(), t.stakes.Arg(), t.feed.Arg(), t.regret.Arg(), t.average.Arg(),
		t.states.Arg(), t.reach.Arg(), t.utilities.Arg(), n(t.game.Players), n(t.game.Players * t.game.Rounds), n(t.shape.Batch),
		n(len(t.game.Pots) - 1), n(int(t.game.Levels[len(t.game.Levels)-1])), n(t.game.Widest), n(lanes),
	}, more...)
}

// batch puts a batch on the stream, level by level.
func (t *DealBatch) batch() error {
	depth := len(t.game.Levels) - 1
	for level := range depth {
		grid := t.grid(level)
		grid.Shared = 0
		if err := t.downs.Launch(t.gpu.Stream, grid, t.work(t.lanes(t.levelThreads(level)), t.clock.Arg(), driver.U32(uint32(level)))...); err != nil {
			return err
		}
	}
	for level := depth - 1; level >= 0; level-- {
		if err := t.ups.Launch(t.gpu.Stream, t.grid(level), t.work(t.lanes(t.levelThreads(level)), t.clock.Arg(), driver.U32(uint32(level)))...); err != nil {
			return err
		}
	}
	return t.tick.Launch(t.gpu.Stream, driver.Grid{Blocks: 1, Threads: 1}, t.clock.Arg())
}

// Feed returns one of the two feeds, 0 or 1, as batches one after the other. It
// must not be written to while Run trains on it.
func (t *DealBatch) Feed(i int) []uint32 { return t.feeds[i].Data() }

// Run trains on the first batches of a feed, and waits until that is done. It
// sets utilities, as far as these go, to what every player won by batch, player
// and deal.
func (t *DealBatch) Run(feed, batches int, utilities []float32) error {
	words := t.shape.Words()
	return t.gpu.Device.Do(func() error {
		if t.mode == Plain {
			for k := range batches { // each deal goes to the device by itself
				if err := t.upload(feed, k, 1); err != nil {
					return err
				}
				if err := t.batch(); err != nil {
					return err
				}
				n := t.game.Players * t.shape.Batch
				if err := t.utilities.Slice(0, n).Download(t.gpu.Stream, utilities[k*n:][:n]); err != nil {
					return err
				}
			}
			return nil
		}
		if err := t.feed.Slice(0, batches*words).Upload(t.gpu.Stream, t.feeds[feed].Data()[:batches*words]); err != nil {
			return err
		}
		if t.graph == nil {
			more := []driver.Arg{driver.U32(uint32(len(t.game.Levels) - 1)), driver.U32(uint32(batches))}
			if err := t.whole.Launch(t.gpu.Stream, t.wholeGrid(), t.work(t.wholeLanes(), more...)...); err != nil {
				return err
			}
		} else {
			if err := t.clock.Zero(t.gpu.Stream); err != nil {
				return err
			}
			for range batches {
				if err := t.graph.Launch(t.gpu.Stream); err != nil {
					return err
				}
			}
		}
		return t.utilities.Slice(0, len(utilities)).Download(t.gpu.Stream, utilities)
	})
}

// upload puts some batches of a feed where the clock begins.
func (t *DealBatch) upload(feed, first, batches int) error {
	words := t.shape.Words()
	return errors.Join(t.clock.Zero(t.gpu.Stream),
		t.feed.Slice(0, batches*words).Upload(t.gpu.Stream, t.feeds[feed].Data()[first*words:][:batches*words]))
}

// Download copies the regrets and the averages.
func (t *DealBatch) Download(regret, average []float32) error {
	return errors.Join(t.regret.Download(t.gpu.Stream, regret), t.average.Download(t.gpu.Stream, average))
}

// Upload sets the regrets and the averages.
func (t *DealBatch) Upload(regret, average []float32) error {
	return errors.Join(t.regret.Upload(t.gpu.Stream, regret), t.average.Upload(t.gpu.Stream, average))
}
