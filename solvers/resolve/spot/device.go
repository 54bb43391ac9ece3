package spot

import (
	"errors"
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/spotgpu"
)

// gpu is what a solver has on a device.
type gpu struct {
	*spotgpu.Solver
	values []float32 // at the root
	err    error     // the first one
}

// DeviceWorthwhile reports whether a spot is large enough for a GPU: a river has too few hands
// to keep one busy.
func (s *Solver) DeviceWorthwhile() bool { return s.first < river && s.size.at >= 1<<20 }

// UseDevice moves the solver to a device, which gives results of the same bits. The error is a
// [*cudalib.MemoryError] where the device has too little memory free, and errors.ErrUnsupported
// for entries of 16 bits and for spots with leaves.
func (s *Solver) UseDevice(d *cudalib.Device) error {
	if s.leaves != nil {
		return fmt.Errorf("leaves: %w on a GPU", errors.ErrUnsupported)
	}
	if s.algorithm.Quantized {
		return fmt.Errorf("entries of 16 bits: %w on a GPU", errors.ErrUnsupported)
	}
	device, err := spotgpu.New(d, s.forDevice())
	if err != nil {
		return err
	}
	s.gpu = &gpu{Solver: device, values: make([]float32, len(s.ones))}
	s.regrets = entries{} // they may be large
	return nil
}

// Sync waits for the device, which does iterations later than Step returns.
func (s *Solver) Sync() error {
	if s.gpu == nil {
		return nil
	}
	return errors.Join(s.gpu.err, s.gpu.Sync())
}

// LeaveDevice frees the memory on a device, and brings the strategies back from it. The solver
// must do no more iterations.
func (s *Solver) LeaveDevice() error {
	if s.gpu == nil {
		return nil
	}
	err := errors.Join(s.fetch(), s.gpu.Close())
	s.gpu = nil
	return err
}

// Close frees the memory on a device. The solver must not be used any more.
func (s *Solver) Close() error {
	if s.gpu == nil {
		return nil
	}
	return s.gpu.Close()
}

// Err returns the error of the device or of the strategy by which leaves are valued. It makes what
// was found since worthless.
func (s *Solver) Err() error {
	switch {
	case s.leaves != nil:
		return s.leaves.err
	case s.gpu == nil:
		return nil
	}
	return s.gpu.err
}

// traverse does a pass. One that improves is waited for only if a player may take an offer instead
// of its values.
func (g *gpu) traverse(s *Solver, p *pass) []float32 {
	root := &s.boards[s.first][0].hands[p.player]
	clear(g.values)
	if g.err == nil {
		d := p.discounts
		var values []float32
		if p.mode != improve || s.chooses(p.player) {
			values = g.values[:len(root.holes)]
		}
		g.err = g.Traverse(spotgpu.Work{
			Purpose: spotgpu.Purpose(p.mode), Player: p.player, Positive: d.Positive, Negative: d.Negative, Floor: d.Floor, Average: d.Average,
		}, values)
	}
	return g.values[:root.width]
}

// fetch copies the sums of strategies from a device.
func (s *Solver) fetch() error {
	if s.gpu == nil {
		return nil
	}
	return errors.Join(s.gpu.err, s.gpu.Sums(s.sums.floats))
}
