package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto/havannah"
	search "gamebots/solvers/havannah"
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
func (w playerWork) onCPU(ctx context.Context, emit func(Row)) error {
	return w.measure(ctx, emit, mcts.Options{}, 1000, func(g *search.Game) (leafEvaluator, error) {
		return search.NewEvaluator(g, 1, 1), nil
	})
}

// onGPU measures it with 64 games a leaf.
func (w playerWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	const batch = 128
	o := mcts.Options{Batch: batch, LeavesPerDescent: 2, Playouts: 64, Threads: w.threads}
	return gpu.Do(func() error { // as the player does
		return w.measure(ctx, emit, o, 10*batch, func(g *search.Game) (leafEvaluator, error) {
			return search.NewLeafDevice(g, gpu, o, 1)
		})
	})
}

// measure emits the simulations a second of searches with evaluators that are opened for each.
func (w playerWork) measure(
	ctx context.Context, emit func(Row), o mcts.Options, step int, open func(*search.Game) (leafEvaluator, error),
) error {
	var rates []float64
	for range benchRuns {
		board, err := havannah.New(w.side)
		if err != nil {
			return err
		}
		game := search.NewGame(board)
		e, err := open(game)
		if err != nil {
			return err
		}
		rate, err := w.searchRate(ctx, mcts.New(game, e, o), step)
		if err := errors.Join(err, e.Close()); err != nil {
			return err
		}
		rates = append(rates, rate)
	}
	rate, repeated := median(rates)
	emitAll(emit, Row{Case: fmt.Sprintf("side %d, empty board", w.side), Threads: max(1, o.Threads),
		Repeated: repeated}, figure{"search", rate, "simulations/s"})
	return nil
}

// searchRate returns the simulations per second of a search, which it continues by a step at
// a time.
func (w playerWork) searchRate(ctx context.Context, s *mcts.Search, step int) (float64, error) {
	if err := s.Run(ctx, step); err != nil { // the root and the pages of the tree
		return 0, err
	}
	before, began := s.Simulations(), time.Now()
	for n := before; time.Since(began) < w.time || n == before; {
		n += step
		if err := s.Run(ctx, n); err != nil {
			return 0, err
		}
	}
	return float64(s.Simulations()-before) / time.Since(began).Seconds(), context.Cause(ctx)
}

// signSearch signs trees of several sides, grown on all threads.
func signSearch(ctx context.Context, method methods) error {
	h := method("")
	for _, side := range []int{3, 5, 8} {
		board, err := havannah.New(side)
		if err != nil {
			return err
		}
		game := search.NewGame(board)
		eval := search.NewEvaluator(game, runtime.NumCPU(), 1)
		defer eval.Close()
		search := mcts.New(game,
			eval, mcts.Options{Batch: 16, Playouts: 2, Threads: runtime.NumCPU(), Memory: 32 << 20})
		for range 3 {
			if err := search.Run(ctx, 1500); err != nil {
				return err
			}
			for _, s := range search.Stats() {
				fmt.Fprintln(h, s.Move, s.Proof, s.Simulations, s.Score)
			}
			if search.Proof() != mcts.Unknown {
				break
			}
			search.Advance(search.Best())
		}
	}
	return nil
}
