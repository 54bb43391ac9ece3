package ondevice

import (
	"errors"
	"sync"

	"gamebots/cudalib"
	"gamebots/cudalib/spotgpu"
	"gamebots/internal/memory"
	"gamebots/solvers/internal/kernels"
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
	return func(s *layout.Start) (p layout.Passes, err error) {
		game := gameOf(s)
		turn.Lock()
		defer func() {
			if err != nil {
				turn.Unlock()
			}
		}()
		if need := game.Bytes(); s.Memory > 0 && need > s.Memory {
			return nil, memoryError{memory.Enough("the spot on a GPU", need, s.Memory)}
		}
		gpu, err := spotgpu.New(d, game)
		if errors.As(err, new(*cudalib.MemoryError)) {
			return nil, memoryError{err}
		}
		if err != nil {
			return nil, err
		}
		return passes{gpu, s.Layout, turn}, nil
	}
}

// memoryError is the error of a device with too little memory.
type memoryError struct{ error }

func (memoryError) Is(target error) bool { return target == spot.ErrDeviceMemory }

func (e memoryError) Unwrap() error { return e.error }

// passes does the passes of a solver.
type passes struct {
	*spotgpu.Solver
	layout *layout.Layout
	turn   sync.Locker
}

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
func (p passes) Traverse(pass layout.Pass, values []float32) error {
	d := pass.Discounts
	return p.Solver.Traverse(spotgpu.Work{
		Purpose: purposes[pass.Purpose], Player: pass.Player,
		Positive: d.Positive, Negative: d.Negative, Floor: d.Floor, Average: d.Average,
		Threshold: kernels.Threshold(0, pass.Iteration),
	}, values)
}

// StartFrom implements layout.Passes.
func (p passes) StartFrom(other layout.Passes) error {
	q, ok := other.(passes)
	if !ok {
		return errors.ErrUnsupported
	}
	return p.Solver.CopyFrom(q.Solver)
}

// Sums implements layout.Passes.
func (p passes) Sums(from layout.Place, floats []float32, packed []int16, scales []float32) error {
	return p.Solver.Sums(spotgpu.Entries{
		At: from.At, Floats: floats, Packed: packed, ScaleAt: from.Scale, Scales: scales,
	})
}

// Reach implements layout.Passes. The reach of all batches of a street is side by side.
func (p passes) Reach(at layout.NodeKey, player int, to []float32) error {
	st, before := &p.layout.Streets[at.Street], 0
	for i := range st.Batches {
		if t := &st.Batches[i]; at.Node >= t.Last {
			before += int(t.Slots[player])
		}
	}
	slot := uint32(before) + uint32(st.Nodes[at.Node].Slot[player])
	return p.Solver.Reach(at.Street-p.layout.First, at.Board, player, slot, to)
}

// Values implements layout.Passes.
func (p passes) Values(at layout.NodeKey, player int, to []float32) error {
	return p.Solver.Values(at.Street-p.layout.First, at.Board, player, uint32(at.Node), to)
}
