package spot

import (
	"errors"
	"fmt"

	"gamebots/solvers/resolve/spot/internal/layout"
	"gamebots/solvers/resolve/spot/internal/loops"
)

// A Device puts a spot on another processor, which does the passes of a solver: package ondevice has
// that of a GPU. The error is an [ErrDeviceMemory] where it has too little memory free.
type Device func(*layout.Start) (layout.Passes, error)

// ErrDeviceMemory is the error for a spot that is too large for a device.
var ErrDeviceMemory = errors.New("too little memory on the device")

// gpu is what a solver has on a device.
type gpu struct {
	layout.Passes
	values []float32 // at the root
	err    error     // the first one
}

// DeviceWorthwhile reports whether a spot is large enough for a GPU: a river has too few hands
// to keep one busy.
func (s *Solver) DeviceWorthwhile() bool { return s.First < layout.River && s.Size.At >= 1<<20 }

// UseDevice moves the solver to a device, which gives results of the same bits. The error is an
// [ErrDeviceMemory] where the device has too little memory free, and errors.ErrUnsupported
// for entries of 16 bits and for spots with leaves.
func (s *Solver) UseDevice(d Device) error {
	if s.leaves != nil {
		return fmt.Errorf("leaves: %w on a GPU", errors.ErrUnsupported)
	}
	if s.algorithm.Quantized {
		return fmt.Errorf("entries of 16 bits: %w on a GPU", errors.ErrUnsupported)
	}
	start := &layout.Start{
		Layout: s.Layout, Reach: s.reach, Regrets: s.regrets.Floats, Sums: s.sums.Floats,
		Locks: map[layout.NodeKey][]float32{},
	}
	for key, l := range s.locks {
		start.Locks[key] = l
	}
	passes, err := d(start)
	if err != nil {
		return err
	}
	s.gpu = &gpu{Passes: passes, values: make([]float32, len(s.ones))}
	s.regrets = loops.Entries{} // they may be large
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

// Err returns the error of the device or of the strategy by which leaves are valued. Results since
// then are invalid.
func (s *Solver) Err() error { return s.err() }

func (s *traversal) err() error {
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
func (g *gpu) traverse(s *traversal, p *pass) []float32 {
	root := &s.Root().Hands[p.Player]
	clear(g.values)
	if g.err == nil {
		var values []float32
		if p.Purpose != layout.Improve || s.chooses(p.Player) {
			values = g.values[:len(root.Holes)]
		}
		g.err = g.Traverse(p.Pass, values)
	}
	return g.values[:root.Width]
}

// fetch copies the sums of strategies from a device.
func (s *traversal) fetch() error {
	if s.gpu == nil {
		return nil
	}
	return errors.Join(s.gpu.err, s.gpu.Sums(s.sums.Floats))
}
