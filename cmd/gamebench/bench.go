package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
)

// Bench measures one part of the program. It emits a row for each figure; Run fills
// in their fields Bench and Device.
type Bench struct {
	Name, About string
	cpu         func(ctx context.Context, emit func(Row)) // fails as check does, like those that follow
	gpu         gpuBench                                  // nil where no GPU is measured
	deals       func(deals Deals) gpuBench                // instead of both, on a GPU unless the device is nil
}

// gpuBench measures on a GPU and emits a row for each figure.
type gpuBench func(ctx context.Context, d *cudalib.Device, emit func(Row))

// Deals are those from the First to the Last, counted from 1; all that a bench plays by itself if both are 0.
type Deals struct{ First, Last int }

// ParseDeals parses deals such as 101-200, or "" for all.
func ParseDeals(text string) (d Deals, err error) {
	if text == "" {
		return d, nil
	}
	_, err = fmt.Sscanf(text, "%d-%d", &d.First, &d.Last)
	if err != nil || d.First < 1 || d.Last < d.First || text != fmt.Sprintf("%d-%d", d.First, d.Last) {
		return d, fmt.Errorf("%q is not a range of deals such as 101-200", text)
	}
	return d, nil
}

// benches are all benches by name.
var benches = []Bench{
	{Name: "arena", About: "hands of a tournament in process, with its results stored", cpu: benchArena},
	{Name: "bots", About: "a server's own bots, while one account challenges them to 500 games", cpu: fullBots.run},
	{Name: "cfr", About: "training of Leduc to a target", cpu: benchCFR},
	{Name: "cfr-vector", About: "training of all cards at once", cpu: fullVector.onCPU, gpu: fullVector.onGPU},
	{Name: "copy", About: "bandwidth of memory, and launches of a GPU", cpu: benchCopy, gpu: benchCopyGPU},
	{Name: "havannah", About: "random games of Havannah, and moves rated by them", cpu: fullHavannah.onCPU,
		gpu: fullHavannah.onGPU},
	{Name: "nash", About: "all equilibria of random games", cpu: benchNash, gpu: fullNash.onGPU},
	{Name: "nim", About: "first moves of Nim, and a board solved", cpu: fullNim.onCPU, gpu: fullNim.onGPU},
	{Name: "player", About: "search of the Havannah player", cpu: fullPlayer.onCPU, gpu: fullPlayer.onGPU},
	{Name: "reis", About: "the programs of Reis (2015), and batches of deals", cpu: fullReis.onCPU,
		gpu: fullReis.onGPU},
	{Name: "solving-lbr", About: "what a local best response wins from no-limit hands solved in play, in hours",
		deals: fullSolvingLBR.of},
}

// gone are the names of benches that are no more.
var gone = strings.Fields("aivat algorithms batches best-response boards buckets cfr-br dealer degeneracy extensive " +
	"flood flops grid hand hexnet hexproto menus pcs proofs resolve sampling scaling selfplay snake solving " +
	"solving-flops solving-turns spot strategy sum")

// Named returns the bench of a name.
func Named(name string) (Bench, error) {
	var names []string
	for _, b := range benches {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	if slices.Contains(gone, name) {
		return Bench{}, usererr.Usagef("benchmark %q went with 0.3.0 (commit 5b68c516 still has it)", name)
	}
	err := usererr.Usagef("unknown benchmark %q", name)
	if near := usererr.Meant(name, names); near != "" {
		err = fmt.Errorf("%w, the nearest is %s", err, near)
	}
	return Bench{}, usererr.WithHint(err, "gamebench lists them")
}

// Run measures on the CPU and then on a GPU, where the bench has a loop for one;
// device picks one of the two. The deals are for benches that play some.
func (b Bench) Run(ctx context.Context, device cudalib.Choice, deals Deals, emit func(Row) error) error {
	if b.deals != nil {
		b.gpu = b.deals(deals)
		b.cpu = func(ctx context.Context, emit func(Row)) { b.gpu(ctx, nil, emit) }
	} else if deals != (Deals{}) {
		err := usererr.Usagef("--deals: bench %s plays no deals", b.Name)
		return usererr.WithHint(err, "solving-lbr does")
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	records := newRecorder(b.Name, emit, stop)
	err := try(func() {
		if !device.GPU() {
			b.cpu(ctx, records.emit)
		}
		b.runOnGPU(ctx, device, records.emit)
	})
	return cmp.Or(records.err(), err)
}

// runOnGPU measures on a GPU if the bench has a part for it and there is a GPU. The
// choice may ask for one, and is an error where the bench has no such part.
func (b Bench) runOnGPU(ctx context.Context, choice cudalib.Choice, emit func(Row)) {
	switch {
	case b.gpu == nil && choice.GPU():
		check(usererr.Usagef("--device %v: bench %s is for the CPU", choice, b.Name))
	case b.gpu == nil || choice.CPU():
		return
	}
	d, why, err := choice.Open()
	check(err)
	if d == nil {
		zerolog.Ctx(ctx).Info().Msgf("runs on %s", why)
		return
	}
	defer d.Close() // an error would not change the figures
	b.gpu(ctx, d, func(r Row) {
		r.Device = cmp.Or(r.Device, d.String())
		emit(r)
	})
}

// failed is what check panics with.
type failed struct{ error }

// check ends the work that try does with an error, if there is one: what a benchmark or a signature cannot do ends it.
// Only the goroutine of try may call it.
func check(err error) {
	if err != nil {
		panic(failed{err})
	}
}

// must returns a value, or ends the work as check does.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// try does work and returns the error with which check ended it.
func try(work func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failed:
			err = p.error
		default:
			panic(p)
		}
	}()
	work()
	return nil
}

// benchRuns is how often work is timed; one run in five may be disturbed
// without a change of the median.
const benchRuns = 5

// timing is the median of the times that work took.
type timing struct {
	time.Duration
	Repeated
}

// medianTime times work several times, after one time that is not counted.
func medianTime(work func()) timing {
	work()
	var seconds []float64
	for range benchRuns {
		start := time.Now()
		work()
		seconds = append(seconds, time.Since(start).Seconds())
	}
	middle, repeated := median(seconds)
	return timing{time.Duration(middle * float64(time.Second)), repeated}
}

// emitTime emits how long work takes, the median of several times, in a unit of which a second has some.
func emitTime(emit func(Row), r Row, second float64, unit string, work func()) {
	t := medianTime(work)
	r.Repeated = t.Repeated
	emitAll(emit, r, figure{"time", second * t.Seconds(), unit})
}

// emitSpeed emits how much of n work does a second, the median of several times.
func emitSpeed(emit func(Row), r Row, n float64, unit string, work func()) {
	t := medianTime(work)
	r.Repeated = t.Repeated
	emitAll(emit, r, figure{cmp.Or(r.Metric, "speed"), n / t.Seconds(), unit})
}

// median returns the median of some repetitions of a measurement, which it sorts, and how far
// they are apart.
func median(values []float64) (middle float64, r Repeated) {
	slices.Sort(values)
	middle = values[len(values)/2]
	s := sampleOf(values)
	r.Repetitions = s.N
	if s.N > 1 && middle != 0 {
		r.Spread = math.Sqrt(s.Variance()) / math.Abs(middle)
	}
	return middle, r
}

// shipped returns a game that comes with the program.
func shipped(name string) *acpc.Game { return must(configs.Game(name)) }

// CPUModel names the processor, or its architecture where the system does not
// tell.
func CPUModel() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(info)) {
			key, value, _ := strings.Cut(line, ":")
			if strings.TrimSpace(key) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}
