package records

import (
	"context"
	"errors"

	"gamebots/cudalib"
	"gamebots/cudalib/snakegpu"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// DeviceWalkers walks on a device, with the results of [CPUWalkers].
type DeviceWalkers struct {
	device *snakegpu.Walks
	rules  cube.Rules
}

// NewDeviceWalkers makes room on a device for the walks of the settings.
func NewDeviceWalkers(d *cudalib.Device, s Settings) (*DeviceWalkers, error) {
	if err := errors.Join(s.Check(), s.CheckDevice()); err != nil {
		return nil, err
	}
	walks, err := snakegpu.NewWalks(d, snakegpu.WalkSpec{
		Dimension: s.Rules.Dimension, Coil: s.Rules.Coil, Copies: s.Symmetry.Copies, Walks: s.Walks,
	})
	if err != nil {
		return nil, err
	}
	return &DeviceWalkers{walks, s.Rules}, nil
}

// Close frees the memory on the device.
func (w *DeviceWalkers) Close() error { return w.device.Close() }

// Walk is a [Walkers]. It makes the round that it has begun, even if the context is done.
func (w *DeviceWalkers) Walk(_ context.Context, walks []*walk) error {
	return w.change(walks, roundChanges)
}

// change lets each walk make changes, as many as changes says.
func (w *DeviceWalkers) change(walks []*walk, changes int) error {
	there := make([]snakegpu.Walk, len(walks))
	for i, one := range walks {
		there[i] = snakegpu.Walk{
			Path: one.path, Longest: one.longest, Stream: uint64(one.stream), Turn: one.rotation.deviceTurn(w.rules),
		}
	}
	if err := w.device.Run(there, changes); err != nil {
		return err
	}
	for i, from := range there {
		to := walks[i]
		to.path, to.longest, to.stream = from.Path, from.Longest, nmcs.Stream(from.Stream)
		to.work.Add(nmcs.Work{Playouts: uint64(changes), Steps: from.Entered})
	}
	return nil
}

// deviceTurn describes a turn in a cube to a device.
func (r rotation) deviceTurn(rules cube.Rules) snakegpu.Turn {
	t := snakegpu.Turn{Flips: r.turn(0)}
	for m := range uint8(rules.Dimension) {
		t.From[edge(r.turn(1<<m), t.Flips)] = m
	}
	return t
}
