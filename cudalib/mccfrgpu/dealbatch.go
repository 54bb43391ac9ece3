package mccfrgpu

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

const (
	levelThreads    = 256 // most threads of a block that trains a level, as in the kernels
	minLevelThreads = 64  // where a level has enough decisions
	wholeThreads    = 1024
	// maxWholeDeals is how many deals at decisions a level may have for one block
	// to train the whole game: with more, launches cost less than one block's
	// slowness.
	maxWholeDeals = 8192
)

// DealBatch trains a game on a device by batches of sampled deals. Batches are
// written into one of two buffers on the host, so that one can be filled while the
// device trains on the other. Run is used by one goroutine at a time.
type DealBatch struct {
	gpu        *launch.Launcher
	game       DealGame
	shape      BatchShape
	maxBatches int // most batches of a run
	mode       DealMode

	dealBuffers
	buffers  [2]driver.Pinned[uint32]
	down, up *launch.Kernel[levelParams]
	tick     *launch.Kernel[tickParams]
	whole    *launch.Kernel[wholeParams]
	// graph is of one batch, unless one block trains the whole game or mode is Plain.
	graph *driver.Graph
	bytes int64
}

// dealBuffers are the game, its tables and the vectors of a batch on the device.
type dealBuffers struct {
	nodes, levels, pots, clock, batches driver.Buffer[uint32]
	children                            driver.Buffer[int32]
	payouts, regret, average            driver.Buffer[float32]
	states, reach, utilities            driver.Buffer[float32]
}

// The parameters of the kernels of deals.cu.
type (
	dealParams struct {
		Nodes                    driver.Buffer[uint32]
		Children                 driver.Buffer[int32]
		Levels, Pots             driver.Buffer[uint32]
		Payouts                  driver.Buffer[float32]
		Batches                  driver.Buffer[uint32]
		Regret, Average          driver.Buffer[float32]
		States, Reach, Utilities driver.Buffer[float32]
		Players, Views, Batch    uint32 // Batch is deals
		Terminals, Decisions     uint32
		MaxActions, Lanes        uint32 // Lanes are threads of a decision
	}
	levelParams struct {
		Deals dealParams
		Clock driver.Buffer[uint32]
		Level uint32
	}
	wholeParams struct {
		Deals          dealParams
		Depth, Batches uint32
	}
	tickParams struct{ Clock driver.Buffer[uint32] }
)

// A DealMode is how a batch is put on the device.
type DealMode int

const (
	// Fast is ByLevel, or one launch for many batches where one block is enough.
	Fast DealMode = iota
	// ByLevel is a graph a batch, with a launch for each level and direction.
	ByLevel
	// Plain has the same launches one by one. Each batch is copied to the device and
	// waited for by itself, as in Reis (2015).
	Plain
)

// NewDealBatch puts a game on a device, with regrets and averages of zero. Batch is
// the number of deals in a batch, and batches the most batches in a run.
//
// The error is a [*driver.MemoryError] where the device has too little memory free, and
// errors.ErrUnsupported where the kernels cannot train such batches.
func NewDealBatch(d *driver.Device, g DealGame, batch, batches int, mode DealMode) (*DealBatch, error) {
	t := &DealBatch{game: g, shape: BatchShape{g.Players, g.Rounds, batch}, maxBatches: batches, mode: mode}
	if err := t.fits(d); err != nil {
		return nil, err
	}
	t.gpu = launch.New(d, Modules, "deals")
	special := "" // for the number of players, where there are such kernels
	if slices.Contains([]int{2, 3, 5, 8}, g.Players) {
		special = fmt.Sprintf("_%d", g.Players)
	}
	t.down = launch.Find[levelParams](t.gpu, "deals_down"+special)
	t.up = launch.Find[levelParams](t.gpu, "deals_up"+special)
	t.tick = launch.Find[tickParams](t.gpu, "deals_tick")
	t.whole = launch.Find[wholeParams](t.gpu, "deals_whole"+special)

	var nodes, levels []uint32
	for _, n := range g.Nodes {
		nodes = append(nodes, n.Row, n.Action, n.Actions|n.Actor<<16, n.Round*uint32(g.Players)+n.Actor)
	}
	at, states := g.states()
	for level, first := range g.Levels {
		levels = append(levels, uint32(first), at[level])
	}
	payouts := g.Spent
	for _, amount := range g.Amount {
		for winners := range g.Players {
			payouts = append(payouts, amount/float32(winners+1))
		}
	}
	t.nodes, t.levels, t.pots = launch.Upload(t.gpu, nodes), launch.Upload(t.gpu, levels),
		launch.Upload(t.gpu, append(g.Pots, g.In...))
	t.children, t.payouts = launch.Upload(t.gpu, g.Children), launch.Upload(t.gpu, payouts)
	t.clock, t.batches = launch.Alloc[uint32](t.gpu, 1), launch.Alloc[uint32](t.gpu, batches*t.shape.Words())
	t.regret, t.average = launch.Zeros[float32](t.gpu, g.Entries), launch.Zeros[float32](t.gpu, g.Entries)
	t.states, t.reach = launch.Alloc[float32](t.gpu, states*g.Players*batch),
		launch.Alloc[float32](t.gpu, 2*len(g.Nodes)*batch)
	t.utilities = launch.Alloc[float32](t.gpu, batches*g.Players*batch)
	for i := range t.buffers {
		t.buffers[i] = launch.AllocPinned[uint32](t.gpu, batches*t.shape.Words())
	}
	if !t.oneBlock() && t.mode != Plain {
		t.graph = launch.Keep(t.gpu, func() (*driver.Graph, error) { return t.gpu.Stream.Capture(t.trainByLevel) })
	}
	t.game.Nodes, t.game.Children, t.game.Spent = nil, nil, nil // are on the device
	return launch.Finish(t.gpu, t)
}

