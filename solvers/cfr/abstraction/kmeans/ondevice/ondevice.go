// Package ondevice lets package kmeans find nearest centres on a GPU, so that kmeans, and the
// card abstractions that are looked up by it, link no kernels.
package ondevice

import (
	"gamebots/cudalib"
	"gamebots/cudalib/kmeansgpu"
	"gamebots/solvers/cfr/abstraction/internal/nearest"
	"gamebots/solvers/cfr/abstraction/kmeans"
)

// Open opens the device of a choice, and describes it. With a choice of any device it opens none
// unless that is worthwhile, and says why not.
func Open(choice cudalib.Choice, worthwhile bool) (d kmeans.Device, where string, closeDevice func() error, err error) {
	closeDevice = func() error { return nil }
	device, where, err := choice.If(worthwhile, "there is little to compare").Open()
	if device != nil {
		closeDevice = device.Close
	}
	return Search(device), where, closeDevice, err
}

// Search returns how package kmeans searches on a device: without one, by nil, on the CPU.
func Search(d *cudalib.Device) kmeans.Device {
	if d == nil {
		return nil
	}
	return func(m nearest.Metric, dim int) (kmeans.DeviceSearch, error) {
		metrics := map[nearest.Metric]kmeansgpu.Metric{nearest.L1: kmeansgpu.L1, nearest.L2: kmeansgpu.L2}
		return kmeansgpu.New(d, metrics[m], dim)
	}
}
