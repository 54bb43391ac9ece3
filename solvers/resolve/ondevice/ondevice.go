// Package ondevice lets package resolve solve on a GPU, so that who solves at the table links no kernels.
package ondevice

import (
	"sync"

	"gamebots/cudalib"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/ondevice"
)

// Of returns how package resolve uses a device, with nine tenths of the memory that is free: without one, by
// nil, not at all.
func Of(d *cudalib.Device) (*resolve.Device, error) {
	if d == nil {
		return nil, nil
	}
	free, _, err := d.Memory()
	return resolve.NewDevice(func(turn sync.Locker) spot.Device { return ondevice.InTurns(d, turn) }, free/10*9), err
}
