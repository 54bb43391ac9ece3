package snake

import (
	"context"
	"errors"

	"gamebots/cudalib"
	"gamebots/cudalib/snakegpu"
	"gamebots/solvers/nmcs"
)

// DeviceWalkers walks on a device, with the results of [CPUWalkers].
type DeviceWalkers struct{ device *snakegpu.Walks }

// NewDeviceWalkers makes room on a device for the walks of the settings.
func NewDeviceWalkers(d *cudalib.Device, s Settings) (*DeviceWalkers, error) {
	if err := errors.Join(s.Check(), s.CheckDevice()); err != nil {
		return nil, err
	}
	walks, err := snakegpu.NewWalks(d, s.Rules.Dimension, s.Rules.Coil, s.Walks)
	if err != nil {
		return nil, err
	}
	return &DeviceWalkers{walks}, nil
}

// Close frees the memory on the device.
func (w *DeviceWalkers) Close() error { return w.device.Close() }

// Walk is a [Walkers]. It makes the round that it has begun, even if the context is done.
func (w *DeviceWalkers) Walk(_ context.Context, walks []*walk) error {
	return w.change(walks, roundChanges)
}

// change lets each walk make a number of changes.
func (w *DeviceWalkers) change(walks []*walk, changes int) error {
	there := make([]snakegpu.Walk, len(walks))
	for i, one := range walks {
		there[i] = snakegpu.Walk{Path: one.path, Longest: one.longest, Stream: uint64(one.stream)}
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
