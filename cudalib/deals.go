package cudalib

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gamebots/cudalib/driver"
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

// Deals trains a game on a device by batches of deals. Batches are written into
// one of two feeds on the host, so that one can be filled while the other is
// trained on. Run is used by one goroutine at a time.
type Deals struct {
	*launcher
	game  DealsGame
	shape DealsShape
	most  int // batches a run
	mode  DealsMode

	nodes, levels, pots, clock, feed driver.Buffer[uint32]
	children                         driver.Buffer[int32]
	stakes, regret, average          driver.Buffer[float32]
	states, reach, utilities         driver.Buffer[float32]
	feeds                            [2]driver.Pinned[uint32]
	downs, ups, tick, whole          *driver.Kernel
	graph                            *driver.Graph // of one batch, unless one block does it all or mode is DealsPlain
	bytes                            int64
}

// DealsMode says how a batch is put on the device.
type DealsMode int

const (
	// DealsFast is DealsByLevel, or one launch for many batches where one block
	// is enough.
	DealsFast DealsMode = iota
	// DealsByLevel is a graph a batch, of a launch for each level and phase.
	DealsByLevel
	// DealsPlain has the same launches one by one, and each batch is brought to
	// the device and waited for by itself, as in Reis (2015).
	DealsPlain
)

// NewDeals puts a game on a device, with regrets and averages of zero, to be
// trained by up to so many batches a run.
//
// The error is a [*MemoryError] where the device has too little memory free, and
// errors.ErrUnsupported where the kernels cannot train such batches.
func NewDeals(d *Device, g DealsGame, batch, batches int, mode DealsMode) (*Deals, error) {
	t := &Deals{game: g, shape: DealsShape{g.Players, g.Rounds, batch}, most: batches, mode: mode}
	if err := t.fits(d); err != nil {
		return nil, err
	}
	t.launcher = newLauncher(d, "deals")
	special := "" // for the number of players, where there are such kernels
	if slices.Contains([]int{2, 3, 5, 8}, g.Players) {
		special = fmt.Sprintf("_%d", g.Players)
	}
	t.downs, _ = t.kernel("deals_down"+special, dealsThreads)
	t.ups, _ = t.kernel("deals_up"+special, dealsThreads)
	t.tick, _ = t.kernel("deals_tick", 1)
	t.whole, _ = t.kernel("deals_whole"+special, dealsWholeThreads)

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
	t.nodes, t.levels, t.pots = alloc[uint32](t.launcher, len(nodes)), alloc[uint32](t.launcher, len(levels)), alloc[uint32](t.launcher, len(g.Pots)+len(g.In))
	t.children, t.stakes = alloc[int32](t.launcher, len(g.Children)), alloc[float32](t.launcher, len(stakes))
	t.clock, t.feed = alloc[uint32](t.launcher, 1), alloc[uint32](t.launcher, batches*t.shape.Words())
	t.regret, t.average = alloc[float32](t.launcher, g.Entries), alloc[float32](t.launcher, g.Entries)
	t.states, t.reach = alloc[float32](t.launcher, states*g.Players*batch), alloc[float32](t.launcher, 2*len(g.Nodes)*batch)
	t.utilities = alloc[float32](t.launcher, batches*g.Players*batch)
	for i := range t.feeds {
		t.feeds[i] = keep(t.launcher, func() (driver.Pinned[uint32], error) {
			return driver.AllocPinned[uint32](d, batches*t.shape.Words())
		})
	}
	if t.err == nil {
		t.err = errors.Join(t.nodes.Upload(t.stream, nodes), t.levels.Upload(t.stream, levels), t.pots.Upload(t.stream, append(g.Pots, g.In...)),
			t.children.Upload(t.stream, g.Children), t.stakes.Upload(t.stream, stakes), t.regret.Zero(t.stream), t.average.Zero(t.stream))
	}
	if !t.one() && t.mode != DealsPlain {
		t.graph = keep(t.launcher, func() (*driver.Graph, error) { return t.stream.Capture(t.batch) })
	}
	if t.err != nil {
		return nil, errors.Join(t.err, t.Close())
	}
	t.game.Nodes, t.game.Children, t.game.Spent = nil, nil, nil // are on the device
	return t, nil
}

// fits returns an error unless the game can be trained on the device.
func (t *Deals) fits(d *Device) error {
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
	free, _, err := d.Memory()
	if err == nil && t.bytes > free {
		err = &MemoryError{d.String(), t.bytes, free}
	}
	return err
}

// Bytes returns how much of the device's memory the training takes.
func (t *Deals) Bytes() int64 { return t.bytes }

// shared is how many bytes of shared memory a block has for so many decisions at
// once: a float for each deal and action, and one for the reach.
func (t *Deals) shared(decisions int) int {
	return 4 * decisions * (t.game.Widest + 1) * t.shape.Batch
}

// lanes is how many threads share a decision.
func (t *Deals) lanes(most int) int { return min(most, 1<<bits.Len(uint(t.shape.Batch-1))) }

func (t *Deals) widestLevel() int {
	widest := 0
	for level := range len(t.game.Levels) - 1 {
		widest = max(widest, t.decisions(level))
	}
	return widest
}

func (t *Deals) decisions(level int) int { return int(t.game.Levels[level+1] - t.game.Levels[level]) }

// one says whether one block trains the whole game.
func (t *Deals) one() bool {
	return t.mode == DealsFast && t.widestLevel()*t.shape.Batch <= dealsWhole && t.wholeGrid().Shared <= t.device.Info().SharedPerBlock
}

