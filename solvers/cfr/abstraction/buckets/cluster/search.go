package cluster

import (
	"errors"
	"sync"

	"gamebots/cudalib"
	"gamebots/cudalib/kmeansgpu"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// search finds the nearest centres of many vectors, on a device or on the CPU with the same
// results. It may be used by several goroutines at once.
type search struct {
	near *buckets.Neighbours // search on the CPU

	mu  sync.Mutex
	gpu *kmeansgpu.Search // search on a device, or nil
}

// newSearch returns a search for the nearest of some centres. Without a device the search is
// on the CPU, and threads prepare it.
func newSearch(d *cudalib.Device, c *buckets.Centres, threads int) (*search, error) {
	if d == nil {
		return &search{near: buckets.NewNeighbours(c, buckets.ManyNeighbours, threads)}, nil
	}
	gpu, err := onDevice(d, c.Metric, c.Dim)
	if err != nil {
		return nil, err
	}
	if err := gpu.SetCentres(c.Values); err != nil {
		return nil, errors.Join(err, gpu.Close())
	}
	return &search{gpu: gpu}, nil
}

// onDevice returns a search on a device for vectors with dim coordinates, with the results of the CPU.
func onDevice(d *cudalib.Device, m buckets.Metric, dim int) (*kmeansgpu.Search, error) {
	metrics := map[buckets.Metric]kmeansgpu.Metric{buckets.L1: kmeansgpu.L1, buckets.L2: kmeansgpu.L2}
	return kmeansgpu.New(d, metrics[m], dim)
}

// Batch returns how many vectors a call of Nearest should have.
func (s *search) Batch() int {
	if s.gpu == nil {
		return 1 << 8
	}
	return 1 << 16
}

// Nearest sets, for each of the vectors, one after the other, what [buckets.Centres.Nearest] returns.
// The error is that of the device.
func (s *search) Nearest(vectors []uint16, centre []uint32, square []uint64) error {
	if s.gpu == nil {
		c := 0 // the nearest of a vector is near to the next, if such vectors are alike
		for i := range centre {
			x := vectors[i*s.near.Dim:][:s.near.Dim]
			c, square[i] = s.near.After(x, c)
			centre[i] = uint32(c)
		}
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.gpu.SetVectors(vectors), s.gpu.Nearest(centre, square))
}

// Close frees the memory on the device.
func (s *search) Close() error {
	if s.gpu == nil {
		return nil
	}
	return s.gpu.Close()
}
