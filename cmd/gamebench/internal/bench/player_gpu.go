package bench

import (
	"context"
	"errors"
	"fmt"

	"gamebots/cudalib"
	"gamebots/hexproto/havannah"
	search "gamebots/solvers/havannah"
	"gamebots/solvers/mcts"
)

// onGPU measures the search of Havannah on a GPU, from the empty board: simulations per
// second, by the size of batches, the leaves per descent and the threads of the host.
func (w playerWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	for _, side := range w.sides {
		for _, o := range w.gpu {
			var rates []float64
			for range 3 {
				rate, err := w.searchRateOnGPU(ctx, gpu, side, o)
				if err != nil {
					return err
				}
				rates = append(rates, rate)
			}
			name := fmt.Sprintf("side %d, empty board, batches of %d leaves, %d together, with %d games each", side,
				o.Batch, max(1, o.LeavesPerDescent), o.Playouts)
			rate, repeated := median(rates)
			emit(Row{Case: name, Threads: max(1, o.Threads), Metric: "search", Value: rate, Unit: "simulations/s",
				Repeated: repeated})
		}
	}
	return nil
}

// searchRateOnGPU returns the simulations per second of a search of the empty board.
func (w playerWork) searchRateOnGPU(
	ctx context.Context, gpu *cudalib.Device, side int, o mcts.Options,
) (rate float64, err error) {
	board, err := havannah.New(side)
	if err != nil {
		return 0, err
	}
	game := search.NewGame(board, search.DefaultParams)
	eval, err := search.NewLeafDevice(game, gpu, o, 1)
	if err != nil {
		return 0, err
	}
	err = gpu.Do(func() (err error) { // as the player does
		rate, err = w.searchRate(ctx, mcts.New(game, eval, o), 10*o.Batch)
		return err
	})
	return rate, errors.Join(err, eval.Close())
}
