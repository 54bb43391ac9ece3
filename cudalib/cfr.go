package cudalib

import (
	"errors"
	"fmt"
	"unsafe"

	"gamebots/cudalib/driver"
)

// CFRRates is how one iteration weighs what was there before it: factors on
// positive and on negative regrets, what regrets are cut off below, and a factor
// on the sum of strategies.
type CFRRates struct{ Positive, Negative, Floor, Average float32 }

const (
	warp            = 32
	cfrSpan         = 4   // buckets of a thread
	cfrThreads      = 256 // of a block, at most
	cfrEarlyThreads = 512 // in rounds before the last, which have few blocks
	cfrTinyThreads  = 256
	// cfrChunk is how many iterations are put on the stream at a time.
	cfrChunk = 256
)

// A MemoryError is work that needs more memory than is free on a device.
type MemoryError struct {
	Device     string
	Need, Free int64 // bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%d MiB of memory are needed on %s, %d MiB are free", e.Need>>20, e.Device, e.Free>>20)
}

// CFR trains copies of a game on a device, all of them alike, by vector-form
// counterfactual regret minimisation. It is used by one goroutine at a time.
type CFR struct {
	*launcher
	game       CFRGame
	predictive bool
	copies     int
	plan       *cfrPlan

	words, clock         driver.Buffer[uint32]
	constants, rates     driver.Buffer[float32]
	regret, matched, sum driver.Buffer[float32] // of all copies, one after the other
	frames               driver.Buffer[float32]
	down, up, tick, tiny *driver.Kernel
	graph                *driver.Graph // of one iteration, unless the game is tiny
}

// NewCFR puts copies of a game on a device, with regrets and strategies of zero.
// Where it is predictive, strategies are matched to the regrets that the next
// iteration is expected to leave, and else to the regrets there are.
//
// The error is a [*MemoryError] where the device has too little memory free, and
// errors.ErrUnsupported where the kernels cannot train the game on this device.
func NewCFR(d *Device, g CFRGame, predictive bool, copies int) (*CFR, error) {
	c := &CFR{game: g, predictive: predictive, copies: copies, plan: g.plan(true)}
	if !c.tinyOn(d) {
		c.plan = g.plan(false)
	}
	if err := c.fits(d); err != nil {
		return nil, err
	}
	c.launcher = newLauncher(d, "cfr")
	c.down, _ = c.kernel("cfr_down", cfrEarlyThreads)
	c.up, _ = c.kernel("cfr_up", cfrEarlyThreads)
	c.tick, _ = c.kernel("cfr_tick", 1)
	c.tiny, _ = c.kernel("cfr_tiny", cfrTinyThreads)
	c.words, c.clock = alloc[uint32](c.launcher, len(c.plan.words)), alloc[uint32](c.launcher, 1)
	c.constants, c.rates = alloc[float32](c.launcher, len(c.plan.constants)), alloc[float32](c.launcher, 4*cfrChunk)
	c.regret, c.sum = alloc[float32](c.launcher, copies*g.Entries), alloc[float32](c.launcher, copies*g.Entries)
	c.matched = c.regret
	if predictive {
		c.matched = alloc[float32](c.launcher, copies*g.Entries)
	}
	if !c.plan.tiny {
		c.frames = alloc[float32](c.launcher, c.plan.frames)
		c.graph = keep(c.launcher, func() (*driver.Graph, error) { return c.stream.Capture(c.iteration) })
	}
	if c.err == nil {
		c.err = errors.Join(c.regret.Zero(c.stream), c.matched.Zero(c.stream), c.sum.Zero(c.stream),
			c.words.Upload(c.stream, c.plan.words), c.constants.Upload(c.stream, c.plan.constants))
	}
	if c.err != nil {
		return nil, errors.Join(c.err, c.Close())
	}
	return c, nil
}

// tinyOn says whether one block can hold the whole training.
func (c *CFR) tinyOn(d *Device) bool {
	for _, x := range c.game.Rounds {
		if x.Stride > cfrTinyColumns {
			return false
		}
	}
	return c.tinyShared() <= d.Info().SharedPerBlock
}

// arrays is how many arrays over all entries there are.
func (c *CFR) arrays() int {
	if c.predictive {
		return 3
	}
	return 2
}

// tinyShared is how many bytes of shared memory one block has for a tiny game.
func (c *CFR) tinyShared() int {
	words := (len(c.plan.words) + CFRLanes - 1) / CFRLanes * CFRLanes
	return 4 * (c.arrays()*c.game.Entries + len(c.plan.constants) + words + c.plan.frames)
}

// fits returns an error unless the game can be trained on the device.
func (c *CFR) fits(d *Device) error {
	need := c.arrays()*c.copies*c.game.Entries + len(c.plan.words) + len(c.plan.constants)
	if !c.plan.tiny {
		need += c.plan.frames
		if c.copies > 1 {
			return fmt.Errorf("cfr: %d copies of a game that is too large for one block: %w", c.copies, errors.ErrUnsupported)
		}
		for r := range c.game.Rounds {
			if has := d.Info().SharedPerBlock; c.grid(r).Shared > has {
				return fmt.Errorf("cfr: a betting round takes %d bytes of shared memory a block, %v has %d: %w", c.grid(r).Shared, d, has, errors.ErrUnsupported)
			}
			if w := c.game.Rounds[r].widestPart(); w > CFRColumns {
				return fmt.Errorf("cfr: a board has %d buckets, of which a block can have %d: %w", w, CFRColumns, errors.ErrUnsupported)
			}
		}
	}
	free, _, err := d.Memory()
	if need := 4 * int64(need); err == nil && need > free {
		err = &MemoryError{d.String(), need, free}
	}
	return err
}

