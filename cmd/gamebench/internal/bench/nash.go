package bench

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gamebots/cmd/gamebench/internal/published"
	"gamebots/cudalib"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/supports"
)

// nashMaxTime ends a row of the bench: the next size is left out if a game is expected
// to take longer. It is the default of nashBench.maxTime.
const nashMaxTime = 10 * time.Second

// A nashBench is a way to solve random games of growing size.
type nashBench struct {
	name     string
	options  nash.Options
	sizes    []int           // strategies of each player
	games    int             // per size; their mean time is emitted
	growth   float64         // expected factor of the time per additional strategy
	baseline map[int]float64 // seconds by size of another row, for speedups
	maxTime  time.Duration
	counts   bool // also emit the equilibria found, and the candidates refuted
	checks   bool // with the checks of Options.SkipChecks
}

// run emits the mean time of each size, and the speedup over the baseline.
func (b *nashBench) run(ctx context.Context, emit func(Row)) (map[int]float64, error) {
	times := map[int]float64{}
	for i, n := range b.sizes {
		t, results, err := timeNash(ctx, n, b.games, b.checks, b.options)
		if err != nil {
			return nil, err
		}
		times[n] = t.Seconds()
		r := Row{Case: b.name, X: float64(n), Threads: b.options.Threads, Device: CPUModel()}
		if b.options.Device != nil {
			r.Device, r.Threads = "", 0
		}
		r.Metric, r.Value, r.Unit = "time", times[n], "s"
		emit(r)
		if b.baseline[n] > 0 {
			r.Metric, r.Value, r.Unit = "speedup", b.baseline[n]/times[n], "x"
			emit(r)
		}
		if b.counts {
			emitNashCounts(r, results, emit)
		}
		if i+1 < len(b.sizes) {
			next := t
			for range b.sizes[i+1] - n {
				next = time.Duration(float64(next) * b.growth)
			}
			if next > cmp.Or(b.maxTime, nashMaxTime) {
				break
			}
		}
	}
	return times, nil
}

// emitNashCounts emits the number of equilibria of each game, and for all games
// together the decisions within rounding errors and the refuted candidates.
func emitNashCounts(r Row, results []*nash.Result, emit func(Row)) {
	ambiguous, refuted := 0, 0
	for i, result := range results {
		ambiguous, refuted = ambiguous+int(result.Stats.Ambiguous), refuted+int(result.Stats.Rejected)
		r.Metric, r.Value, r.Unit = fmt.Sprintf("found in game %d", i+1), float64(len(result.Equilibria)), "equilibria"
		emit(r)
	}
	r.Metric, r.Value, r.Unit = "within rounding errors", float64(ambiguous), "decisions"
	emit(r)
	r.Metric, r.Value, r.Unit = "refuted exactly", float64(refuted), "candidates"
	emit(r)
}

// benchNash measures the time to find all equilibria of random games: by the programs
// of Nguyen (2015), beside the times that he gives, and by Labels.
func benchNash(ctx context.Context, emit func(Row)) error {
	emitNguyen(emit)
	serial := map[int]float64(nil)
	for threads := 1; threads <= min(16, runtime.NumCPU()); threads *= 2 {
		b := nashBench{name: "Nguyen, every pair", options: nash.Options{Method: nash.Nguyen, Threads: threads},
			sizes: published.NguyenSizes, games: 1, growth: 4.3, baseline: serial}
		times, err := b.run(ctx, emit)
		if err != nil {
			return err
		}
		if serial == nil {
			serial = times
		}
	}
	for _, b := range nashBenches(runtime.NumCPU(), serial) {
		if _, err := b.run(ctx, emit); err != nil {
			return err
		}
	}
	return benchButterflies(ctx, nash.Options{Threads: 1}, 11, emit)
}

// nashBenches returns the benches of Labels on one, two and all cores, each once.
func nashBenches(cores int, serial map[int]float64) (all []nashBench) {
	for _, threads := range slices.Compact([]int{1, min(2, cores), cores}) {
		b := nashBench{name: "labels", options: nash.Options{Method: nash.Labels, Threads: threads},
			sizes: []int{12, 16, 20, 24, 28}, games: 3, growth: 1.45, baseline: serial}
		if threads == cores {
			b.sizes, b.counts = []int{10, 12, 14, 16, 18, 20, 24, 28, 30, 32}, true
		}
		all = append(all, b)
	}
	return all
}

// emitNguyen emits Nguyen's times and his speedups over one thread.
func emitNguyen(emit func(Row)) {
	emit = from("Nguyen (2015)", emit)
	programs := published.Nguyen()
	for _, p := range programs {
		device := "Intel Xeon E5-2650 of 2015"
		if p.Threads == 0 {
			device = "NVIDIA Tesla M2090 of 2015"
		}
		for i, n := range published.NguyenSizes {
			r := Row{Case: "Nguyen (2015), every pair", X: float64(n), Threads: p.Threads, Metric: "time",
				Value: p.Seconds[i], Unit: "s", Device: device}
			emit(r)
			if p.Threads != 1 {
				r.Metric, r.Value, r.Unit = "speedup", programs[0].Seconds[i]/p.Seconds[i], "x"
				emit(r)
			}
		}
	}
}

// nashWork is the work of bench nash on a GPU. Sizes are strategies of each player.
type nashWork struct {
	everyPair, labels []int // sizes by method
	cpuLabels         []int // sizes that Labels solves on all cores too
	twoOrders         []int // sizes that Labels solves in two orders of branching
	blockThreads      []int // threads a block of Nguyen's kernel, in games of blockSize
	blockSize         int
}

