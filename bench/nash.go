package bench

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/supports"
)

// nashPatience ends a row of the bench: the next size is left out when a game is
// expected to take longer, if the row has no patience of its own.
const nashPatience = 10 * time.Second

// A nashBench is a way to solve random games of growing size.
type nashBench struct {
	name     string
	options  nash.Options
	sizes    []int
	games    int             // of each size, the mean of which counts
	growth   float64         // of time for one strategy more, as expected
	than     map[int]float64 // times of another row, to be faster than
	patience time.Duration
	counts   bool // of what was found, and of decisions that rounding left open
	whole    bool // with all that only confirms: large games are searched in two orders
}

// run emits the mean time of each size, and how many times as fast as another row
// that is.
func (b *nashBench) run(ctx context.Context, emit func(Row) error) (map[int]float64, error) {
	times := map[int]float64{}
	for i, n := range b.sizes {
		t, results, err := timeNash(ctx, n, b.games, b.whole, b.options)
		if err != nil {
			return nil, err
		}
		times[n] = t.Seconds()
		r := Row{Case: b.name, X: float64(n), Threads: b.options.Threads, Device: CPUModel()}
		if b.options.Device != nil {
			r.Device, r.Threads = "", 0
		}
		r.Metric, r.Value, r.Unit = "time", times[n], "s"
		if err := emit(r); err != nil {
			return nil, err
		}
		if b.than[n] > 0 {
			r.Metric, r.Value, r.Unit = "speedup", b.than[n]/times[n], "x"
			if err := emit(r); err != nil {
				return nil, err
			}
		}
		if b.counts {
			if err := emitNashCounts(r, results, emit); err != nil {
				return nil, err
			}
		}
		if i+1 < len(b.sizes) {
			next := t
			for range b.sizes[i+1] - n {
				next = time.Duration(float64(next) * b.growth)
			}
			if next > cmp.Or(b.patience, nashPatience) {
				break
			}
		}
	}
	return times, nil
}

// emitNashCounts emits how many equilibria each game has, and of all of them how
// many decisions were within rounding errors and how many candidates were refuted.
func emitNashCounts(r Row, results []*nash.Result, emit func(Row) error) error {
	doubts, refuted := 0, 0
	for i, result := range results {
		doubts, refuted = doubts+int(result.Stats.Ambiguous), refuted+int(result.Stats.Rejected)
		r.Metric, r.Value, r.Unit = fmt.Sprintf("found in game %d", i+1), float64(len(result.Equilibria)), "equilibria"
		if err := emit(r); err != nil {
			return err
		}
	}
	r.Metric, r.Value, r.Unit = "within rounding errors", float64(doubts), "decisions"
	if err := emit(r); err != nil {
		return err
	}
	r.Metric, r.Value, r.Unit = "refuted exactly", float64(refuted), "candidates"
	return emit(r)
}

// benchNash measures how long it takes to find all equilibria of random games: the
// programs of Nguyen (2015) beside his figures, our form of his method, and labels.
func benchNash(ctx context.Context, emit func(Row) error) error {
	if err := emitNguyen(emit); err != nil {
		return err
	}
	serial := map[int]float64(nil)
	for threads := 1; threads <= min(16, runtime.NumCPU()); threads *= 2 {
		b := nashBench{name: "Nguyen, every pair", options: nash.Options{Method: nash.Nguyen, Threads: threads}, sizes: nguyenSizes, games: 1, growth: 4.3, than: serial}
		times, err := b.run(ctx, emit)
		if err != nil {
			return err
		}
		if serial == nil {
			serial = times
		}
	}
	all := runtime.NumCPU()
	supports := []int{10, 11, 12, 13, 14, 15, 16, 17, 18}
	for _, b := range []nashBench{
		{name: "support", options: nash.Options{Method: nash.Support, Threads: 1}, sizes: supports, games: 1, growth: 4, than: serial, patience: 25 * time.Second},
		{name: "support", options: nash.Options{Method: nash.Support, Threads: all}, sizes: supports, games: 1, growth: 4, than: serial},
		{name: "labels", options: nash.Options{Method: nash.Labels, Threads: 1}, sizes: []int{12, 16, 20, 24, 28}, games: 3, growth: 1.45, than: serial},
		{name: "labels", options: nash.Options{Method: nash.Labels, Threads: min(2, all)}, sizes: []int{12, 16, 20, 24, 28}, games: 3, growth: 1.45, than: serial},
		{name: "labels", options: nash.Options{Method: nash.Labels, Threads: all}, sizes: []int{10, 12, 14, 16, 18, 20, 24, 28, 30, 32}, games: 3, growth: 1.45, than: serial, counts: true},
	} {
		if _, err := b.run(ctx, emit); err != nil {
			return err
		}
	}
	return benchButterflies(ctx, nash.Options{Threads: 1}, 11, emit)
}

