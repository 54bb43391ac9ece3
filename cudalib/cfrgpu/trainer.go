package cfrgpu

import (
	"errors"
	"fmt"
	"unsafe"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/cfr"
)

// Discounts is how one iteration weighs what was there before it: factors on
// positive and on negative regrets, what regrets are cut off below, and a factor
// on the sum of strategies.
type Discounts struct{ Positive, Negative, Floor, Average float32 }

const (
	cfrSpan = 4 // buckets of a thread
	// cfrChunk is how many iterations are put on the stream at a time.
	cfrChunk = 256
	// cfrTogether is how many of them are one graph: that a graph ends and the next one
	// begins takes a while.
	cfrTogether = 4
)

// Options say how games are trained.
type Options struct {
	// Predictive trainings match strategies to the regrets that the next iteration
	// is expected to leave, and others to the regrets there are.
	Predictive bool
	// Half keeps numbers in 16 bits, with a scale for every four buckets of a
	// decision.
	Half   bool
	Copies int // at least 1
}

// Trainer trains copies of a game on a device, all of them alike, by vector-form
// counterfactual regret minimisation. It is used by one goroutine at a time.
type Trainer struct {
	gpu     *launch.Launcher
	game    Game
	options Options

	regret, matched, sum cfrNumbers // of all copies, one after the other
	rates                driver.Buffer[float32]
	tiny                 *cfrTiny // one block trains a copy, or else
	walks                *walks
	clock                driver.Buffer[uint32]
	tick                 *driver.Kernel
	one, some            *driver.Graph // of an iteration, and of cfrTogether
}

// cfrNumbers is an array over all entries of all copies.
type cfrNumbers struct {
	floats driver.Buffer[float32] // or
	halves driver.Buffer[int16]
	scales driver.Buffer[float32]
}

// NewTrainer puts copies of a game on a device, with regrets and strategies of zero.
//
// The error is a [*driver.MemoryError] where the device has too little memory free, and
// errors.ErrUnsupported where the kernels cannot train the game on this device.
func NewTrainer(d *driver.Device, g Game, o Options) (*Trainer, error) {
	c := &Trainer{game: g, options: o}
	if err := c.prepare(d); err != nil {
		return nil, err
	}
	modules := []string{"tiny"}
	if c.tiny == nil {
		modules = []string{"mean", c.walks.module()}
	}
	c.gpu = launch.New(d, ptx.Modules, modules...)
	c.regret, c.sum = c.numbers(), c.numbers()
	c.matched = c.regret
	if o.Predictive {
		c.matched = c.numbers()
	}
	c.rates, c.clock = launch.Alloc[float32](c.gpu, 4*cfrChunk), launch.Alloc[uint32](c.gpu, 1)
	if c.tiny != nil {
		c.tiny.load(c.gpu)
	} else {
		c.walks.load(c.gpu)
		c.tick, _ = c.gpu.Kernel("walk_tick", 1)
		capture := func(n int) *driver.Graph {
			return launch.Keep(c.gpu, func() (*driver.Graph, error) {
				return c.gpu.Stream.Capture(func() error { return c.iterations(n) })
			})
		}
		c.one, c.some = capture(1), capture(cfrTogether)
	}
	for _, x := range []cfrNumbers{c.regret, c.matched, c.sum} {
		if c.gpu.Err == nil {
			c.gpu.Err = errors.Join(x.floats.Zero(c.gpu.Stream), x.halves.Zero(c.gpu.Stream), x.scales.Zero(c.gpu.Stream))
		}
	}
	if c.gpu.Err != nil {
		return nil, errors.Join(c.gpu.Err, c.Close())
	}
	return c, nil
}

// Close frees what is on the device.
func (c *Trainer) Close() error { return c.gpu.Close() }

// numbers allocates an array over all entries.
func (c *Trainer) numbers() (x cfrNumbers) {
	entries, scales := 0, 0
	if c.options.Half {
		entries, scales = c.options.Copies*c.game.Entries, c.options.Copies*c.game.Scales
	}
	x.halves, x.scales = launch.Alloc[int16](c.gpu, entries), launch.Alloc[float32](c.gpu, scales)
	x.floats = launch.Alloc[float32](c.gpu, c.options.Copies*c.game.Entries-entries)
	return x
}

// args are what kernels take of an array.
func (x cfrNumbers) args() (numbers, scales driver.Arg) {
	if x.halves.Len() > 0 {
		return x.halves.Arg(), x.scales.Arg()
	}
	return x.floats.Arg(), driver.U64(0)
}