// fullNash is the work that is measured.
var fullNash = nashWork{
	everyPair:    published.NguyenSizes,
	labels:       []int{16, 20, 24, 28, 30, 32, 36, 40},
	cpuLabels:    []int{32, 36, 40},
	twoOrders:    []int{36, 40},
	blockThreads: []int{32, 64, 128, 256, 1024},
	blockSize:    14,
}

// onGPU measures the kernels of Nguyen, with blocks of several sizes, and of Grosu,
// and then Labels beside all cores.
func (w nashWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	for _, m := range []nash.Method{nash.Nguyen, nash.Labels} { // the driver may compile the kernels first
		if _, _, err := timeNash(ctx, 6, 1, false, nash.Options{Method: m, Device: d}); err != nil {
			return err
		}
	}
	onCPU := nashBench{name: "labels, on the CPU", options: nash.Options{Method: nash.Labels,
		Threads: runtime.NumCPU()}, sizes: w.cpuLabels, games: 1, growth: 1.45, maxTime: 4 * time.Minute}
	times, err := onCPU.run(ctx, emit)
	if err != nil {
		return err
	}
	benches := []nashBench{
		{name: "Nguyen, every pair", options: nash.Options{Method: nash.Nguyen, Device: d}, sizes: w.everyPair,
			games: 1, growth: 4.3},
		{name: "Grosu, every pair", options: nash.Options{Method: nash.Grosu, Device: d}, sizes: w.everyPair,
			games: 1, growth: 4.3},
		{name: "labels", options: nash.Options{Method: nash.Labels, Device: d}, sizes: w.labels, games: 1, growth: 1.45,
			baseline: times, counts: true},
		{name: "labels, in two orders", options: nash.Options{Method: nash.Labels, Device: d}, sizes: w.twoOrders,
			games: 1, growth: 1.45, checks: true, counts: true},
	}
	for _, threads := range w.blockThreads {
		benches = append(benches, nashBench{name: fmt.Sprintf("Nguyen, blocks of %d", threads),
			options: nash.Options{Method: nash.Nguyen, Device: d, BlockThreads: threads}, sizes: []int{w.blockSize},
			games: 1, growth: 4.3})
	}
	for _, b := range benches {
		if _, err := b.run(ctx, emit); err != nil {
			return err
		}
	}
	return benchButterflies(ctx, nash.Options{Device: d}, w.blockSize, emit)
}

// nashGame returns random game s of n by n strategies, s = 1, 2, 3.
func nashGame(n, s int) (*game.Game, error) {
	return game.Generate(game.Recipe{Family: "RandomGame", Rows: n, Cols: n, Seed: uint64(1000*n + s)})
}

// timeNash solves random games of a size and returns the mean time.
func timeNash(
	ctx context.Context, n, games int, checks bool, o nash.Options,
) (mean time.Duration, results []*nash.Result, err error) {
	for s := 1; s <= games; s++ {
		g, err := nashGame(n, s)
		if err != nil {
			return 0, nil, err
		}
		o.SkipChecks = !checks
		start := time.Now()
		r, err := nash.Solve(ctx, g, o)
		if err != nil {
			return 0, nil, err
		}
		mean += time.Since(start) / time.Duration(games)
		if !r.Verified {
			return 0, nil, fmt.Errorf("%s: not verified: %s", g.Title, r.Problem)
		}
		results = append(results, r)
	}
	return mean, results, nil
}

// benchButterflies solves every pair of a game's supports with partial pivoting,
// without pivoting, and with random butterfly transformations. It emits the time and
// the number of equilibria that each finds.
func benchButterflies(ctx context.Context, o nash.Options, n int, emit func(Row)) error {
	g, err := nashGame(n, 1)
	if err != nil {
		return err
	}
	o.Method, o.SkipChecks = nash.Nguyen, true
	for pivoting, name := range []string{"partial pivoting", "no pivoting", "butterflies"} {
		o.Pivoting = supports.Pivoting(pivoting)
		start := time.Now()
		r, err := nash.Solve(ctx, g, o)
		if err != nil {
			return err
		}
		name = "every pair, " + name
		emit(Row{Case: name, X: float64(n), Threads: o.Threads, Metric: "time",
			Value: time.Since(start).Seconds(), Unit: "s"})
		emit(Row{Case: name, X: float64(n), Threads: o.Threads, Metric: "found", Value: float64(len(r.Equilibria)),
			Unit: "equilibria"})
	}
	return nil
}

// signNash solves random games by each method, and a degenerate one of each of some families.
func signNash(ctx context.Context, method methods) error {
	sign := func(by nash.Method, r game.Recipe) error {
		g, err := game.Generate(r)
		if err != nil {
			return err
		}
		result, err := nash.Solve(ctx, g, nash.Options{Method: by})
		if err != nil {
			return err
		}
		return signMatrices(ctx, method(string(by)), result)
	}
	for by, largest := range map[nash.Method]int{
		nash.Labels: 14, nash.Nguyen: 8, nash.LemkeHowson: 14,
	} {
		for n := 2; n <= largest; n += 3 {
			if err := sign(by, game.Recipe{Family: "RandomGame", Rows: n, Cols: n + 1, Seed: uint64(n)}); err != nil {
				return err
			}
		}
		for _, family := range []string{"TravelersDilemma", "WarOfAttrition", "CoordinationGame"} {
			if err := sign(by, game.Recipe{Family: family, Rows: 6, Cols: 6, Seed: 1}); err != nil {
				return err
			}
		}
	}
	return nil
}
