package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

// playerWork is the work of bench player: searches of an empty board, each for some time.
type playerWork struct {
	side    int
	time    time.Duration
	threads int // threads of the host of a GPU
}

var fullPlayer = playerWork{side: 8, time: time.Second, threads: 8}

// leafEvaluator is an evaluator that holds threads or memory.
type leafEvaluator interface {
	mcts.Evaluator
	Close() error
}

// onCPU measures the search of Havannah in simulations per second of one core.
func (w playerWork) onCPU(ctx context.Context, emit func(Row)) {
	w.measure(ctx, emit, mcts.Options{}, 1000, func(g *hexsearch.Game) leafEvaluator {
		return hexsearch.NewEvaluator(g, 1, 1)
	})
}

// onGPU measures it with 64 games a leaf.
func (w playerWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) {
	const batch = 128
	o := mcts.Options{Batch: batch, LeavesPerDescent: 2, Playouts: 64, Threads: w.threads}
	check(gpu.Do(func() error { // as the player does
		w.measure(ctx, emit, o, 10*batch, func(g *hexsearch.Game) leafEvaluator {
			return must(hexsearch.NewLeafDevice(g, gpu, o, 1))
		})
		return nil
	}))
}

// measure emits the simulations a second of searches with evaluators that are opened for each.
func (w playerWork) measure(
	ctx context.Context, emit func(Row), o mcts.Options, step int, open func(*hexsearch.Game) leafEvaluator,
) {
	var rates []float64
	for range benchRuns {
		game := hexsearch.NewGame(must(havannah.New(w.side)))
		e := open(game)
		rates = append(rates, w.searchRate(ctx, mcts.New(game, e, o), step))
		check(e.Close())
	}
	rate, repeated := median(rates)
	emitAll(emit, Row{Case: fmt.Sprintf("side %d, empty board", w.side), Threads: max(1, o.Threads),
		Repeated: repeated}, figure{"search", rate, "simulations/s"})
}

// searchRate returns the simulations per second of a search, which it continues by a step at
// a time.
func (w playerWork) searchRate(ctx context.Context, s *mcts.Search, step int) float64 {
	check(s.Run(ctx, step)) // the root and the pages of the tree
	before, began := s.Simulations(), time.Now()
	for n := before; time.Since(began) < w.time || n == before; {
		n += step
		check(s.Run(ctx, n))
		check(context.Cause(ctx))
	}
	return float64(s.Simulations()-before) / time.Since(began).Seconds()
}

// signSearch signs trees of several sides, grown on all threads.
func signSearch(ctx context.Context, method methods) {
	h := method("")
	for _, side := range []int{3, 5, 8} {
		game := hexsearch.NewGame(must(havannah.New(side)))
		eval := hexsearch.NewEvaluator(game, runtime.NumCPU(), 1)
		defer eval.Close()
		search := mcts.New(game,
			eval, mcts.Options{Batch: 16, Playouts: 2, Threads: runtime.NumCPU(), Memory: 32 << 20})
		for range 3 {
			check(search.Run(ctx, 1500))
			for _, s := range search.Stats() {
				fmt.Fprintln(h, s.Move, s.Proof, s.Simulations, s.Score)
			}
			if search.Proof() != mcts.Unknown {
				break
			}
			search.Advance(search.Best())
		}
	}
}
