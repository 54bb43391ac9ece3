package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"gamebots/bots/judge"
	"gamebots/bots/poker/resolving"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/stats"
	"gamebots/solvers/evaluate/lbr"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot/ondevice"

	"github.com/rs/zerolog"
)

// solvingLBRWork is the work of bench solving-lbr: the same deals of a local best response against the strategy
// that comes with the program for a game, with more and more rounds solved.
type solvingLBRWork struct {
	game       string
	iterations uint64 // iterations of a solution
	deals      int    // each from both positions
	from       []int  // the first solved round of each match; in that of round 0 nothing is solved
}

var fullSolvingLBR = solvingLBRWork{"holdem-nolimit-2p", 100, 100, []int{0, resolve.Turn, resolve.Flop}}

// manyBeforeFlop is a response's menu of 56 raises before the flop, and of the pot and all-in after it.
func manyBeforeFlop() string {
	var sizes []string
	for _, x := range must(lbr.ParseMenu("56")).Many() {
		sizes = append(sizes, fmt.Sprint(x))
	}
	return "1,a; preflop: " + strings.Join(sizes, ",") + ",a"
}

// of returns the bench of some deals.
func (w solvingLBRWork) of(deals Deals) gpuBench {
	if deals == (Deals{}) {
		deals = Deals{1, w.deals}
	}
	return func(ctx context.Context, d *cudalib.Device, emit func(Row)) { w.run(ctx, d, deals, emit) }
}

// run emits what the response wins, and by how much that is more with other rounds solved. An interruption leaves the
// deals that all have played.
func (w solvingLBRWork) run(ctx context.Context, d *cudalib.Device, deals Deals, emit func(Row)) {
	p := must(policy.Open(must(configs.Strategy(w.game)), memory.Available(), nil))
	defer p.Close()
	check(p.Load(memory.Available()))
	var device *resolve.Device
	if d != nil {
		spots, memory, err := ondevice.Shared(d)
		check(err)
		device = resolve.NewDevice(spots, memory)
	}
	names := map[int]string{0: "nothing", resolve.Turn: "turns", resolve.Flop: "flops"}
	first := deals.First - 1
	blind := float64(p.Tree.Game.MaxBlind())
	var won [][]lbr.Outcome
	for _, from := range w.from {
		match := judge.LBR{Menu: manyBeforeFlop(), Deals: deals.Last - first, First: first, Seed: 1,
			Resolving: resolving.Options{Options: resolve.Options{From: from, Device: device}}}
		if from > 0 {
			match.Resolving.Iterations = w.iterations
		}
		s := &judge.Subject{Policy: p, Game: p.Tree.Game}
		means := judge.Means{Threads: runtime.NumCPU(), Memory: memory.Available()}
		outcomes, err := match.Outcomes(ctx, s, means, func(deals int) {
			zerolog.Ctx(ctx).Info().Str("solved", names[from]).Int("deals", deals).Msg("played")
		})
		if ctx.Err() == nil {
			check(err)
		}
		if won = append(won, outcomes); len(outcomes) < 2 {
			check(errors.Join(err, context.Cause(ctx)))
			return
		}
		w.emit(blind, emit, first, names[from]+" solved", outcomes)
		for before := range len(won) - 1 {
			w.emit(blind, emit, first, fmt.Sprintf("%s solved, more than with %s", names[from], names[w.from[before]]),
				outcomes, won[before])
		}
	}
	check(context.Cause(ctx))
}

// emit emits what the response wins, or how much more than in a second match on the same deals.
func (w solvingLBRWork) emit(blind float64, emit func(Row), first int, name string, won ...[]lbr.Outcome) {
	var s stats.Sample
	for deal, o := range won[0] {
		x := o.Estimated
		for _, other := range won[1:] {
			if deal >= len(other) {
				return
			}
			x -= other[deal].Estimated
		}
		s.Add(1000 / blind * x)
	}
	emitAll(emit, Row{Case: fmt.Sprintf("%s, deals %d-%d, %s", w.game, first+1, first+s.N, name),
		Threads: runtime.NumCPU()},
		figure{"won", s.Mean(), "mb a hand"}, figure{"won ±95%", s.Interval95(), "mb a hand"})
}
