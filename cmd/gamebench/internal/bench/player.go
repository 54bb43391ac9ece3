package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"gamebots/hexproto/havannah"
	search "gamebots/solvers/havannah"
	"gamebots/solvers/mcts"
)

// playerWork is the work of bench player: searches of the empty board, each for some time.
type playerWork struct {
	sides []int
	time  time.Duration
	gpu   []mcts.Options // on a GPU
}

// fullPlayer is the work of a benchmark.
var fullPlayer = playerWork{
	sides: []int{4, 5, 6, 8, 10}, time: time.Second,
	gpu: []mcts.Options{
		{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 1},
		{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 2},
		{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 4},
		{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 8},
		{Batch: 64, LeavesPerDescent: 1, Playouts: 64, Threads: 8},
		{Batch: 256, LeavesPerDescent: 4, Playouts: 64, Threads: 8},
	},
}

// onCPU measures the search of Havannah in simulations per second of one core.
func (w playerWork) onCPU(ctx context.Context, emit func(Row)) error {
	for _, side := range w.sides {
		var rates []float64
		for range 5 {
			board, err := havannah.New(side)
			if err != nil {
				return err
			}
			game := search.NewGame(board, search.DefaultParams)
			rate, err := w.searchRate(ctx, mcts.New(game, search.NewEvaluator(game, 1, 1), mcts.Options{}), 1000)
			if err != nil {
				return err
			}
			rates = append(rates, rate)
		}
		rate, repeated := median(rates)
		emit(Row{Case: fmt.Sprintf("side %d, empty board", side), Threads: 1, Metric: "search", Value: rate,
			Unit: "simulations/s", Repeated: repeated})
	}
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
		game := search.NewGame(board, search.DefaultParams)
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
