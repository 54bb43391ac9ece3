package cudalib

import (
	"errors"
	"fmt"
	"unsafe"

	"gamebots/cudalib/driver"
)

// walkKind is what walks are for: which numbers they are done with.
type walkKind struct {
	module, kernels, suffix string
	valuing                 bool
}

var (
	walkFloats = walkKind{"walk", "walk", "", false}
	walkHalves = walkKind{"walk_16", "walk", "_16", false}
	walkValues = walkKind{"walk_value", "value", "", true}
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
	large                 bool // the last round's vectors are in global memory, in room
	rooms                 int  // numbers
}

// walkNumbers is an array of either.
type walkNumbers struct {
	f32 driver.Buffer[float32]
	f64 driver.Buffer[float64]
}

func (w *walks) alloc(l *launcher, n int) (x walkNumbers) {
	if w.kind.valuing {
		x.f64 = alloc[float64](l, n)
	} else {
		x.f32 = alloc[float32](l, n)
	}
	return x
}

func (w *walks) arg(x walkNumbers) driver.Arg {
	if w.kind.valuing {
		return x.f64.Arg()
	}
	return x.f32.Arg()
}

// walkStep is a launch.
type walkStep struct {
	kernel *driver.Kernel
	grid   driver.Grid
	mean   int // threads of a bucket, for a mean
	round  int
	class  walkClass
	script int
}

