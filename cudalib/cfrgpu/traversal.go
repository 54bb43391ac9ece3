package cfrgpu

import (
	"errors"
	"fmt"
	"unsafe"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
)

// walkKind is what walks are for: which numbers they are done with.
type walkKind struct {
	module, kernels, suffix string
	valuing                 bool
}

var (
	walkFloats = walkKind{"train", "walk", "", false}
	walkHalves = walkKind{"train16", "walk", "_16", false}
	walkValues = walkKind{"evaluate", "value", "", true}
)

// walkTraining returns the kind that trains.
func walkTraining(half bool) walkKind {
	if half {
		return walkHalves
	}
	return walkFloats
}

// walkThreads is how many threads a block of walk.cuh has at most.
const walkThreads = 320

// walkNarrow is how many threads a block of the kernels for narrow boards has at most,
// by hole cards: they have more registers.
var walkNarrow = [...]int{1: 32, 2: 192}

// walks are done through a game for a player: what all walks of a launcher have
// in common, and the launches that one consists of.
type walks struct {
	kind walkKind
	plan *walkPlan

	words     driver.Buffer[uint32]
	constants driver.Buffer[float32]
	// Numbers of 32 bits to train, of 64 to value.
	weights, frames, room walkNumbers
	stream                *driver.Stream
	steps                 []walkStep
	beside                []walkBeside
	fork                  *driver.Event
	large                 bool // the last round's vectors are in global memory, in room
	width, space          int  // of the last round's widest part, and the numbers of all its vectors
	rooms                 int  // numbers
}

// walkNumbers is an array of either.
type walkNumbers struct {
	f32 driver.Buffer[float32]
	f64 driver.Buffer[float64]
}

func (w *walks) alloc(l *launch.Launcher, n int) (x walkNumbers) {
	if w.kind.valuing {
		x.f64 = launch.Alloc[float64](l, n)
	} else {
		x.f32 = launch.Alloc[float32](l, n)
	}
	return x
}

func (w *walks) arg(x walkNumbers) driver.Arg {
	if w.kind.valuing {
		return x.f64.Arg()
	}
	return x.f32.Arg()
}

// walkBeside is a stream for a launch that need not wait for the one before it.
type walkBeside struct {
	stream *driver.Stream
	done   *driver.Event
}

// walkStep is a launch.
type walkStep struct {
	kernel  *driver.Kernel
	grid    driver.Grid
	buckets int // of a block, for a mean
	round   int
	class   walkClass
	script  int
	kept    bool // vectors are in shared memory
	beside  int  // so many of the launches before may be done at the same time
}

// newWalks plans walks, if they are possible on a device.
func newWalks(d *driver.Device, g *Game, kind walkKind) (*walks, error) {
	w := &walks{kind: kind, plan: newWalkPlan(g, kind.valuing)}
	end := len(g.Rounds) - 1
	for r := range g.Rounds {
		classes := w.plan.classes
		if r < end {
			classes = w.plan.early[r : r+1]
		}
		for _, c := range classes {
			if c.columns > walkThreads*cfrSpan {
				return nil, fmt.Errorf("cfr: a board has %d buckets, of which a block can have %d: %w", c.columns, walkThreads*cfrSpan, errors.ErrUnsupported)
			}
			s := w.step(d, r, c)
			if need, has := s.grid.Shared, d.Info().SharedPerBlock; need > has {
				return nil, fmt.Errorf("cfr: a betting round takes %d bytes of shared memory a block, %v has %d: %w", need, d, has, errors.ErrUnsupported)
			}
			w.large = w.large || r == end && !s.kept
		}
	}
	if w.large {
		w.width = w.plan.classes[0].columns
		w.space = w.widest(end) * w.width
		w.rooms = d.Info().Multiprocessors * walkLargeBlocks * w.space
	}
	return w, nil
}