// Close frees the memory on the device.
func (t *DealBatch) Close() error { return t.gpu.Close() }

// fits returns an error unless the game can be trained on the device.
func (t *DealBatch) fits(d *driver.Device) error {
	g := &t.game
	_, states := g.states()
	batch, words := int64(t.shape.Batch), int64(t.maxBatches*t.shape.Words())
	t.bytes = 4 * (int64(4*len(g.Nodes)+len(g.Children)+2*len(g.Levels)) +
		int64(len(g.Pots)+len(g.In)+len(g.Spent)+len(g.In)*g.Players) +
		2*int64(g.Entries) + words + batch*int64(states*g.Players+2*len(g.Nodes)+t.maxBatches*g.Players))
	switch has := d.Info().SharedPerBlock; {
	case g.Entries > math.MaxUint32:
		return fmt.Errorf("%d entries are too many for a GPU: %w", g.Entries, errors.ErrUnsupported)
	case t.shared(1) > has:
		return fmt.Errorf("a batch of %d deals takes %d bytes of shared memory a block, %v has %d: %w", t.shape.Batch,
			t.shared(1), d, has, errors.ErrUnsupported)
	}
	return d.RequireMemory(t.bytes)
}

// Bytes returns how much of the device's memory the training takes.
func (t *DealBatch) Bytes() int64 { return t.bytes }

// shared returns the bytes of shared memory of a block that works on several
// decisions at once: a float for each deal and action, and one for the reach.
func (t *DealBatch) shared(decisions int) int {
	return 4 * decisions * (t.game.MaxActions + 1) * t.shape.Batch
}

// lanes returns how many threads share a decision, up to a limit.
func (t *DealBatch) lanes(limit int) int { return min(limit, 1<<bits.Len(uint(t.shape.Batch-1))) }

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

// oneBlock reports whether one block trains the whole game.
func (t *DealBatch) oneBlock() bool {
	return t.mode == Fast && t.widestLevel()*t.shape.Batch <= maxWholeDeals &&
		t.wholeGrid().Shared <= t.gpu.Device.Info().SharedPerBlock
}

// wholeGrid returns a grid of one block, with threads for the widest level of the
// game, up to the limit of a block.
func (t *DealBatch) wholeGrid() driver.Grid {
	lanes := t.wholeLanes()
	threads := launch.Whole(max(1, min(wholeThreads/lanes, t.widestLevel())*lanes))
	return driver.Grid{Blocks: 1, Threads: threads, Shared: t.shared(threads / lanes)}
}

// wholeLanes returns how many threads share a decision where one block trains the
// whole game: the fewer decisions, the more threads each.
func (t *DealBatch) wholeLanes() int {
	return t.lanes(max(levelThreads, wholeThreads>>bits.Len(uint(t.widestLevel()-1))))
}

// threadsOf returns how many threads a block has at a level. Fewer wait less for
// each other, if the level has decisions for the whole device twice over and there is
// memory for the blocks (docs/benchmarks/reis-gpu.md).
func (t *DealBatch) threadsOf(level int) int {
	const resident, running = 2048, 1024 // threads of a multiprocessor: at most, and of these kernels
	d, threads := t.gpu.Device.Info(), minLevelThreads
	for threads < levelThreads && (t.decisions(level)*threads < 2*resident*d.Multiprocessors ||
		t.shared(running/threads) > d.SharedPerBlock) {
		threads *= 2
	}
	return threads
}

