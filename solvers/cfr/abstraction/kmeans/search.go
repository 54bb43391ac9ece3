package kmeans

import (
	"errors"
	"sync"

	"gamebots/solvers/cfr/abstraction/internal/nearest"
)

// A Device opens searches for vectors with dim coordinates, elsewhere than on the CPU and with the
// same results. Package cluster has that of a GPU.
type Device func(m nearest.Metric, dim int) (DeviceSearch, error)

// DeviceSearch finds the nearest of some centres. It is used by one goroutine at a time.
type DeviceSearch interface {
	// SetCentres sets the centres, one after the other, at least one.
	SetCentres(values []uint16) error
	// SetVectors sets the vectors, one after the other, at least one.
	SetVectors(values []uint16) error
	// Nearest sets, for each vector, the nearest centre, the first of several, and the square of
	// its distance.
	Nearest(centre []uint32, square []uint64) error
	// Close frees the memory on the device.
	Close() error
}

// Search finds the nearest centres of many vectors, on a device or on the CPU with the same
// results. It may be used by several goroutines at once.
type Search struct {
	near *nearest.Neighbours // search on the CPU

	mu  sync.Mutex
	gpu DeviceSearch // search on a device, or nil
}

// NewSearch returns a search for the nearest of some centres. Without a device the search is
// on the CPU, and threads prepare it.
func NewSearch(d Device, c *nearest.Centres, threads int) (*Search, error) {
	if d == nil {
		return &Search{near: nearest.NewNeighbours(c, nearest.Many, threads)}, nil
	}
	gpu, err := d(c.Metric, c.Dim)
	if err != nil {
		return nil, err
	}
	if err := gpu.SetCentres(c.Values); err != nil {
		return nil, errors.Join(err, gpu.Close())
	}
	return &Search{gpu: gpu}, nil
}

// Batch returns how many vectors a call of Nearest should have.
func (s *Search) Batch() int {
	if s.gpu == nil {
		return 1 << 8
	}
	return 1 << 16
}

// Nearest sets, for each of the vectors, one after the other, what [nearest.Centres.Nearest] returns.
// The error is that of the device.
func (s *Search) Nearest(vectors []uint16, centre []uint32, square []uint64) error {
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
func (s *Search) Close() error {
	if s.gpu == nil {
		return nil
	}
	return s.gpu.Close()
}
