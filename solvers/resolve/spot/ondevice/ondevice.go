package ondevice

import (
	"errors"

	"gamebots/cudalib"
	"gamebots/cudalib/spotgpu"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// Of returns how package spot uses a device: without one, by nil, not at all.
func Of(d *cudalib.Device) spot.Device {
	if d == nil {
		return nil
	}
	return func(s *layout.Start) (layout.Passes, error) {
		gpu, err := spotgpu.New(d, gameOf(s))
		if errors.As(err, new(*cudalib.MemoryError)) {
			return nil, memoryError{err}
		}
		if err != nil {
			return nil, err
		}
		return passes{gpu}, nil
	}
}

// memoryError is the error of a device with too little memory.
type memoryError struct{ error }

func (memoryError) Is(target error) bool { return target == spot.ErrDeviceMemory }

func (e memoryError) Unwrap() error { return e.error }

// passes does the passes of a solver.
type passes struct{ *spotgpu.Solver }

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
	}, values)
}