func (x *CFRRound) widestPart() int {
	widest := 0
	for i := 0; i < len(x.Parts); i += 2 {
		widest = max(widest, int(x.Parts[i+1]-x.Parts[i]))
	}
	return widest
}

// grid has a block for each segment and part of a round, and in it threads for
// the busiest step of the busiest segment.
func (c *CFR) grid(r int) driver.Grid {
	x := &c.game.Rounds[r]
	limit, threads, vectors := cfrThreads, warp, 0
	if r < len(c.game.Rounds)-1 {
		limit = cfrEarlyThreads
	}
	for _, s := range c.plan.segments[x.FirstSegment:][:x.Segments] {
		threads = max(threads, int(max(s.numDecisions, s.numEnds))*CFRColumns/cfrSpan, int(s.numDeals)*CFRColumns)
		vectors = max(vectors, cfrVectors(int(s.last-s.first)))
	}
	return driver.Grid{Blocks: x.Segments * len(x.Parts) / 2, Threads: min(limit, threads), Shared: vectors * CFRColumns * 4}
}

// tinyGrid has a block for each copy of a tiny game.
func (c *CFR) tinyGrid() driver.Grid {
	threads := warp
	for r := range c.game.Rounds {
		decisions, ends, deals := c.plan.lists(r)
		threads = max(threads, max(decisions, ends)*cfrTinyColumns/cfrSpan, deals*cfrTinyColumns)
	}
	threads = (threads + warp - 1) / warp * warp
	return driver.Grid{Blocks: c.copies, Threads: min(cfrTinyThreads, threads), Shared: c.tinyShared()}
}

// iteration puts one iteration of a game that is not tiny on the stream.
func (c *CFR) iteration() error {
	for player := range uint32(2) {
		if err := c.traverse(player); err != nil {
			return err
		}
	}
	return c.tick.Launch(c.stream, driver.Grid{Blocks: 1, Threads: 1}, c.clock.Arg())
}

// traverse puts a walk over the tree for a player on the stream: down to the
// last round, and back up.
func (c *CFR) traverse(player uint32) error {
	last := len(c.game.Rounds) - 1
	for r := range last {
		if err := c.down.Launch(c.stream, c.grid(r), c.words.Arg(), c.constants.Arg(), c.matched.Arg(), c.frames.Arg(),
			driver.U32(uint32(r)), driver.U32(player)); err != nil {
			return err
		}
	}
	for r := last; r >= 0; r-- {
		if err := c.up.Launch(c.stream, c.grid(r), c.words.Arg(), c.constants.Arg(), c.regret.Arg(), c.matched.Arg(), c.sum.Arg(), c.frames.Arg(),
			c.rates.Arg(), c.clock.Arg(), driver.U32(uint32(r)), driver.U32(player)); err != nil {
			return err
		}
	}
	return nil
}

// Launches returns how many launches of kernels an iteration takes.
func (c *CFR) Launches() float64 {
	if c.plan.tiny {
		return 1. / cfrChunk
	}
	return float64(2*(2*len(c.game.Rounds)-1) + 1)
}

// Iterate does an iteration for each of the rates, and waits until they are
// done.
func (c *CFR) Iterate(rates []CFRRates) error {
	return c.device.Do(func() error {
		for len(rates) > 0 {
			n := min(len(rates), cfrChunk)
			if err := c.rates.Slice(0, 4*n).Upload(c.stream, unsafe.Slice(&rates[0].Positive, 4*n)); err != nil {
				return err
			}
			if err := c.chunk(n); err != nil {
				return err
			}
			rates = rates[n:]
		}
		return c.stream.Sync()
	})
}

// chunk puts n iterations on the stream.
func (c *CFR) chunk(n int) error {
	if c.plan.tiny {
		return c.tiny.Launch(c.stream, c.tinyGrid(), c.words.Arg(), c.constants.Arg(), c.regret.Arg(), c.matched.Arg(), c.sum.Arg(), c.rates.Arg(),
			driver.U32(uint32(n)), driver.U32(uint32(c.words.Len())), driver.U32(uint32(c.constants.Len())), driver.U32(uint32(c.game.Entries)))
	}
	if err := c.clock.Zero(c.stream); err != nil {
		return err
	}
	for range n {
		if err := c.graph.Launch(c.stream); err != nil {
			return err
		}
	}
	return nil
}

// CFRArrays are the state of one copy of a game: regrets, what strategies are
// matched to where that is predicted and nil else, and sums of strategies.
type CFRArrays struct{ Regret, Matched, Sum []float32 }

// Download copies the state of one copy of the game, but for arrays that are
// nil.
func (c *CFR) Download(copy int, to CFRArrays) error {
	return c.transfer(copy, to, driver.Buffer[float32].Download)
}

// Upload sets the state of one copy of the game, but for arrays that are nil.
func (c *CFR) Upload(copy int, from CFRArrays) error {
	return c.transfer(copy, from, driver.Buffer[float32].Upload)
}

func (c *CFR) transfer(copy int, a CFRArrays, move func(driver.Buffer[float32], *driver.Stream, []float32) error) error {
	from, to := copy*c.game.Entries, (copy+1)*c.game.Entries
	for _, x := range []struct {
		device driver.Buffer[float32]
		host   []float32
	}{{c.regret, a.Regret}, {c.matched, a.Matched}, {c.sum, a.Sum}} {
		if x.host == nil {
			continue
		}
		if err := move(x.device.Slice(from, to), c.stream, x.host); err != nil {
			return err
		}
	}
	return nil
}
