package bench

import (
	"context"
	"errors"
	"fmt"

	"gamebots/cudalib"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
	mctshavannah "gamebots/solvers/mcts/havannah"
)

// searchesOnGPU are what benchPlayerGPU measures; a test has less.
var searchesOnGPU = []mcts.Options{
	{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 1}, {Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 2},
	{Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 4}, {Batch: 128, LeavesPerDescent: 2, Playouts: 64, Threads: 8},
	{Batch: 64, LeavesPerDescent: 1, Playouts: 64, Threads: 8}, {Batch: 256, LeavesPerDescent: 4, Playouts: 64, Threads: 8},
}

// benchPlayerGPU measures the search of Havannah on a GPU, from the empty board:
// leaves a second, by how many are a batch, how many of them go the same way, and how
// many threads of the host grow the tree.
func benchPlayerGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row) error) error {
	for _, side := range searchSides {
		for _, o := range searchesOnGPU {
			var rates []float64
			for range 3 {
				rate, err := searchRateOnGPU(ctx, gpu, side, o)
				if err != nil {
					return err
				}
				rates = append(rates, rate)
			}
			about := fmt.Sprintf("side %d, empty board, batches of %d leaves, %d together, with %d games each", side, o.Batch, max(1, o.LeavesPerDescent), o.Playouts)
			if err := emit(Row{Case: about, Threads: max(1, o.Threads), Metric: "search", Value: median(rates), Unit: "simulations/s"}); err != nil {
				return err
			}
		}
	}
	return nil
}

// searchRateOnGPU returns the leaves a second of a search of the empty board.
func searchRateOnGPU(ctx context.Context, gpu *cudalib.Device, side int, o mcts.Options) (rate float64, err error) {
	board, err := havannah.New(side)
	if err != nil {
		return 0, err
	}
	game := mctshavannah.NewGame(board, mctshavannah.DefaultParams)
	eval, err := mctshavannah.NewDevice(game, gpu, o, 1)
	if err != nil {
		return 0, err
	}
	err = gpu.Do(func() (err error) { // as the player does
		rate, err = searchRate(ctx, mcts.New(game, eval, o), 10*o.Batch)
		return err
	})
	return rate, errors.Join(err, eval.Close())
}
