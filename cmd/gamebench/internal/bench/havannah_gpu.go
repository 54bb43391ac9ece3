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

// onGPU measures random games as on the CPU, and in blocks of one thread, as in experiments 4 and 5 of Werner (2012).
func (w havannahWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	for _, side := range w.sides {
		cells := 3*side*(side-1) + 1
		perMove := uint64(max(1, w.games/cells))
		if err := withDevice(gpu, side, w.grid, func(d *playout.Device) error {
			return emitSpeed(emit, Row{Case: fmt.Sprintf("side %d, empty board", side)},
				float64(perMove)*float64(cells), "playouts/s", func() error { return rateFirst(ctx, d, perMove) })
		}); err != nil {
			return err
		}
	}
	for _, perMove := range w.perMove {
		if err := w.time(ctx, gpu, w.grid, perMove, w.playoutsRow(perMove), emit); err != nil {
			return err
		}
	}
	for _, blocks := range w.blocks {
		for _, perMove := range []int{10, 100} {
			if err := w.time(ctx, gpu, havannahgpu.Grid{Blocks: blocks, Threads: 1}, perMove,
				w.threadsRow(perMove, blocks), emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// time times the rating of all first moves, copies included.
func (w havannahWork) time(
	ctx context.Context, gpu *cudalib.Device, g havannahgpu.Grid, perMove int, r Row, emit func(Row),
) error {
	return withDevice(gpu, w.side, g, func(d *playout.Device) error {
		return emitTime(emit, r, func() error { return rateFirst(ctx, d, uint64(perMove)) })
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
func rateFirst(ctx context.Context, d *playout.Device, perMove uint64) error {
	b, err := havannah.New(d.Side())
	if err == nil {
		_, err = playout.Rate(ctx, b, playout.Options{Playouts: perMove, Device: d})
	}
	return err
}
