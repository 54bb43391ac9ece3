package cluster

import (
	"gamebots/cudalib"
	"gamebots/cudalib/kmeansgpu"
	"gamebots/solvers/cfr/abstraction/internal/nearest"
	"gamebots/solvers/cfr/abstraction/kmeans"
)

// OnDevice returns how package kmeans searches on a device, so that it links no kernels.
func OnDevice(d *cudalib.Device) kmeans.Device {
	return func(m nearest.Metric, dim int) (kmeans.DeviceSearch, error) {
		metrics := map[nearest.Metric]kmeansgpu.Metric{nearest.L1: kmeansgpu.L1, nearest.L2: kmeansgpu.L2}
		return kmeansgpu.New(d, metrics[m], dim)
	}
}
