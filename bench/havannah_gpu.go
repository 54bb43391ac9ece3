package bench

import (
	"context"
	"errors"
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/playout"
)

// havannahWork is how much a bench of random games on a GPU does.
type havannahWork struct {
	sides   []int
	games   int // about how many from the empty board of each side
	side    int // of what follows
	perMove []int
	runners int // playouts a move to compare copies
	blocks  []int
	threads []int // a block
	many    int   // playouts a move to compare those
	opening int   // playouts a move to find openings of side 10
	grid    havannahgpu.Grid
}

// onGPUs is for GPUs; a test has less.
var onGPUs = havannahWork{
	sides: benchSides, games: 60_000_000,
	side: 10, perMove: benchPerMove, runners: 100,
	blocks: []int{8, 16, 32, 64, 96, 128, 256, 512}, threads: []int{32, 64, 128, 192, 256, 384, 512}, many: 100_000,
	opening: 1_000_000, // as many as it takes to tell moves apart
}

// benchHavannahGPU measures random games on a GPU: as on the CPU, and then what
// HavannahCUDA varied in its experiments 1 to 5, on side 10 from the empty
// board. The thesis shows the first three as pictures without figures.
func benchHavannahGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row) error) error {
	for _, step := range []func(context.Context, *cudalib.Device, func(Row) error) error{
		benchPlayoutsGPU, benchRateGameGPU, benchRunners, benchGrids, benchOpeningsGPU,
	} {
		if err := step(ctx, gpu, emit); err != nil {
			return err
		}
	}
	return nil
}

// onGPU calls use with a GPU prepared for a side.
func onGPU(gpu *cudalib.Device, side int, g havannahgpu.Grid, use func(*playout.Device) error) error {
	d, err := playout.NewDevice(gpu, side, g)
	if err != nil {
		return err
	}
	return errors.Join(use(d), d.Close())
}

// rateFirst rates all first moves of the side of a device.
func rateFirst(ctx context.Context, d *playout.Device, perMove, seed uint64) error {
	b, err := havannah.New(d.Side())
	if err == nil {
		_, err = playout.Rate(ctx, b, playout.Options{Playouts: perMove, Seed: seed, Device: d})
	}
	return err
}

// timeFirst times the rating of all first moves, copies included.
func timeFirst(ctx context.Context, d *playout.Device, perMove uint64, emit func(seconds float64) error) error {
	t, err := medianTime(func() error { return rateFirst(ctx, d, perMove, 0) })
	if err != nil {
		return err
	}
	return emit(t.Seconds())
}

func benchPlayoutsGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row) error) error {
	for _, side := range onGPUs.sides {
		err := onGPU(gpu, side, onGPUs.grid, func(d *playout.Device) error {
			cells := 3*side*(side-1) + 1
			perMove := uint64(max(1, onGPUs.games/cells))
			return timeFirst(ctx, d, perMove, func(seconds float64) error {
				games := float64(perMove) * float64(cells)
				return emit(Row{Case: fmt.Sprintf("side %d, empty board", side), Metric: "speed", Value: games / seconds, Unit: "playouts/s"})
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func benchRateGameGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row) error) error {
	return onGPU(gpu, onGPUs.side, onGPUs.grid, func(d *playout.Device) error {
		for _, perMove := range onGPUs.perMove {
			if err := timeFirst(ctx, d, uint64(perMove), func(seconds float64) error {
				return emit(Row{Case: fmt.Sprintf("side %d, all moves, playouts a move", onGPUs.side), X: float64(perMove), Metric: "time", Value: seconds, Unit: "s"})
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// benchRunners measures what copies cost, as experiment 1 did: for each playout
// of all moves the board and the kernels go to the GPU; or only the position
// goes there, and counts come back; or those go once.
func benchRunners(ctx context.Context, gpu *cudalib.Device, emit func(Row) error) error {
	perMove := uint64(onGPUs.runners)
	each := func(d *playout.Device) error {
		for i := range perMove {
			if err := rateFirst(ctx, d, 1, i); err != nil {
				return err
			}
		}
		return nil
	}
	prepared := func(use func(*playout.Device) error) error { return onGPU(gpu, onGPUs.side, onGPUs.grid, use) }
	for _, runner := range []struct {
		name string
		rate func() error
	}{
		{"all copied each time", func() error {
			for i := range perMove {
				if err := prepared(func(d *playout.Device) error { return rateFirst(ctx, d, 1, i) }); err != nil {
					return err
				}
			}
			return nil
		}},
		{"position copied each time", func() error { return prepared(each) }},
		{"all copied once", func() error {
			return prepared(func(d *playout.Device) error { return rateFirst(ctx, d, perMove, 0) })
		}},
	} {
		t, err := medianTime(runner.rate)
		if err != nil {
			return err
		}
		if err := emit(Row{Case: fmt.Sprintf("side %d, all moves, %d playouts, %s", onGPUs.side, perMove, runner.name),
			Metric: "time", Value: t.Seconds(), Unit: "s"}); err != nil {
			return err
		}
	}
	return nil
}

// benchGrids measures blocks of one thread, as experiments 4 and 5 did, and
// threads a block with path compression and without, as 2 and 3 did.
func benchGrids(ctx context.Context, gpu *cudalib.Device, emit func(Row) error) error {
	measure := func(what string, x, perMove int, g havannahgpu.Grid) error {
		return onGPU(gpu, onGPUs.side, g, func(d *playout.Device) error {
			return timeFirst(ctx, d, uint64(perMove), func(seconds float64) error {
				return emit(Row{Case: fmt.Sprintf("side %d, all moves, %d playouts, %s", onGPUs.side, perMove, what), X: float64(x),
					Metric: "time", Value: seconds, Unit: "s"})
			})
		})
	}
	for _, blocks := range onGPUs.blocks {
		for _, perMove := range []int{10, 100} {
			if err := measure("threads", blocks, perMove, havannahgpu.Grid{Blocks: blocks, Threads: 1}); err != nil {
				return err
			}
		}
	}
	if err := measure("8 threads, threads a block", 2, 10, havannahgpu.Grid{Blocks: 4, Threads: 2}); err != nil {
		return err
	}
	for _, threads := range onGPUs.threads {
		for _, compress := range []bool{false, true} {
			name := "without"
			if compress {
				name = "with"
			}
			if err := measure(name+" path compression, threads a block", threads, onGPUs.many,
				havannahgpu.Grid{Threads: threads, Compress: compress}); err != nil {
				return err
			}
		}
	}
	return nil
}

func benchOpeningsGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row) error) error {
	return onGPU(gpu, 10, onGPUs.grid, func(d *playout.Device) error {
		return benchOpeningsOn(ctx, playout.Options{Playouts: uint64(onGPUs.opening), Device: d}, emit)
	})
}