// walkLargeBlocks is how many blocks a multiprocessor has where their vectors are
// in global memory.
const walkLargeBlocks = 2

// module returns the module of the kernels.
func (w *walks) module() string { return w.kind.module }

// number is the size of a number in vectors.
func (w *walks) number() int {
	if w.kind.valuing {
		return 8
	}
	return 4
}

// bytes returns how much memory of the device walks take.
func (w *walks) bytes() int {
	return 4*(len(w.plan.words)+len(w.plan.constants)) + w.number()*(len(w.plan.weights)+w.plan.frames+w.rooms)
}

// widest returns how many vectors a segment of a round has at most.
func (w *walks) widest(round int) int {
	n := 0
	for _, s := range w.plan.segments {
		if int(s.round) == round {
			n = max(n, int(s.vectors))
		}
	}
	return n
}

// step plans the launch for a class of parts of a round, with vectors in shared
// memory if there is room.
func (w *walks) step(d *driver.Device, r int, c walkClass) walkStep {
	g := w.plan.game
	s := walkStep{round: r, class: c, kept: true}
	columns := c.columns / cfrSpan
	threads, decisions := columns, 0
	for _, x := range w.plan.segments[g.Rounds[r].FirstSegment:][:g.Rounds[r].Segments] {
		s.script = max(s.script, int(x.words[0]), int(x.words[1]))
		decisions = max(decisions, int(x.before))
	}
	if r < len(g.Rounds)-1 {
		threads = max(threads, min(max(decisions*columns, 2*launch.Warp), walkEarlyThreads))
	}
	threads = max(1, (threads+launch.Warp-1)/launch.Warp) * launch.Warp
	shared := int(unsafe.Sizeof(walkRound{})+unsafe.Sizeof(walkSegment{})) + 4*s.script +
		2*w.number()*w.sumNumbers(r, c, threads) // two sums at a time
	s.grid = driver.Grid{Blocks: g.Rounds[r].Segments * c.parts, Threads: threads, Shared: shared}
	s.grid.Shared += w.widest(r) * c.columns * w.number()
	if s.grid.Shared > d.Info().SharedPerBlock {
		s.kept, s.grid.Shared = false, shared
		if s.script > walkScript {
			s.grid.Shared -= 4 * s.script
			s.script = 0
		}
	}
	return s
}

const (
	// walkScript is how many words of a segment's script are kept in shared memory if
	// its vectors are not there.
	walkScript = 6 << 10
	// walkEarlyThreads is how many threads a block of an earlier round has at least, if
	// there are so many decisions of four buckets each.
	walkEarlyThreads = 256
)

// sumNumbers returns how many numbers a sum over one player's reach takes, as
// kernels/walk_ends.cuh has them.
func (w *walks) sumNumbers(r int, c walkClass, threads int) int {
	if w.plan.game.HoleCards == 1 {
		return 2*c.columns + c.columns/2 + c.columns/Lanes
	}
	const super = 8
	supers := threads * cfrSpan / (Lanes * super)
	return c.columns + 1 + c.cards*(w.plan.game.Rounds[r].Hands+1) + supers
}