// emitNguyen emits the tables of the seed.
func emitNguyen(emit func(Row) error) error {
	for _, program := range nguyenSeconds {
		device := "Intel Xeon E5-2650 of 2015"
		if program.threads == 0 {
			device = "NVIDIA Tesla M2090 of 2015"
		}
		for i, n := range nguyenSizes {
			r := Row{Case: "seed, every pair", X: float64(n), Threads: program.threads, Metric: "time", Value: program.seconds[i], Unit: "s", Device: device}
			if err := emit(r); err != nil {
				return err
			}
			if program.threads != 1 {
				r.Metric, r.Value, r.Unit = "speedup", nguyenSeconds[0].seconds[i]/program.seconds[i], "x"
				if err := emit(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// nashOnGPU is what is measured on a GPU: numbers of strategies. Less is enough for
// tests.
var nashOnGPU = struct {
	every, support, labels []int
	twin, twice            []int
	blocks                 []int // threads each, of pairs of
	blocksOf               int
	games, of              int // at once
}{
	nguyenSizes, []int{10, 12, 14, 16, 18, 20}, []int{16, 20, 24, 28, 30, 32, 36, 40},
	[]int{32, 36, 40}, []int{36, 40},
	[]int{32, 64, 128, 256, 1024}, 14,
	10_000, 12,
}

// benchNashGPU measures the same on a GPU: the kernels of Nguyen with blocks of
// several sizes and of Grosu, our form of the method, labels beside their twin on
// all cores, and many games at once.
func benchNashGPU(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	for _, m := range []nash.Method{nash.Support, nash.Labels} { // the driver compiles the kernels, if it never did
		if _, _, err := timeNash(ctx, 6, 1, false, nash.Options{Method: m, Device: d}); err != nil {
			return err
		}
	}
	twin := nashBench{name: "labels, the twin", options: nash.Options{Method: nash.Labels, Threads: runtime.NumCPU()}, sizes: nashOnGPU.twin, games: 1, growth: 1.45, patience: 4 * time.Minute}
	times, err := twin.run(ctx, emit)
	if err != nil {
		return err
	}
	benches := []nashBench{
		{name: "Nguyen, every pair", options: nash.Options{Method: nash.Nguyen, Device: d}, sizes: nashOnGPU.every, games: 1, growth: 4.3},
		{name: "Grosu, every pair", options: nash.Options{Method: nash.Grosu, Device: d}, sizes: nashOnGPU.every, games: 1, growth: 4.3},
		{name: "support", options: nash.Options{Method: nash.Support, Device: d}, sizes: nashOnGPU.support, games: 1, growth: 4},
		{name: "support, all in 64 bits", options: nash.Options{Method: nash.Support, Device: d, Doubles: true}, sizes: nashOnGPU.support, games: 1, growth: 4},
		{name: "labels", options: nash.Options{Method: nash.Labels, Device: d}, sizes: nashOnGPU.labels, games: 1, growth: 1.45, than: times, counts: true},
		{name: "labels, in two orders", options: nash.Options{Method: nash.Labels, Device: d}, sizes: nashOnGPU.twice, games: 1, growth: 1.45, whole: true, counts: true},
	}
	for _, threads := range nashOnGPU.blocks {
		benches = append(benches, nashBench{name: fmt.Sprintf("Nguyen, blocks of %d", threads),
			options: nash.Options{Method: nash.Nguyen, Device: d, BlockThreads: threads}, sizes: []int{nashOnGPU.blocksOf}, games: 1, growth: 4.3})
	}
	for _, b := range benches {
		if _, err := b.run(ctx, emit); err != nil {
			return err
		}
	}
	if err := benchButterflies(ctx, nash.Options{Device: d}, nashOnGPU.blocksOf, emit); err != nil {
		return err
	}
	return benchNashBatch(ctx, d, emit)
}

// nashGame is a random game of n by n strategies, number s = 1, 2, 3.
func nashGame(n, s int) (*game.Game, error) {
	return game.Generate(game.Recipe{Family: "RandomGame", Rows: n, Cols: n, Seed: uint64(1000*n + s)})
}

// timeNash solves random games of a size and returns the mean time.
func timeNash(ctx context.Context, n, games int, whole bool, o nash.Options) (mean time.Duration, results []*nash.Result, err error) {
	for s := 1; s <= games; s++ {
		g, err := nashGame(n, s)
		if err != nil {
			return 0, nil, err
		}
		o.SkipChecks = !whole
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
// without pivoting, and with random butterfly transformations instead of it, and
// tells how many of the equilibria each finds.
func benchButterflies(ctx context.Context, o nash.Options, n int, emit func(Row) error) error {
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
		what := fmt.Sprintf("every pair, %s", name)
		if err := emit(Row{Case: what, X: float64(n), Threads: o.Threads, Metric: "time", Value: time.Since(start).Seconds(), Unit: "s"}); err != nil {
			return err
		}
		if err := emit(Row{Case: what, X: float64(n), Threads: o.Threads, Metric: "found", Value: float64(len(r.Equilibria)), Unit: "equilibria"}); err != nil {
			return err
		}
	}
	return nil
}

// benchNashBatch solves many games in one search.
func benchNashBatch(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	num, n := nashOnGPU.games, nashOnGPU.of
	games := make([]*game.Game, num)
	for i := range games {
		var err error
		if games[i], err = nashGame(n, i+1); err != nil {
			return err
		}
	}
	for _, bare := range []bool{true, true, false, false} { // the first time of each takes memory
		runtime.GC()
		start := time.Now()
		var searched time.Duration
		results, err := nash.SolveAll(ctx, games, nash.Options{Device: d, SkipChecks: true, SupportsOnly: bare, OnSearchDone: func() { searched = time.Since(start) }})
		if err != nil {
			return err
		}
		took, found := time.Since(start), 0
		for _, r := range results {
			if found += len(r.Equilibria); !r.Verified {
				return fmt.Errorf("a game of many is not verified: %s", r.Problem)
			}
		}
		what, metric := fmt.Sprintf("%d games of %d by %d, %d equilibria", num, n, n, found), "and prove"
		if !bare {
			metric = "and prove, with fractions"
		}
		if err := emit(Row{Case: what, Metric: "time to find", Value: searched.Seconds(), Unit: "s"}); err != nil {
			return err
		}
		if err := emit(Row{Case: what, Metric: metric, Value: took.Seconds(), Unit: "s"}); err != nil {
			return err
		}
	}
	return nil
}

// signNash solves random games, and a degenerate one of some families.
func signNash(ctx context.Context) (uint64, error) {
	h := fnv.New64a()
	sign := func(r game.Recipe) error {
		g, err := game.Generate(r)
		if err != nil {
			return err
		}
		result, err := nash.Solve(ctx, g, nash.Options{})
		if err != nil {
			return err
		}
		return result.WriteJSON(h)
	}
	for n := 2; n <= 14; n += 3 {
		if err := sign(game.Recipe{Family: "RandomGame", Rows: n, Cols: n + 1, Seed: uint64(n)}); err != nil {
			return 0, err
		}
	}
	for _, family := range []string{"TravelersDilemma", "WarOfAttrition", "CoordinationGame"} {
		if err := sign(game.Recipe{Family: family, Rows: 6, Cols: 6, Seed: 1}); err != nil {
			return 0, err
		}
	}
	return h.Sum64(), nil
}
