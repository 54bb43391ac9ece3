package cfrgpu

import (
	"errors"
	"fmt"
	"unsafe"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// Discounts are how an iteration discounts earlier results: by factors on positive and
// on negative regrets, a lower bound of regrets, and a factor on the sum of strategies.
type Discounts struct{ Positive, Negative, Floor, Average float32 }

const (
	bucketsPerThread = 4
	// iterationsPerUpload is how many iterations have their discounts on the device at
	// a time.
	iterationsPerUpload = 256
	// iterationsPerGraph is how many iterations are one graph: the end of a graph and
	// the beginning of the next take a while.
	iterationsPerGraph = 4
)

// Options choose how games are trained.
type Options struct {
	// Predictive matches strategies to the regrets that the next iteration is expected
	// to leave, instead of the regrets so far.
	Predictive bool
	// Quantized keeps arrays in 16 bits, with a scale for every four buckets of a
	// decision.
	Quantized bool
	Copies    int // at least 1
}

// A Trainer trains copies of a game on a device, all of them alike, by vector-form
// counterfactual regret minimisation. It is used by one goroutine at a time.
type Trainer struct {
	gpu     *launch.Launcher
	game    Game
	options Options

	regret, matched, sum entryArray // entries of all copies, one after the other
	discounts            driver.Buffer[float32]
	tiny                 *tiny // one block trains a copy, or else
	traversal            *traversal[float32, trainArrays]
	clock                driver.Buffer[uint32] // iterations since the upload, and the number of the first one
	tick                 *launch.Kernel[tickParams]
	one, some            *driver.Graph // graphs of an iteration, and of iterationsPerGraph
}

// tickParams are the parameters of train_tick in mean.cu.
type tickParams struct {
	Clock driver.Buffer[uint32]
	By    uint32
}

// An entryArray is an array over all entries of all copies.
type entryArray struct {
	floats    driver.Buffer[float32] // or
	quantized driver.Buffer[int16]
	scales    driver.Buffer[float32]
}

// NewTrainer puts copies of a game on a device, with regrets and strategies of zero.
//
// The error is a [*driver.MemoryError] where the device has too little memory free,
// and errors.ErrUnsupported where the kernels cannot train the game on this device.
func NewTrainer(d *driver.Device, g Game, o Options) (*Trainer, error) {
	t := &Trainer{game: g, options: o}
	if err := t.prepare(d); err != nil {
		return nil, err
	}
	modules := []string{"tiny"}
	if t.tiny == nil {
		modules = t.traversal.modules()
	}
	t.gpu = launch.New(d, Modules, modules...)
	t.regret, t.sum = t.newArray(), t.newArray()
	t.matched = t.regret
	if o.Predictive {
		t.matched = t.newArray()
	}
	t.discounts, t.clock = launch.Alloc[float32](t.gpu, 4*iterationsPerUpload), launch.Alloc[uint32](t.gpu, 2)
	if t.tiny != nil {
		t.tiny.load(t.gpu)
	} else {
		t.traversal.load(t.gpu)
		t.tick = launch.Find[tickParams](t.gpu, "train_tick")
		capture := func(n int) *driver.Graph {
			return launch.Keep(t.gpu, func() (*driver.Graph, error) {
				return t.gpu.Stream.Capture(func() error { return t.iterations(n) })
			})
		}
		t.one, t.some = capture(1), capture(iterationsPerGraph)
	}
	return launch.Finish(t.gpu, t)
}

// Close frees the memory on the device.
func (t *Trainer) Close() error { return t.gpu.Close() }

// newArray makes an array of zeros over all entries.
func (t *Trainer) newArray() (x entryArray) {
	copies := t.options.Copies
	if t.options.Quantized {
		x.quantized, x.scales = launch.Zeros[int16](t.gpu, copies*t.game.Entries),
			launch.Zeros[float32](t.gpu, copies*t.game.Scales)
	} else {
		x.floats = launch.Zeros[float32](t.gpu, copies*t.game.Entries)
	}
	return x
}

// entries returns the address of the entries, for kernels.
func (x entryArray) entries() driver.Arg {
	if x.quantized.Len() > 0 {
		return x.quantized.Arg()
	}
	return x.floats.Arg()
}

// prepare plans the training, if that is possible on the device.
func (t *Trainer) prepare(d *driver.Device) error {
	g, o := &t.game, t.options
	bytes := 4 * g.Entries
	if o.Quantized {
		bytes = 2*g.Entries + 4*g.Scales
	}
	arrays := 2
	if o.Predictive {
		arrays = 3
	}
	need := arrays * o.Copies * bytes
	if tiny := newTiny(g); !o.Quantized && tiny != nil && tiny.shared(g, o.Predictive) <= d.Info().SharedPerBlock {
		t.tiny = tiny
	} else if o.Copies > 1 {
		return fmt.Errorf("cfr: %d copies of a game that is too large for one block: %w",
			o.Copies, errors.ErrUnsupported)
	} else {
		kernels := trainFloats
		if o.Quantized {
			kernels = trainQuantized
		}
		var err error
		if t.traversal, err = newTraversal[float32, trainArrays](d, g, kernels); err != nil {
			return err
		}
		need += t.traversal.bytes()
	}
	return d.RequireMemory(int64(need))
}

// iterations puts iterations of a game that is not tiny on the stream.
func (t *Trainer) iterations(n int) error {
	arrays := trainArrays{
		Regret: t.regret.entries(), Matched: t.matched.entries(), Sum: t.sum.entries(),
		RegretScales: t.regret.scales, MatchedScales: t.matched.scales, SumScales: t.sum.scales,
		Discounts: t.discounts, Clock: t.clock,
	}
	for arrays.Ahead = range uint32(n) {
		for player := range uint32(2) {
			if err := t.traversal.traverse(player, arrays); err != nil {
				return err
			}
		}
	}
	return t.tick.Launch(t.gpu.Stream, driver.Grid{Blocks: 1, Threads: 1}, tickParams{t.clock, uint32(n)})
}

// Iterate does an iteration for each of the discounts, and waits for the last. The iterations
// are numbered from first on.
func (t *Trainer) Iterate(first uint64, discounts []Discounts) error {
	return t.gpu.Device.Do(func() error {
		for len(discounts) > 0 {
			n := min(len(discounts), iterationsPerUpload)
			if err := t.discounts.Slice(0, 4*n).Upload(t.gpu.Stream,
				unsafe.Slice(&discounts[0].Positive, 4*n)); err != nil {
				return err
			}
			if err := t.launch(first, n); err != nil {
				return err
			}
			discounts, first = discounts[n:], first+uint64(n)
		}
		return t.gpu.Stream.Sync()
	})
}

// launch puts n iterations on the stream, from first on, by the discounts on the device.
func (t *Trainer) launch(first uint64, n int) error {
	if x := t.tiny; x != nil {
		return x.train.Launch(t.gpu.Stream, x.grid(&t.game, t.options), tinyParams{
			Plan: x.words, Constants: x.constants, Regret: t.regret.floats, Matched: t.matched.floats,
			Sum: t.sum.floats, Discounts: t.discounts,
			Iterations: uint32(n), PlanWords: uint32(x.words.Len()), NumConstants: uint32(x.constants.Len()),
			Entries: uint32(t.game.Entries),
		})
	}
	if err := t.clock.Upload(t.gpu.Stream, []uint32{0, uint32(first)}); err != nil {
		return err
	}
	for ; n >= iterationsPerGraph; n -= iterationsPerGraph {
		if err := t.some.Launch(t.gpu.Stream); err != nil {
			return err
		}
	}
	for range n {
		if err := t.one.Launch(t.gpu.Stream); err != nil {
			return err
		}
	}
	return nil
}

// An Array is an array over all entries of one copy: floats, or 16-bit numbers and
// their scales.
type Array struct {
	Floats    []float32
	Quantized []int16
	Scales    []float32
}

// State is the state of one copy of a game: regrets, the regrets that strategies are
// matched to where these are predicted, and sums of strategies.
type State struct{ Regret, Matched, Sum Array }

// Download copies the state of one copy of the game, numbered from 0, except for slices
// that are nil.
func (t *Trainer) Download(game int, to State) error {
	return t.transfer(game, to, driver.Buffer[float32].Download, driver.Buffer[int16].Download)
}

// Upload sets the state of one copy of the game, except for slices that are nil.
func (t *Trainer) Upload(game int, from State) error {
	return t.transfer(game, from, driver.Buffer[float32].Upload, driver.Buffer[int16].Upload)
}

func (t *Trainer) transfer(game int, s State, floats func(driver.Buffer[float32], *driver.Stream, []float32) error,
	quantized func(driver.Buffer[int16], *driver.Stream, []int16) error) error {
	var errs []error
	for _, x := range []struct {
		device entryArray
		host   Array
	}{{t.regret, s.Regret}, {t.matched, s.Matched}, {t.sum, s.Sum}} {
		if n := len(x.host.Floats); n > 0 {
			errs = append(errs, floats(x.device.floats.Slice(game*n, (game+1)*n), t.gpu.Stream, x.host.Floats))
		}
		if n := len(x.host.Quantized); n > 0 {
			errs = append(errs, quantized(x.device.quantized.Slice(game*n, (game+1)*n), t.gpu.Stream, x.host.Quantized))
		}
		if n := len(x.host.Scales); n > 0 {
			errs = append(errs, floats(x.device.scales.Slice(game*n, (game+1)*n), t.gpu.Stream, x.host.Scales))
		}
	}
	return errors.Join(errs...)
}

const (
	// maxMeanThreads is how many threads a block of means has at most, and
	// fewMeanThreads how many where it has fewer partial sums than that.
	maxMeanThreads = 512
	fewMeanThreads = 128
)

// A mean plans the means over the boards after a round.
type mean struct {
	deals    int
	partials int // most partial sums of the boards
	buckets  int // adjacent ones of a deal, in a block
	threads  int // for each bucket
}

func newMean(x *Round, deals int) mean {
	m := mean{deals: deals, threads: 1}
	for h := range x.Stride {
		m.partials = max(m.partials, int(x.PartialStart[h+1]-x.PartialStart[h]))
	}
	for m.threads < min(m.partials, maxMeanThreads/Lanes) {
		m.threads *= 2
	}
	m.buckets = min(launch.Warp, maxMeanThreads/m.threads)
	for m.buckets > Lanes && m.buckets*m.threads > fewMeanThreads {
		m.buckets /= 2
	}
	return m
}

// interleave puts the children of a block's buckets side by side, as
// segment.cuh reads them: where those of each partial sum start, how many of
// them each bucket has, and the children. Buckets with fewer are padded.
func (m mean) interleave(x *Round) (start, num, children []uint32) {
	for first := 0; first < x.Stride; first += m.buckets {
		for partial := range m.partials {
			lists, longest := make([][]uint32, m.buckets), 0
			for i := range lists {
				if h := first + i; h < x.Stride && int(x.PartialStart[h])+partial < int(x.PartialStart[h+1]) {
					k := int(x.PartialStart[h]) + partial
					lists[i] = x.Children[x.Partials[k]:x.Partials[k+1]]
					longest = max(longest, len(lists[i]))
				}
				num = append(num, uint32(len(lists[i])))
			}
			start = append(start, uint32(len(children)))
			for k := range longest {
				for _, list := range lists {
					child := uint32(0)
					if k < len(list) {
						child = list[k]
					}
					children = append(children, child)
				}
			}
		}
	}
	return start, num, children
}