// grid returns a grid with a thread for each decision and deal of a level. Where
// there are more deals than threads of a decision, these loop.
func (t *DealBatch) grid(level int) driver.Grid {
	lanes := t.lanes(t.threadsOf(level))
	threads := launch.Whole(min(t.threadsOf(level), max(1, lanes*t.decisions(level))))
	slots := threads / lanes
	return driver.Grid{Blocks: (t.decisions(level) + slots - 1) / slots, Threads: threads, Shared: t.shared(slots)}
}

// params returns the parameters that all kernels have.
func (t *DealBatch) params(lanes int) dealParams {
	return dealParams{
		Nodes: t.nodes, Children: t.children, Levels: t.levels, Pots: t.pots, Payouts: t.payouts, Batches: t.batches,
		Regret: t.regret, Average: t.average, States: t.states, Reach: t.reach, Utilities: t.utilities,
		Players: uint32(t.game.Players), Views: uint32(t.game.Players * t.game.Rounds), Batch: uint32(t.shape.Batch),
		Terminals: uint32(len(t.game.Pots) - 1), Decisions: uint32(t.game.Levels[len(t.game.Levels)-1]),
		MaxActions: uint32(t.game.MaxActions), Lanes: uint32(lanes),
	}
}

// trainByLevel puts the launches of a batch on the stream.
func (t *DealBatch) trainByLevel() error {
	level := func(kernel *launch.Kernel[levelParams], grid driver.Grid, level int) error {
		return kernel.Launch(t.gpu.Stream, grid,
			levelParams{t.params(t.lanes(t.threadsOf(level))), t.clock, uint32(level)})
	}
	depth := len(t.game.Levels) - 1
	for i := range depth {
		grid := t.grid(i)
		grid.Shared = 0
		if err := level(t.down, grid, i); err != nil {
			return err
		}
	}
	for i := depth - 1; i >= 0; i-- {
		if err := level(t.up, t.grid(i), i); err != nil {
			return err
		}
	}
	return t.tick.Launch(t.gpu.Stream, driver.Grid{Blocks: 1, Threads: 1}, tickParams{t.clock})
}

// Buffer returns one of the two buffers, 0 or 1, as batches one after the other. It
// must not be written to while Run trains on it.
func (t *DealBatch) Buffer(i int) []uint32 { return t.buffers[i].Data() }

// Run trains on the first batches of a buffer, and waits for the result. It sets
// utilities, as far as these go, to the winnings by batch, player and deal.
func (t *DealBatch) Run(buffer, batches int, utilities []float32) error {
	return t.gpu.Device.Do(func() error {
		if t.mode == Plain {
			return t.runPlain(buffer, batches, utilities)
		}
		if err := t.upload(buffer, 0, batches); err != nil {
			return err
		}
		if t.graph == nil {
			params := wholeParams{t.params(t.wholeLanes()), uint32(len(t.game.Levels) - 1), uint32(batches)}
			if err := t.whole.Launch(t.gpu.Stream, t.wholeGrid(), params); err != nil {
				return err
			}
		} else {
			for range batches {
				if err := t.graph.Launch(t.gpu.Stream); err != nil {
					return err
				}
			}
		}
		return t.utilities.Slice(0, len(utilities)).Download(t.gpu.Stream, utilities)
	})
}

// runPlain copies each batch to the device and its utilities back.
func (t *DealBatch) runPlain(buffer, batches int, utilities []float32) error {
	n := t.game.Players * t.shape.Batch
	for k := range batches {
		if err := errors.Join(t.upload(buffer, k, 1), t.trainByLevel(),
			t.utilities.Slice(0, n).Download(t.gpu.Stream, utilities[k*n:][:n])); err != nil {
			return err
		}
	}
	return nil
}

// upload puts some batches of a buffer where the clock begins.
func (t *DealBatch) upload(buffer, first, batches int) error {
	words := t.shape.Words()
	return errors.Join(t.clock.Zero(t.gpu.Stream),
		t.batches.Slice(0, batches*words).Upload(t.gpu.Stream, t.buffers[buffer].Data()[first*words:][:batches*words]))
}

// Download copies the regrets and the averages.
func (t *DealBatch) Download(regret, average []float32) error {
	return errors.Join(t.regret.Download(t.gpu.Stream, regret), t.average.Download(t.gpu.Stream, average))
}

// Upload sets the regrets and the averages.
func (t *DealBatch) Upload(regret, average []float32) error {
	return errors.Join(t.regret.Upload(t.gpu.Stream, regret), t.average.Upload(t.gpu.Stream, average))
}

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