// load puts what walks need on the device of a launcher.
func (w *walks) load(l *launch.Launcher) {
	w.stream = l.Stream
	w.words, w.constants = launch.Upload(l, w.plan.words), launch.Upload(l, w.plan.constants)
	if w.kind.valuing {
		w.weights.f64 = launch.Upload(l, w.plan.weights)
	} else {
		w.weights.f32 = launch.Upload(l, floats(w.plan.weights))
	}
	w.frames, w.room = w.alloc(l, w.plan.frames), w.alloc(l, w.rooms)
	// Each kernel is found once, because it remembers how much shared memory all its
	// launches may take.
	kernels := map[string]*driver.Kernel{}
	kernel := func(name string, threads int) *driver.Kernel {
		if kernels[name] == nil {
			kernels[name], _ = l.Kernel(w.kind.kernels+name+w.kind.suffix, threads)
		}
		return kernels[name]
	}
	cards := "_one"
	if w.plan.game.HoleCards == 2 {
		cards = "_two"
	}
	mean, _ := l.Kernel(w.kind.kernels+"_mean", walkMeanThreads)
	end := len(w.plan.game.Rounds) - 1
	// step adds the launch of a kernel, or of that with vectors in global memory.
	step := func(r int, c walkClass, name, large string) {
		s := w.step(l.Device, r, c)
		if !s.kept {
			name = large
		}
		s.kernel = kernel(name, s.grid.Threads)
		if r == end && !s.kept {
			s.grid.Blocks = min(s.grid.Blocks, l.Device.Info().Multiprocessors*walkLargeBlocks)
		}
		w.steps = append(w.steps, s)
	}
	for r := range end {
		step(r, w.plan.early[r], "_down", "_down_large")
	}
	for i, c := range w.plan.classes {
		name := "_last"
		if !w.kind.valuing && (c.columns+cfrSpan-1)/cfrSpan <= walkNarrow[w.plan.game.HoleCards] {
			name = "_narrow"
		}
		step(end, c, cards+name, cards+"_large")
		if i > 0 && !w.large { // or else they share a room
			w.steps[len(w.steps)-1].beside = i
			w.beside = append(w.beside, walkBeside{launch.Keep(l, l.Device.NewStream), launch.Keep(l, l.Device.NewEvent)})
		}
	}
	if len(w.beside) > 0 {
		w.fork = launch.Keep(l, l.Device.NewEvent)
	}
	for r := end - 1; r >= 0; r-- {
		w.steps = append(w.steps, w.mean(r, mean))
		step(r, w.plan.early[r], cards+"_up", cards+"_up_large")
	}
}

// launches returns how many launches a walk takes.
func (w *walks) launches() int { return len(w.steps) }

// traverse puts a walk for a player on the stream. What the kernels take between
// the vectors and the work is given.
func (w *walks) traverse(player uint32, numbers ...driver.Arg) error {
	frames, room := w.arg(w.frames), w.arg(w.room)
	u32 := func(n int) driver.Arg { return driver.U32(uint32(n)) }
	for i, s := range w.steps {
		args := []driver.Arg{w.words.Arg(), w.arg(w.weights), frames, u32(s.round), u32(s.buckets)}
		if s.buckets == 0 {
			args = append([]driver.Arg{w.words.Arg(), w.constants.Arg(), frames, room}, numbers...)
			segments, parts := w.plan.places(s.round)
			args = append(args, u32(s.round), driver.U32(player), u32(s.class.parts), u32(segments), u32(w.plan.game.Rounds[s.round].Segments),
				u32(parts+4*s.class.first), u32(s.script), u32(w.width), u32(w.space))
		}
		next := 0 // as beside
		if i+1 < len(w.steps) {
			next = w.steps[i+1].beside
		}
		if err := w.launch(s, next, args); err != nil {
			return err
		}
	}
	return nil
}

// launch launches a step on the stream or beside it, where the step after it is so
// far from the first that it may be done at the same time as.
func (w *walks) launch(s walkStep, next int, args []driver.Arg) error {
	stream := w.stream
	if s.beside == 0 && next > 0 {
		if err := w.fork.Record(stream); err != nil {
			return err
		}
	}
	if s.beside > 0 {
		stream = w.beside[s.beside-1].stream
		if err := stream.Wait(w.fork); err != nil {
			return err
		}
	}
	if err := s.kernel.Launch(stream, s.grid, args...); err != nil || s.beside == 0 {
		return err
	}
	done := w.beside[s.beside-1].done
	if err := done.Record(stream); err != nil || next > 0 {
		return err
	}
	for _, b := range w.beside {
		if err := w.stream.Wait(b.done); err != nil {
			return err
		}
	}
	return nil
}
