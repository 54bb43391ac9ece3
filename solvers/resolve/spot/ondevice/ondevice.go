package ondevice

import (
	"errors"
	"sync"

	"gamebots/cudalib"
	"gamebots/cudalib/spotgpu"
	"gamebots/internal/memory"
	"gamebots/solvers/internal/vectors"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// Of returns how package spot uses a device: without one, by nil, not at all.
func Of(d *cudalib.Device) spot.Device { return InTurns(d, nothing{}) }

// nothing is no lock.
type nothing struct{}

func (nothing) Lock()   {}
func (nothing) Unlock() {}

// InTurns is Of for solvers that take turns on a device: each holds the lock from the time when it takes memory there
// until it is closed.
func InTurns(d *cudalib.Device, turn sync.Locker) spot.Device {
	if d == nil {
		return nil
	}
	return func(start *layout.Start, limit int64) (p layout.Passes, err error) {
		game := newBuilder(start)
		least := game.Least()
		turn.Lock()
		defer func() {
			if err != nil {
				turn.Unlock()
			}
		}()
		free, _, err := d.Memory()
		if err != nil {
			return nil, err
		}
		if limit > 0 {
			free = min(free, limit)
		}
		game.Fit(free)
		if need := game.Bytes(); limit > 0 && need > limit {
			return nil, memoryError{memory.Enough("the spot on a GPU", need, limit)}
		}
		gpu, err := spotgpu.New(d, game.Game)
		if errors.As(err, new(*cudalib.MemoryError)) || errors.Is(err, cudalib.ErrOutOfMemory) {
			return nil, memoryError{err}
		}
		if err != nil {
			return nil, err
		}
		return passes{gpu, game.slots, turn, least}, nil
	}
}

// Shared returns how package resolve uses a device, and nine tenths of the memory that is free there.
func Shared(d *cudalib.Device) (spots func(turn sync.Locker) spot.Device, bytes int64, err error) {
	free, _, err := d.Memory()
	return func(turn sync.Locker) spot.Device { return InTurns(d, turn) }, free / 10 * 9, err
}

// memoryError is the error of a device with too little memory.
type memoryError struct{ error }

func (memoryError) Is(target error) bool { return target == spot.ErrDeviceMemory }

func (e memoryError) Unwrap() error { return e.error }

// passes does the passes of a solver.
type passes struct {
	*spotgpu.Solver
	slots [layout.NumStreets][][2]uint32 // see builder
	turn  sync.Locker
	least int64
}

// Least implements layout.Passes.
func (p passes) Least() int64 { return p.least }

// Close implements layout.Passes.
func (p passes) Close() error {
	defer p.turn.Unlock()
	return p.Solver.Close()
}

// purposes are those of package spotgpu.
var purposes = [...]spotgpu.Purpose{
	layout.Improve: spotgpu.Improve, layout.Respond: spotgpu.Respond, layout.Average: spotgpu.Average,
}

// Traverse implements layout.Passes.
func (p passes) Traverse(pass layout.Pass) error {
	w := spotgpu.Work{
		Purpose: purposes[pass.Purpose], Player: pass.Player, Rotates: pass.Rotates, Part: pass.Part,
	}
	for k, v := range pass.Visits {
		d := v.Discounts
		w.Visits[k] = spotgpu.Visit{
			Positive: d.Positive, Negative: d.Negative, Floor: d.Floor, Average: d.Average,
			Threshold: vectors.Threshold(0, v.Number),
		}
	}
	return p.Solver.Traverse(w)
}

// Read implements layout.Passes.
func (p passes) Read(
	t layout.Table, from layout.Place, floats []float32, packed []int16, scales []float32,
) error {
	return p.Solver.Read(int(t), spotgpu.Entries{
		At: from.At, Floats: floats, Packed: packed, ScaleAt: from.Scale, Scales: scales,
	})
}

// Values implements layout.Passes.
func (p passes) Values(at layout.NodeKey, player int, to []float32) error {
	return p.Solver.Values(at.Street, at.Board, player, uint32(at.Node), to)
}

// Reach implements layout.Passes.
func (p passes) Reach(at layout.NodeKey, player int, to []float32) error {
	return p.Solver.Reach(at.Street, at.Board, player, p.slots[at.Street][at.Node][player], to)
}