// prepare plans the training, if that is possible on the device.
func (c *Trainer) prepare(d *driver.Device) error {
	g, o := &c.game, c.options
	bytes := 4 * g.Entries
	if o.Half {
		bytes = 2*g.Entries + 4*g.Scales
	}
	arrays := 2
	if o.Predictive {
		arrays = 3
	}
	need := arrays * o.Copies * bytes
	if tiny := newCFRTiny(g); !o.Half && tiny != nil && tiny.shared(g, o.Predictive) <= d.Info().SharedPerBlock {
		c.tiny = tiny
	} else if o.Copies > 1 {
		return fmt.Errorf("cfr: %d copies of a game that is too large for one block: %w", o.Copies, errors.ErrUnsupported)
	} else {
		var err error
		if c.walks, err = newWalks(d, g, walkTraining(o.Half)); err != nil {
			return err
		}
		need += c.walks.bytes()
	}
	return d.RequireMemory(int64(need))
}

// iterations puts iterations of a game that is not tiny on the stream.
func (c *Trainer) iterations(n int) error {
	regret, regretScales := c.regret.args()
	matched, matchedScales := c.matched.args()
	sum, sumScales := c.sum.args()
	for ahead := range uint32(n) {
		for player := range uint32(2) {
			if err := c.walks.traverse(player, regret, matched, sum, regretScales, matchedScales, sumScales,
				c.rates.Arg(), c.clock.Arg(), driver.U32(ahead)); err != nil {
				return err
			}
		}
	}
	return c.tick.Launch(c.gpu.Stream, driver.Grid{Blocks: 1, Threads: 1}, c.clock.Arg(), driver.U32(uint32(n)))
}

// Launches returns how many launches of kernels an iteration takes.
func (c *Trainer) Launches() float64 {
	if c.tiny != nil {
		return 1. / cfrChunk
	}
	return float64(2*c.walks.launches()) + 1./cfrTogether
}

// Iterate does an iteration for each of the rates, and waits until they are
// done.
func (c *Trainer) Iterate(rates []Discounts) error {
	return c.gpu.Device.Do(func() error {
		for len(rates) > 0 {
			n := min(len(rates), cfrChunk)
			if err := c.rates.Slice(0, 4*n).Upload(c.gpu.Stream, unsafe.Slice(&rates[0].Positive, 4*n)); err != nil {
				return err
			}
			if err := c.chunk(n); err != nil {
				return err
			}
			rates = rates[n:]
		}
		return c.gpu.Stream.Sync()
	})
}

// chunk puts n iterations on the stream.
func (c *Trainer) chunk(n int) error {
	if t := c.tiny; t != nil {
		return t.kernel.Launch(c.gpu.Stream, t.grid(&c.game, c.options), t.words.Arg(), t.constants.Arg(),
			c.regret.floats.Arg(), c.matched.floats.Arg(), c.sum.floats.Arg(), c.rates.Arg(),
			driver.U32(uint32(n)), driver.U32(uint32(t.words.Len())), driver.U32(uint32(t.constants.Len())), driver.U32(uint32(c.game.Entries)))
	}
	if err := c.clock.Zero(c.gpu.Stream); err != nil {
		return err
	}
	for ; n >= cfrTogether; n -= cfrTogether {
		if err := c.some.Launch(c.gpu.Stream); err != nil {
			return err
		}
	}
	for range n {
		if err := c.one.Launch(c.gpu.Stream); err != nil {
			return err
		}
	}
	return nil
}

// Array is an array over all entries of one copy: floats, or 16-bit numbers
// and their scales.
type Array struct {
	Floats []float32
	Halves []int16
	Scales []float32
}

// State are the state of one copy of a game: regrets, what strategies are
// matched to where that is predicted, and sums of strategies.
type State struct{ Regret, Matched, Sum Array }

// Download copies the state of one copy of the game, but for slices that are
// nil.
func (c *Trainer) Download(copy int, to State) error {
	return c.transfer(copy, to, driver.Buffer[float32].Download, driver.Buffer[int16].Download)
}

// Upload sets the state of one copy of the game, but for slices that are nil.
func (c *Trainer) Upload(copy int, from State) error {
	return c.transfer(copy, from, driver.Buffer[float32].Upload, driver.Buffer[int16].Upload)
}

func (c *Trainer) transfer(copy int, a State, floats func(driver.Buffer[float32], *driver.Stream, []float32) error,
	halves func(driver.Buffer[int16], *driver.Stream, []int16) error) error {
	var errs []error
	for _, x := range []struct {
		device cfrNumbers
		host   Array
	}{{c.regret, a.Regret}, {c.matched, a.Matched}, {c.sum, a.Sum}} {
		if n := len(x.host.Floats); n > 0 {
			errs = append(errs, floats(x.device.floats.Slice(copy*n, (copy+1)*n), c.gpu.Stream, x.host.Floats))
		}
		if n := len(x.host.Halves); n > 0 {
			errs = append(errs, halves(x.device.halves.Slice(copy*n, (copy+1)*n), c.gpu.Stream, x.host.Halves))
		}
		if n := len(x.host.Scales); n > 0 {
			errs = append(errs, floats(x.device.scales.Slice(copy*n, (copy+1)*n), c.gpu.Stream, x.host.Scales))
		}
	}
	return errors.Join(errs...)
}
