package main

import (
	"context"
	"fmt"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/bimatrix"
)

// benchNash measures how long labels takes to find and to prove all equilibria of random games.
func benchNash(ctx context.Context, emit func(Row)) {
	for _, threads := range allThreads() {
		emitNash(ctx, emit, "labels", 16, 3, nash.Options{Method: nash.Labels, Threads: threads})
	}
}

// nashWork is the work of bench nash on a GPU: the strategies of each player.
type nashWork int

const fullNash nashWork = 16

// onGPU measures the kernel of Nguyen, with a block for a row support.
func (w nashWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) {
	o := nash.Options{Method: nash.Nguyen, Device: d}
	timeNash(ctx, min(6, int(w)), 1, o) // the driver may compile the kernel first
	emitNash(ctx, emit, "Nguyen, every pair", int(w), 1, o)
}

// emitNash emits the mean time of some games of a size.
func emitNash(ctx context.Context, emit func(Row), name string, n, games int, o nash.Options) {
	seconds := timeNash(ctx, n, games, o).Seconds()
	emitAll(emit, Row{Case: name, X: float64(n), Threads: o.Threads}, figure{"time", seconds, "s"})
}

// timeNash solves random games of a size, and returns the mean time.
func timeNash(ctx context.Context, n, games int, o nash.Options) (mean time.Duration) {
	o.SkipChecks = true
	for s := 1; s <= games; s++ {
		g := must(bimatrix.Generate(bimatrix.Recipe{Family: "RandomGame", Rows: n, Cols: n, Seed: uint64(1000*n + s)}))
		start := time.Now()
		r := must(nash.Solve(ctx, g, o))
		mean += time.Since(start) / time.Duration(games)
		if !r.Verified {
			check(fmt.Errorf("%s: not verified: %s", g.Title, r.Problem))
		}
	}
	return mean
}

// signNash solves random games by each method, and a degenerate one of each of some families.
func signNash(ctx context.Context, method methods) {
	sign := func(by nash.Method, r bimatrix.Recipe) {
		result := must(nash.Solve(ctx, must(bimatrix.Generate(r)), nash.Options{Method: by}))
		signMatrices(ctx, method(string(by)), result)
	}
	for by, largest := range map[nash.Method]int{
		nash.Labels: 14, nash.Nguyen: 8, nash.LemkeHowson: 14,
	} {
		for n := 2; n <= largest; n += 3 {
			sign(by, bimatrix.Recipe{Family: "RandomGame", Rows: n, Cols: n + 1, Seed: uint64(n)})
		}
		for _, family := range []string{"TravelersDilemma", "WarOfAttrition", "CoordinationGame"} {
			sign(by, bimatrix.Recipe{Family: family, Rows: 6, Cols: 6, Seed: 1})
		}
	}
}
