package bench

import (
	"context"
	"fmt"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
)

// benchNash measures how long labels takes to find and to prove all equilibria of random games.
func benchNash(ctx context.Context, emit func(Row)) error {
	for _, threads := range allThreads() {
		o := nash.Options{Method: nash.Labels, Threads: threads}
		if err := emitNash(ctx, emit, "labels", 16, 3, o); err != nil {
			return err
		}
	}
	return nil
}

// nashWork is the work of bench nash on a GPU: the strategies of each player.
type nashWork int

const fullNash nashWork = 16

// onGPU measures the kernel of Nguyen, with a block for a row support.
func (w nashWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	o := nash.Options{Method: nash.Nguyen, Device: d}
	if _, err := timeNash(ctx, min(6, int(w)), 1, o); err != nil { // the driver may compile the kernel first
		return err
	}
	return emitNash(ctx, emit, "Nguyen, every pair", int(w), 1, o)
}

// emitNash emits the mean time of some games of a size.
func emitNash(ctx context.Context, emit func(Row), name string, n, games int, o nash.Options) error {
	t, err := timeNash(ctx, n, games, o)
	if err == nil {
		emitAll(emit, Row{Case: name, X: float64(n), Threads: o.Threads}, figure{"time", t.Seconds(), "s"})
	}
	return err
}

// timeNash solves random games of a size, and returns the mean time.
func timeNash(ctx context.Context, n, games int, o nash.Options) (mean time.Duration, err error) {
	o.SkipChecks = true
	for s := 1; s <= games; s++ {
		g, err := game.Generate(game.Recipe{Family: "RandomGame", Rows: n, Cols: n, Seed: uint64(1000*n + s)})
		if err != nil {
			return 0, err
		}
		start := time.Now()
		r, err := nash.Solve(ctx, g, o)
		if err != nil {
			return 0, err
		}
		mean += time.Since(start) / time.Duration(games)
		if !r.Verified {
			return 0, fmt.Errorf("%s: not verified: %s", g.Title, r.Problem)
		}
	}
	return mean, nil
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
