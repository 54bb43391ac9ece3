package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
)

// nashMaxTime ends a row of the bench: the next size is left out if a game is expected
// to take longer.
const nashMaxTime = 10 * time.Second

// A nashBench is a way to solve random games of growing size.
type nashBench struct {
	name    string
	options nash.Options
	sizes   []int   // strategies of each player
	games   int     // per size; their mean time is emitted
	growth  float64 // expected factor of the time per additional strategy
	counts  bool    // also emit the equilibria found
}

// run emits the mean time of each size.
func (b *nashBench) run(ctx context.Context, emit func(Row)) error {
	for i, n := range b.sizes {
		t, found, err := timeNash(ctx, n, b.games, b.options)
		if err != nil {
			return err
		}
		r := Row{Case: b.name, X: float64(n), Threads: b.options.Threads}
		emitAll(emit, r, figure{"time", t.Seconds(), "s"})
		for i, n := range found {
			if b.counts {
				emitAll(emit, r, figure{fmt.Sprintf("found in game %d", i+1), float64(n), "equilibria"})
			}
		}
		if i+1 < len(b.sizes) && t.Seconds()*math.Pow(b.growth, float64(b.sizes[i+1]-n)) > nashMaxTime.Seconds() {
			break
		}
	}
	return nil
}

// everyPair is a bench of a program that tries every pair of supports.
func everyPair(name string, o nash.Options, sizes []int) nashBench {
	return nashBench{name: name + ", every pair", options: o, sizes: sizes, games: 1, growth: 4.3}
}

// labels is a bench of Labels.
func labels(o nash.Options, games int, sizes []int) nashBench {
	o.Method = nash.Labels
	return nashBench{name: "labels", options: o, sizes: sizes, games: games, growth: 1.45, counts: true}
}

// runNash runs benches in turn.
func runNash(ctx context.Context, emit func(Row), benches ...nashBench) error {
	for _, b := range benches {
		if err := b.run(ctx, emit); err != nil {
			return err
		}
	}
	return nil
}

// benchNash measures the time to find all equilibria of random games: by the programs
// of Nguyen (2015), beside the times that he gives, and by Labels.
func benchNash(ctx context.Context, emit func(Row)) error {
	for _, p := range nguyenPrograms() {
		device := "Intel Xeon E5-2650 of 2015"
		if p.Threads == 0 {
			device = "NVIDIA Tesla M2090 of 2015"
		}
		for i, n := range nguyenSizes {
			emitAll(from("Nguyen (2015)", emit), Row{Case: "Nguyen (2015), every pair", X: float64(n),
				Threads: p.Threads, Device: device}, figure{"time", p.Seconds[i], "s"})
		}
	}
	return runNash(ctx, emit, nashBenches(runtime.NumCPU())...)
}

// nashBenches returns the benches on some cores: Nguyen's, and Labels on one, two and all, each once.
func nashBenches(cores int) (all []nashBench) {
	for threads := 1; threads <= min(16, cores); threads *= 2 {
		all = append(all,
			everyPair("Nguyen", nash.Options{Method: nash.Nguyen, Threads: threads}, nguyenSizes))
	}
	for _, threads := range slices.Compact([]int{1, min(2, cores), cores}) {
		all = append(all, labels(nash.Options{Threads: threads}, 3, []int{10, 12, 14, 16, 18, 20, 24, 28, 30, 32}))
	}
	return all
}

// nashWork is the work of bench nash on a GPU. Sizes are strategies of each player.
type nashWork struct{ everyPair, labels []int }

var fullNash = nashWork{nguyenSizes, []int{16, 20, 24, 28, 30, 32, 36, 40}}

// onGPU measures the kernels of Nguyen and of Grosu, and Labels.
func (w nashWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	for _, m := range []nash.Method{nash.Nguyen, nash.Labels} { // the driver may compile the kernels first
		if _, _, err := timeNash(ctx, 6, 1, nash.Options{Method: m, Device: d}); err != nil {
			return err
		}
	}
	return runNash(ctx, emit, everyPair("Nguyen", nash.Options{Method: nash.Nguyen, Device: d}, w.everyPair),
		everyPair("Grosu", nash.Options{Method: nash.Grosu, Device: d}, w.everyPair),
		labels(nash.Options{Device: d}, 1, w.labels))
}

// timeNash solves random games of a size, and returns the mean time and the equilibria found in each.
func timeNash(ctx context.Context, n, games int, o nash.Options) (mean time.Duration, found []int, err error) {
	o.SkipChecks = true
	for s := 1; s <= games; s++ {
		g, err := game.Generate(game.Recipe{Family: "RandomGame", Rows: n, Cols: n, Seed: uint64(1000*n + s)})
		if err != nil {
			return 0, nil, err
		}
		start := time.Now()
		r, err := nash.Solve(ctx, g, o)
		if err != nil {
			return 0, nil, err
		}
		mean += time.Since(start) / time.Duration(games)
		if !r.Verified {
			return 0, nil, fmt.Errorf("%s: not verified: %s", g.Title, r.Problem)
		}
		found = append(found, len(r.Equilibria))
	}
	return mean, found, nil
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