// wholeGrid has threads for the widest level of the game, as far as one block
// goes.
func (t *Deals) wholeGrid() driver.Grid {
	lanes := t.wholeLanes()
	threads := max(warp, min(dealsWholeThreads/lanes, t.widestLevel())*lanes)
	threads = (threads + warp - 1) / warp * warp
	return driver.Grid{Blocks: 1, Threads: threads, Shared: t.shared(threads / lanes)}
}

// wholeLanes is how many threads share a decision where one block trains the
// whole game: a game of few decisions has more for each.
func (t *Deals) wholeLanes() int {
	return t.lanes(max(dealsThreads, dealsWholeThreads>>bits.Len(uint(t.widestLevel()-1))))
}

// levelThreads is how many threads a block has at a level: the fewer, the less
// they wait for each other, if there are decisions for all of the device twice
// over, and memory for so many blocks (docs/benchmarks/reis-gpu.md).
func (t *Deals) levelThreads(level int) int {
	const most, running = 2048, 1024 // threads of a multiprocessor; of these kernels
	d, threads := t.device.Info(), dealsFewThreads
	for threads < dealsThreads && (t.decisions(level)*threads < 2*most*d.Multiprocessors || t.shared(running/threads) > d.SharedPerBlock) {
		threads *= 2
	}
	return threads
}

// grid has a thread for each decision and deal of a level, and loops where
// there are more deals.
func (t *Deals) grid(level int) driver.Grid {
	lanes := t.lanes(t.levelThreads(level))
	threads := min(t.levelThreads(level), max(warp, lanes*t.decisions(level)))
	threads = (threads + warp - 1) / warp * warp
	slots := threads / lanes
	return driver.Grid{Blocks: (t.decisions(level) + slots - 1) / slots, Threads: threads, Shared: t.shared(slots)}
}

// work are the arguments that all kernels have.
func (t *Deals) work(lanes int, more ...driver.Arg) []driver.Arg {
	n := func(x int) driver.Arg { return driver.U32(uint32(x)) }
	return append([]driver.Arg{
		t.nodes.Arg(), t.children.Arg(), t.levels.Arg(), t.pots.Arg(), t.stakes.Arg(), t.feed.Arg(), t.regret.Arg(), t.average.Arg(),
		t.states.Arg(), t.reach.Arg(), t.utilities.Arg(), n(t.game.Players), n(t.game.Players * t.game.Rounds), n(t.shape.Batch),
		n(len(t.game.Pots) - 1), n(int(t.game.Levels[len(t.game.Levels)-1])), n(t.game.Widest), n(lanes),
	}, more...)
}

// batch puts a batch on the stream, level by level.
func (t *Deals) batch() error {
	depth := len(t.game.Levels) - 1
	for level := range depth {
		grid := t.grid(level)
		grid.Shared = 0
		if err := t.downs.Launch(t.stream, grid, t.work(t.lanes(t.levelThreads(level)), t.clock.Arg(), driver.U32(uint32(level)))...); err != nil {
			return err
		}
	}
	for level := depth - 1; level >= 0; level-- {
		if err := t.ups.Launch(t.stream, t.grid(level), t.work(t.lanes(t.levelThreads(level)), t.clock.Arg(), driver.U32(uint32(level)))...); err != nil {
			return err
		}
	}
	return t.tick.Launch(t.stream, driver.Grid{Blocks: 1, Threads: 1}, t.clock.Arg())
}

// Feed returns one of the two feeds, 0 or 1, as batches one after the other. It
// must not be written to while Run trains on it.
func (t *Deals) Feed(i int) []uint32 { return t.feeds[i].Data() }

// Run trains on the first batches of a feed, and waits until that is done. It
// sets utilities, as far as these go, to what every player won by batch, player
// and deal.
func (t *Deals) Run(feed, batches int, utilities []float32) error {
	words := t.shape.Words()
	return t.device.Do(func() error {
		if t.mode == DealsPlain {
			for k := range batches { // each deal goes to the device by itself
				if err := t.upload(feed, k, 1); err != nil {
					return err
				}
				if err := t.batch(); err != nil {
					return err
				}
				n := t.game.Players * t.shape.Batch
				if err := t.utilities.Slice(0, n).Download(t.stream, utilities[k*n:][:n]); err != nil {
					return err
				}
			}
			return nil
		}
		if err := t.feed.Slice(0, batches*words).Upload(t.stream, t.feeds[feed].Data()[:batches*words]); err != nil {
			return err
		}
		if t.graph == nil {
			more := []driver.Arg{driver.U32(uint32(len(t.game.Levels) - 1)), driver.U32(uint32(batches))}
			if err := t.whole.Launch(t.stream, t.wholeGrid(), t.work(t.wholeLanes(), more...)...); err != nil {
				return err
			}
		} else {
			if err := t.clock.Zero(t.stream); err != nil {
				return err
			}
			for range batches {
				if err := t.graph.Launch(t.stream); err != nil {
					return err
				}
			}
		}
		return t.utilities.Slice(0, len(utilities)).Download(t.stream, utilities)
	})
}

// upload puts some batches of a feed where the clock begins.
func (t *Deals) upload(feed, first, batches int) error {
	words := t.shape.Words()
	return errors.Join(t.clock.Zero(t.stream),
		t.feed.Slice(0, batches*words).Upload(t.stream, t.feeds[feed].Data()[first*words:][:batches*words]))
}

// Download copies the regrets and the averages.
func (t *Deals) Download(regret, average []float32) error {
	return errors.Join(t.regret.Download(t.stream, regret), t.average.Download(t.stream, average))
}

// Upload sets the regrets and the averages.
func (t *Deals) Upload(regret, average []float32) error {
	return errors.Join(t.regret.Upload(t.stream, regret), t.average.Upload(t.stream, average))
}
