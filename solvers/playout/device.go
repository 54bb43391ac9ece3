package playout

import (
	"context"
	"fmt"

	"gamebots/cudalib"
	"gamebots/hexproto/havannah"
)

// Device plays on a GPU from positions of one side. It belongs to one goroutine.
type Device struct {
	grid *havannah.Grid
	gpu  *cudalib.Havannah
}

// NewDevice prepares a GPU to play on boards of a side. Zero values of g are
// fast.
func NewDevice(d *cudalib.Device, side int, g cudalib.HavannahGrid) (*Device, error) {
	grid, err := havannah.GridOf(side)
	if err != nil {
		return nil, err
	}
	var b cudalib.HavannahBoard
	for cell := range grid.NumCells {
		var near [havannah.NumNear]int
		for direction := range near {
			near[direction] = grid.Near(cell, direction)
		}
		b.Near = append(b.Near, near)
		b.Border = append(b.Border, uint16(grid.Border(cell)))
	}
	h, err := cudalib.NewHavannah(d, b, g)
	if err != nil {
		return nil, err
	}
	return &Device{grid, h}, nil
}

// Side is that of the boards.
func (d *Device) Side() int { return d.grid.Side }

// Close frees what the device needed.
func (d *Device) Close() error { return d.gpu.Close() }

// perLaunch is about how many playouts a device does before it is asked whether
// to go on: less than a second's.
const perLaunch = 1 << 26

// play adds the results of n playouts after each move of a position, of which
// the last may be a swap.
func (d *Device) play(ctx context.Context, b *havannah.Board, ratings []Rating, seed, n uint64) error {
	if b.Grid() != d.grid {
		return fmt.Errorf("a board of side %d on a device for side %d", b.Grid().Side, d.grid.Side)
	}
	turn := colour(b.Turn())
	if last := len(ratings) - 1; ratings[last].Move == havannah.Swap {
		after := *b
		if err := after.Play(havannah.Swap); err != nil {
			return err
		}
		swapped := []cudalib.HavannahMove{{Cell: -1, Number: uint32(d.grid.NumCells)}}
		if err := d.playFrom(ctx, position(&after, turn), swapped, ratings[last:], seed, n); err != nil {
			return err
		}
		ratings = ratings[:last]
	}
	moves := make([]cudalib.HavannahMove, len(ratings))
	for i, r := range ratings {
		moves[i] = cudalib.HavannahMove{Cell: int(r.Move), Number: uint32(r.Move)}
	}
	return d.playFrom(ctx, position(b, turn), moves, ratings, seed, n)
}

func (d *Device) playFrom(ctx context.Context, p cudalib.HavannahPosition, moves []cudalib.HavannahMove, ratings []Rating, seed, n uint64) error {
	for first := uint64(0); first < n; {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		now := min(n-first, uint64(perLaunch/len(moves)))
		counts, err := d.gpu.Rate(p, moves, seed, first, now)
		if err != nil {
			return err
		}
		for i, c := range counts {
			ratings[i].Add((*Tally)(&c))
		}
		first += now
	}
	return nil
}

// position puts stones into an array. Turn makes the moves that are rated, or
// has made the swap.
func position(b *havannah.Board, turn uint8) cudalib.HavannahPosition {
	p := cudalib.HavannahPosition{Turn: turn}
	for cell := range b.Grid().NumCells {
		stone := uint8(0)
		if c := b.Stone(cell); c != havannah.NoColour {
			stone = 1 + colour(c)
		}
		p.Stones = append(p.Stones, stone)
	}
	return p
}
