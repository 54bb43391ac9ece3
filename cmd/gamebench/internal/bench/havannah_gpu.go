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

// onGPU measures random games on a GPU: as on the CPU, and then the experiments 1 to 5 of
// Werner (2012), on side 10 from the empty board. The thesis shows the first three as
// pictures without figures.
func (w havannahWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	for _, side := range w.sides {
		cells := 3*side*(side-1) + 1
		perMove := uint64(max(1, w.games/cells))
		if err := withDevice(gpu, side, w.grid, func(d *playout.Device) error {
			return emitSpeed(emit, Row{Case: fmt.Sprintf("side %d, empty board", side)},
				float64(perMove)*float64(cells), "playouts/s", func() error { return rateFirst(ctx, d, perMove, 0) })
		}); err != nil {
			return err
		}
	}
	for _, perMove := range w.perMove {
		if err := w.time(ctx, gpu, w.grid, perMove, w.playoutsRow(perMove), emit); err != nil {
			return err
		}
	}
	if err := w.benchCopies(ctx, gpu, emit); err != nil {
		return err
	}
	return w.benchGrids(ctx, gpu, emit)
}

// time times the rating of all first moves, copies included.
func (w havannahWork) time(
	ctx context.Context, gpu *cudalib.Device, g havannahgpu.Grid, perMove int, r Row, emit func(Row),
) error {
	return withDevice(gpu, w.side, g, func(d *playout.Device) error {
		return emitTime(emit, r, func() error { return rateFirst(ctx, d, uint64(perMove), 0) })
	})
}

// withDevice calls use with a GPU prepared for a side.
func withDevice(gpu *cudalib.Device, side int, g havannahgpu.Grid, use func(*playout.Device) error) error {
	d, err := playout.NewDevice(gpu, side, g)
	if err != nil {
		return err
	}
	return errors.Join(use(d), d.Close())
}

// rateFirst rates all first moves on the empty board of a device.
func rateFirst(ctx context.Context, d *playout.Device, perMove, seed uint64) error {
	b, err := havannah.New(d.Side())
	if err == nil {
		_, err = playout.Rate(ctx, b, playout.Options{Playouts: perMove, Seed: seed, Device: d})
	}
	return err
}

// benchCopies measures the cost of copies, as experiment 1 did: for each playout of all moves
// the board and the kernels are copied to the GPU; or only the position is, and the counts
// back; or all are copied once.
func (w havannahWork) benchCopies(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	perMove := uint64(w.copies)
	each := func(d *playout.Device) error {
		for i := range perMove {
			if err := rateFirst(ctx, d, 1, i); err != nil {
				return err
			}
		}
		return nil
	}
	prepared := func(use func(*playout.Device) error) error { return withDevice(gpu, w.side, w.grid, use) }
	for _, c := range []struct {
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
		if err := emitTime(emit, w.ratingRow(w.copies, c.name, 0), c.rate); err != nil {
			return err
		}
	}
	return nil
}

// benchGrids measures blocks of one thread, as experiments 4 and 5 did, and threads per block
// with path compression and without, as 2 and 3 did.
func (w havannahWork) benchGrids(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	measure := func(what string, x, perMove int, g havannahgpu.Grid) error {
		return w.time(ctx, gpu, g, perMove, w.ratingRow(perMove, what, x), emit)
	}
	for _, blocks := range w.blocks {
		for _, perMove := range []int{10, 100} {
			if err := measure("threads", blocks, perMove, havannahgpu.Grid{Blocks: blocks, Threads: 1}); err != nil {
				return err
			}
		}
	}
	if err := measure("8 threads, threads a block", 2, 10, havannahgpu.Grid{Blocks: 4, Threads: 2}); err != nil {
		return err
	}
	for _, threads := range w.threads {
		for _, compress := range []bool{false, true} {
			name := "without"
			if compress {
				name = "with"
			}
			if err := measure(name+" path compression, threads a block", threads, w.gridPerMove,
				havannahgpu.Grid{Threads: threads, Compress: compress}); err != nil {
				return err
			}
		}
	}
	return nil
}
