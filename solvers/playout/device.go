package playout

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
)

// Device plays on a GPU, from positions of one board size. It is used by one goroutine at
// a time.
type Device struct {
	grid  *havannah.Grid
	gpu   *havannahgpu.Playouts
	owned *cudalib.Device // closed with it, or nil
}

// MinDevicePlayouts is the number of playouts from which on a GPU is faster than the CPU: its
// start takes some tenths of a second.
const MinDevicePlayouts = 1 << 20

// NewDevice prepares a GPU to play on boards of a side. The zero value of g is fast.
func NewDevice(d *cudalib.Device, side int, g havannahgpu.Grid) (*Device, error) {
	grid, err := havannah.GridOf(side)
	if err != nil {
		return nil, err
	}
	h, err := havannahgpu.NewPlayouts(d, DeviceCells(grid), g)
	if err != nil {
		return nil, err
	}
	return &Device{grid: grid, gpu: h}, nil
}

// DeviceCells describes the cells of a grid to a GPU.
func DeviceCells(g *havannah.Grid) (board []havannahgpu.Cell) {
	for cell := range g.NumCells {
		board = append(board, havannahgpu.Cell{Row: g.Row(cell), Col: g.Col(cell), Border: uint16(g.Border(cell))})
	}
	return board
}

// DevicePosition describes the stones of a board to a GPU.
func DevicePosition(b *havannah.Board) (p havannahgpu.Position) {
	for cell := range b.Grid().NumCells {
		p.Stones = append(p.Stones, uint8(b.Stone(cell)-havannah.NoColour))
	}
	return p
}

// OpenDevice opens the chosen GPU for playouts on boards of a side, and describes where they are played. It
// returns nil for the CPU: it was asked for, or the choice is left open and no GPU can be used or would gain.
func OpenDevice(c cudalib.Choice, side int, playouts uint64) (d *Device, where string, err error) {
	reason := fmt.Sprintf("%d random games, and a GPU gains from %d on", playouts, MinDevicePlayouts)
	gpu, where, err := c.If(playouts >= MinDevicePlayouts, reason).Open()
	if gpu == nil || err != nil {
		return nil, where, err
	}
	if d, err = NewDevice(gpu, side, havannahgpu.Grid{}); err == nil {
		d.owned = gpu
		return d, where, nil
	}
	if err = errors.Join(err, gpu.Close()); c.GPU() {
		return nil, "", err
	}
	return nil, "the CPU: " + err.Error(), nil
}

// Close frees the memory on the GPU, and closes that if OpenDevice opened it.
func (d *Device) Close() error {
	err := d.gpu.Close()
	if d.owned != nil {
		err = errors.Join(err, d.owned.Close())
	}
	return err
}

// perLaunch is about how many playouts a device plays between checks of the context: less
// than a second of work.
const perLaunch = 1 << 26

// rounds returns a round function that plays after the moves of a position, the last of
// which may be a swap.
func (d *Device) rounds(b *havannah.Board, moves []havannah.Move, seed uint64) (round, uint64, error) {
	if b.Grid() != d.grid {
		return nil, 0, fmt.Errorf("a board of side %d on a device for side %d", b.Grid().Side, d.grid.Side)
	}
	type launch struct {
		from  havannahgpu.Position
		moves []havannahgpu.Move
	}
	turn := colour(b.Turn())
	var launches []launch
	stones := launch{from: position(b, turn)}
	for _, m := range moves {
		if m != havannah.Swap {
			stones.moves = append(stones.moves, havannahgpu.Move{Cell: int(m), Number: uint32(m)})
			continue
		}
		after := *b
		if err := after.Play(m); err != nil {
			return nil, 0, err
		}
		swap := havannahgpu.Move{Cell: -1, Number: uint32(d.grid.NumCells)}
		launches = append(launches, launch{position(&after, turn), []havannahgpu.Move{swap}})
	}
	launches = slices.Insert(launches, 0, stones)
	return func(ctx context.Context, add []Tally, first, n uint64) error {
		for _, l := range launches {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			counts, err := d.gpu.Rate(l.from, l.moves, seed, first, n)
			if err != nil {
				return err
			}
			for i := range counts {
				add[i].Add((*Tally)(&counts[i]))
			}
			add = add[len(counts):]
		}
		return nil
	}, perLaunch, nil
}

// position describes a board to the GPU. Turn is the player who makes the rated moves, or
// made the swap.
func position(b *havannah.Board, turn uint8) havannahgpu.Position {
	p := DevicePosition(b)
	p.Turn = turn
	return p
}