// newWalks plans walks, if they are possible on a device.
func newWalks(d *Device, g *CFRGame, kind walkKind) (*walks, error) {
	w := &walks{kind: kind, plan: newWalkPlan(g, kind.valuing)}
	for r := range g.Rounds {
		classes := w.plan.classes
		if r < len(w.plan.early) {
			classes = w.plan.early[r : r+1]
		}
		for _, c := range classes {
			if c.columns > walkThreads*cfrSpan {
				return nil, fmt.Errorf("cfr: a board has %d buckets, of which a block can have %d: %w", c.columns, walkThreads*cfrSpan, errors.ErrUnsupported)
			}
			last := r == len(g.Rounds)-1
			if s := w.step(d, r, c, last && !w.large); last && s.grid.Shared > d.Info().SharedPerBlock {
				w.large = true
			}
		}
	}
	for _, c := range w.plan.classes {
		if need, has := w.step(d, len(g.Rounds)-1, c, !w.large).grid.Shared, d.Info().SharedPerBlock; need > has {
			return nil, fmt.Errorf("cfr: a betting round takes %d bytes of shared memory a block, %v has %d: %w", need, d, has, errors.ErrUnsupported)
		}
	}
	if w.large {
		w.rooms = d.Info().Multiprocessors * walkLargeBlocks * w.widest() * w.plan.classes[0].columns
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

// widest returns how many vectors a segment of the last round has at most.
func (w *walks) widest() int {
	n := 0
	for _, s := range w.plan.segments {
		if int(s.round) == len(w.plan.game.Rounds)-1 {
			n = max(n, int(s.vectors))
		}
	}
	return n
}

// step plans the launch for a class of parts of a round; vectors is whether its
// vectors are in shared memory.
func (w *walks) step(d *Device, r int, c walkClass, vectors bool) walkStep {
	s := walkStep{round: r, class: c}
	g := w.plan.game
	threads := max(warp, (c.columns/cfrSpan+warp-1)/warp*warp)
	words := 0
	for _, x := range w.plan.segments[g.Rounds[r].FirstSegment:][:g.Rounds[r].Segments] {
		words = max(words, int(x.words[0]), int(x.words[1]))
	}
	header := int(unsafe.Sizeof(walkRound{}) + unsafe.Sizeof(walkSegment{}))
	if vectors {
		header += w.widest() * c.columns * w.number()
	} else if words > walkScript {
		words = 0
	}
	s.script = words
	shared := header + 4*words + 2*w.number()*w.sumNumbers(r, c) // two sums at a time
	s.grid = driver.Grid{Blocks: g.Rounds[r].Segments * c.parts, Threads: threads, Shared: shared}
	return s
}

// walkScript is how many words of a segment's script are kept in shared memory if
// its vectors are not there.
const walkScript = 6 << 10

// sumNumbers returns how many numbers a sum over one player's reach takes, as
// kernels/walk_ends.cuh has them.
func (w *walks) sumNumbers(r int, c walkClass) int {
	if w.plan.game.HoleCards == 1 {
		return 2*c.columns + c.columns/CFRLanes
	}
	const super = 8
	supers := (c.columns/cfrSpan + warp - 1) / warp * warp * cfrSpan / (CFRLanes * super)
	return c.columns + 1 + c.cards*(w.plan.game.Rounds[r].Hands+1) + supers
}

// load puts what walks need on the device of a launcher.
func (w *walks) load(l *launcher) {
	w.stream = l.stream
	w.words, w.constants = upload(l, w.plan.words), upload(l, w.plan.constants)
	if w.kind.valuing {
		w.weights.f64 = upload(l, w.plan.weights)
	} else {
		w.weights.f32 = upload(l, floats(w.plan.weights))
	}
	w.frames, w.room = w.alloc(l, w.plan.frames), w.alloc(l, w.rooms)
	kernel := func(name string) *driver.Kernel {
		k, _ := l.kernel(w.kind.kernels+name+w.kind.suffix, walkThreads)
		return k
	}
	cards := "_one"
	if w.plan.game.HoleCards == 2 {
		cards = "_two"
	}
	down, up := kernel("_down"), kernel(cards+"_up")
	last := kernel(cards + "_last")
	if w.large {
		last = kernel(cards + "_large")
	}
	mean, _ := l.kernel(w.kind.kernels+"_mean", meanThreads)
	if l.err != nil {
		return
	}
	end := len(w.plan.game.Rounds) - 1
	for r := range end {
		s := w.step(l.device, r, w.plan.early[r], false)
		s.kernel = down
		w.steps = append(w.steps, s)
	}
	for _, c := range w.plan.classes {
		s := w.step(l.device, end, c, !w.large)
		if s.kernel = last; w.large {
			s.grid.Blocks = min(s.grid.Blocks, l.device.Info().Multiprocessors*walkLargeBlocks)
		}
		w.steps = append(w.steps, s)
	}
	for r := end - 1; r >= 0; r-- {
		s := w.step(l.device, r, w.plan.early[r], false)
		s.kernel = up
		w.steps = append(w.steps, w.mean(r, mean), s)
	}
}

// mean plans the launch for the means over the boards after a round.
func (w *walks) mean(r int, kernel *driver.Kernel) walkStep {
	m := w.plan.means[r]
	threads := 1 // of a bucket
	for threads < min(m.shares, warp) {
		threads *= 2
	}
	all := m.buckets * threads
	if w.kind.valuing {
		all *= 2
	}
	grid := driver.Grid{Blocks: max(1, (all+meanThreads-1)/meanThreads), Threads: meanThreads}
	return walkStep{kernel: kernel, grid: grid, mean: threads, round: r}
}

// meanThreads is how many threads a block of means has.
const meanThreads = 128

// launches returns how many launches a walk takes.
func (w *walks) launches() int { return len(w.steps) }

// traverse puts a walk for a player on the stream. What the kernels take between
// the vectors and the work is given.
func (w *walks) traverse(player uint32, numbers ...driver.Arg) error {
	frames, room := w.arg(w.frames), w.arg(w.room)
	u32 := func(n int) driver.Arg { return driver.U32(uint32(n)) }
	for _, s := range w.steps {
		args := []driver.Arg{w.words.Arg(), w.arg(w.weights), frames, u32(s.round), u32(s.mean)}
		if s.mean == 0 {
			args = append([]driver.Arg{w.words.Arg(), w.constants.Arg(), frames, room}, numbers...)
			args = append(args, u32(s.round), driver.U32(player), u32(s.class.first), u32(s.class.parts),
				u32(s.script), u32(w.plan.classes[0].columns))
		}
		if err := s.kernel.Launch(w.stream, s.grid, args...); err != nil {
			return err
		}
	}
	return nil
}
