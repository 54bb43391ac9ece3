package cfrgpu

import (
	"errors"
	"fmt"
	"unsafe"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A kernelSet is the kernels of one kind of traversal, which have the same names
// between a prefix and a suffix.
type kernelSet struct {
	module, prefix, suffix string
	evaluating             bool // or else training
}

var (
	trainFloats    = kernelSet{"train", "train", "", false}
	trainQuantized = kernelSet{"train16", "train", "_16", false}
	evaluate       = kernelSet{"evaluate", "evaluate", "", true}
)

const (
	// maxThreads is how many threads a block has at most.
	maxThreads = 320
	// minEarlyThreads is how many threads a block of an earlier round has at least, if
	// it has enough decisions, of four buckets each.
	minEarlyThreads = 256
	// maxScript is how many words of a segment's script are kept in shared memory if
	// its vectors are not there.
	maxScript = 6 << 10
	// blocksInGlobal is how many blocks a multiprocessor has where their vectors are
	// in global memory.
	blocksInGlobal = 2
)

// narrowMaxThreads is how many threads a block of the kernels for narrow boards has
// at most, by hole cards: these kernels use more registers.
var narrowMaxThreads = [...]int{1: 32, 2: 192}

// A traversal goes through the tree of a game for a player, by a fixed sequence of
// launches: down the rounds before the last, through the last and back up. Its
// vectors have numbers of type R, float32 to train and float64 to evaluate. A are
// the arrays over all entries that its kernels take.
type traversal[R float32 | float64, A any] struct {
	gpu     *launch.Launcher
	kernels kernelSet
	plan    *plan

	words        driver.Buffer[uint32]
	constants    driver.Buffer[float32]
	weights      driver.Buffer[R]
	frames       driver.Buffer[R] // the vectors of earlier rounds
	scratch      driver.Buffer[R] // those of the last round, where it is inGlobal
	steps        []step[R, A]
	sideStreams  []sideStream
	fork         *driver.Event
	inGlobal     bool // the last round's vectors are in global memory
	width        int  // width of the last round's widest part, where it is inGlobal
	blockScratch int  // floats for all vectors of a block, likewise
	scratchLen   int
}

// A step is a launch: of a traversal kernel for some parts of a round, or for the
// means over a round's boards.
type step[R float32 | float64, A any] struct {
	round    int
	grid     driver.Grid
	traverse *launch.Kernel[traverseParams[R, A]] // or
	mean     *launch.Kernel[meanParams[R]]
	buckets  int // buckets of a block, for a mean
	class    partClass
	script   int  // words of a segment's script in shared memory
	inShared bool // vectors are in shared memory
	side     int  // if not 0, the step runs on this side stream, counted from 1
}

// A sideStream runs a launch that does not depend on the launches next to it.
type sideStream struct {
	stream *driver.Stream
	done   *driver.Event
}

// The parameters of the kernels.
type (
	traverseParams[R float32 | float64, A any] struct {
		Plan            driver.Buffer[uint32]
		Constants       driver.Buffer[float32]
		Frames, Scratch driver.Buffer[R]
		Arrays          A
		Work            workParams
	}
	// workParams say which part of the tree a launch goes through, see Work in
	// segment.cuh.
	workParams struct {
		Round, Player, Parts          uint32
		SegmentsAt, Segments, PartsAt uint32 // At are offsets in the plan
		Script, Width, BlockScratch   uint32
	}
	trainArrays struct {
		Regret, Matched, Sum                   driver.Arg // floats or 16-bit numbers
		RegretScales, MatchedScales, SumScales driver.Buffer[float32]
		Discounts                              driver.Buffer[float32]
		Clock                                  driver.Buffer[uint32]
		Ahead                                  uint32 // iterations after the clock's
	}
	evaluateArrays struct {
		Sum       driver.Arg // floats or 16-bit numbers
		SumScales driver.Buffer[float32]
	}
	meanParams[R float32 | float64] struct {
		Plan            driver.Buffer[uint32]
		Weights, Frames driver.Buffer[R]
		Round, Buckets  uint32
	}
)

// newTraversal plans traversals, if they are possible on a device.
func newTraversal[R float32 | float64, A any](d *driver.Device, g *Game, kernels kernelSet) (*traversal[R, A], error) {
	t := &traversal[R, A]{kernels: kernels, plan: newPlan(g, kernels.evaluating)}
	last := len(g.Rounds) - 1
	for r := range g.Rounds {
		classes := t.plan.classes
		if r < last {
			classes = t.plan.early[r : r+1]
		}
		for _, c := range classes {
			if c.columns > maxThreads*bucketsPerThread {
				return nil, fmt.Errorf("cfr: a board has %d buckets, and a block can have %d: %w", c.columns,
					maxThreads*bucketsPerThread, errors.ErrUnsupported)
			}
			s := t.step(d, r, c)
			if need, has := s.grid.Shared, d.Info().SharedPerBlock; need > has {
				return nil, fmt.Errorf("cfr: a betting round takes %d bytes of shared memory a block, %v has %d: %w",
					need, d, has, errors.ErrUnsupported)
			}
			t.inGlobal = t.inGlobal || r == last && !s.inShared
		}
	}
	if t.inGlobal {
		t.width = t.plan.classes[0].columns
		t.blockScratch = t.maxVectors(last) * t.width
		t.scratchLen = d.Info().Multiprocessors * blocksInGlobal * t.blockScratch
	}
	return t, nil
}

// modules returns the modules of the kernels.
func (t *traversal[R, A]) modules() []string { return []string{"mean", t.kernels.module} }

// floatBytes returns the size of a number in vectors.
func (t *traversal[R, A]) floatBytes() int {
	var number R
	return int(unsafe.Sizeof(number))
}

// bytes returns how much memory of the device a traversal takes.
func (t *traversal[R, A]) bytes() int {
	return 4*(len(t.plan.words)+len(t.plan.constants)) + t.floatBytes()*(len(t.plan.weights)+t.plan.frames+t.scratchLen)
}

// maxVectors returns how many vectors a segment of a round has at most.
func (t *traversal[R, A]) maxVectors(round int) int {
	n := 0
	for _, s := range t.plan.segments {
		if int(s.round) == round {
			n = max(n, int(s.vectors))
		}
	}
	return n
}

// step plans the launch for a class of parts of a round, with vectors in shared
// memory if there is room.
func (t *traversal[R, A]) step(d *driver.Device, r int, c partClass) step[R, A] {
	g := t.plan.game
	s := step[R, A]{round: r, class: c, inShared: true}
	columns := c.columns / bucketsPerThread
	threads, decisions := columns, 0
	for _, x := range t.plan.segments[g.Rounds[r].FirstSegment:][:g.Rounds[r].Segments] {
		s.script = max(s.script, int(x.words[0]), int(x.words[1]))
		decisions = max(decisions, int(x.opsDown))
	}
	if r < len(g.Rounds)-1 {
		threads = max(threads, min(max(decisions*columns, 2*launch.Warp), minEarlyThreads))
	}
	threads = launch.Whole(max(1, threads))
	shared := int(unsafe.Sizeof(planRound{})+unsafe.Sizeof(planSegment{})) + 4*s.script +
		2*t.floatBytes()*t.sumLen(r, c, threads) // two sums at a time
	s.grid = driver.Grid{Blocks: g.Rounds[r].Segments * c.parts, Threads: threads, Shared: shared}
	s.grid.Shared += t.maxVectors(r) * c.columns * t.floatBytes()
	if s.grid.Shared > d.Info().SharedPerBlock {
		s.inShared, s.grid.Shared = false, shared
		if s.script > maxScript {
			s.grid.Shared -= 4 * s.script
			s.script = 0
		}
	}
	return s
}

// sumLen returns how many floats a sum over one player's reach takes, see
// terminal.cuh.
func (t *traversal[R, A]) sumLen(r int, c partClass, threads int) int {
	if t.plan.game.HoleCards == 1 {
		return 2*c.columns + c.columns/2 + c.columns/Lanes
	}
	const super = 8
	supers := threads * bucketsPerThread / (Lanes * super)
	return c.columns + 1 + c.cards*(t.plan.game.Rounds[r].Hands+1) + supers
}

// load puts the plan on the device of a launcher, and finds the kernels of all
// steps.
func (t *traversal[R, A]) load(l *launch.Launcher) {
	t.gpu = l
	t.words, t.constants = launch.Upload(l, t.plan.words), launch.Upload(l, t.plan.constants)
	t.weights = launch.Upload(l, convert[R](t.plan.weights))
	t.frames, t.scratch = launch.Alloc[R](l, t.plan.frames), launch.Alloc[R](l, t.scratchLen)
	// Each kernel is found once, because it records how much shared memory all its
	// launches may take.
	found := map[string]*launch.Kernel[traverseParams[R, A]]{}
	find := func(name string) *launch.Kernel[traverseParams[R, A]] {
		if found[name] == nil {
			found[name] = launch.Find[traverseParams[R, A]](l, t.kernels.prefix+name+t.kernels.suffix)
		}
		return found[name]
	}
	cards := "_one"
	if t.plan.game.HoleCards == 2 {
		cards = "_two"
	}
	mean := launch.Find[meanParams[R]](l, t.kernels.prefix+"_mean")
	last := len(t.plan.game.Rounds) - 1
	// add adds the launch of a kernel, or of its variant with vectors in global memory.
	add := func(r int, c partClass, name, large string) {
		s := t.step(l.Device, r, c)
		if !s.inShared {
			name = large
		}
		s.traverse = find(name)
		if r == last && !s.inShared {
			s.grid.Blocks = min(s.grid.Blocks, l.Device.Info().Multiprocessors*blocksInGlobal)
		}
		t.steps = append(t.steps, s)
	}
	for r := range last {
		add(r, t.plan.early[r], "_down", "_down_large")
	}
	for i, c := range t.plan.classes {
		name := "_last"
		if !t.kernels.evaluating &&
			(c.columns+bucketsPerThread-1)/bucketsPerThread <= narrowMaxThreads[t.plan.game.HoleCards] {
			name = "_narrow"
		}
		add(last, c, cards+name, cards+"_large")
		if i > 0 && !t.inGlobal { // where it is they share the scratch memory
			t.steps[len(t.steps)-1].side = i
			t.sideStreams = append(t.sideStreams,
				sideStream{launch.Keep(l, l.Device.NewStream), launch.Keep(l, l.Device.NewEvent)})
		}
	}
	if len(t.sideStreams) > 0 {
		t.fork = launch.Keep(l, l.Device.NewEvent)
	}
	for r := last - 1; r >= 0; r-- {
		t.steps = append(t.steps, t.meanStep(r, mean))
		add(r, t.plan.early[r], cards+"_up", cards+"_up_large")
	}
}

// meanStep plans the launch for the means over the boards after a round.
func (t *traversal[R, A]) meanStep(r int, kernel *launch.Kernel[meanParams[R]]) step[R, A] {
	m := t.plan.means[r]
	blocks := m.deals * ((t.plan.game.Rounds[r].Stride + m.buckets - 1) / m.buckets)
	if t.kernels.evaluating {
		blocks *= 2
	}
	threads := m.buckets * m.threads
	grid := driver.Grid{Blocks: max(1, blocks), Threads: threads, Shared: t.floatBytes() * threads}
	return step[R, A]{round: r, mean: kernel, grid: grid, buckets: m.buckets}
}

// traverse puts a traversal for a player on the stream.
func (t *traversal[R, A]) traverse(player uint32, arrays A) error {
	for i := range t.steps {
		next := 0 // the side stream of the step after this one
		if i+1 < len(t.steps) {
			next = t.steps[i+1].side
		}
		if err := t.launch(&t.steps[i], next, player, arrays); err != nil {
			return err
		}
	}
	return nil
}

// launch launches a step, on the stream or on its side stream. Side streams start
// after the last step before them, and the step after them waits for all.
func (t *traversal[R, A]) launch(s *step[R, A], next int, player uint32, arrays A) error {
	main, stream := t.gpu.Stream, t.gpu.Stream
	if s.side == 0 && next > 0 {
		if err := t.fork.Record(main); err != nil {
			return err
		}
	}
	if s.side > 0 {
		stream = t.sideStreams[s.side-1].stream
		if err := stream.Wait(t.fork); err != nil {
			return err
		}
	}
	if err := t.launchOn(stream, s, player, arrays); err != nil || s.side == 0 {
		return err
	}
	done := t.sideStreams[s.side-1].done
	if err := done.Record(stream); err != nil || next > 0 {
		return err
	}
	for _, side := range t.sideStreams {
		if err := main.Wait(side.done); err != nil {
			return err
		}
	}
	return nil
}

func (t *traversal[R, A]) launchOn(stream *driver.Stream, s *step[R, A], player uint32, arrays A) error {
	if s.mean != nil {
		return s.mean.Launch(stream, s.grid,
			meanParams[R]{t.words, t.weights, t.frames, uint32(s.round), uint32(s.buckets)})
	}
	segments, parts := t.plan.offsets(s.round)
	return s.traverse.Launch(stream, s.grid, traverseParams[R, A]{
		Plan: t.words, Constants: t.constants, Frames: t.frames, Scratch: t.scratch, Arrays: arrays,
		Work: workParams{
			Round: uint32(s.round), Player: player, Parts: uint32(s.class.parts),
			SegmentsAt: uint32(segments), Segments: uint32(t.plan.game.Rounds[s.round].Segments),
			PartsAt: uint32(parts + 4*s.class.first),
			Script:  uint32(s.script), Width: uint32(t.width), BlockScratch: uint32(t.blockScratch),
		},
	})
}
