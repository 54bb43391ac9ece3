package probe

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// The chunks of sum.cu.
const (
	sumThreads = 256
	sumChunk   = 4 * sumThreads
)

// Sum adds up floats in the order that sum.cu describes. It is the CPU
// reference implementation of [Summation.Sum], and gives the same bits.
func Sum(x []float32) float32 {
	if len(x) == 0 {
		return 0
	}
	for {
		sums := make([]float32, 0, (len(x)+sumChunk-1)/sumChunk)
		for len(x) > 0 {
			n := min(len(x), sumChunk)
			sums = append(sums, sumOfChunk(x[:n]))
			x = x[n:]
		}
		if len(sums) == 1 {
			return sums[0]
		}
		x = sums
	}
}

func sumOfChunk(x []float32) float32 {
	var partial [sumThreads]float32
	for i := range sumChunk {
		value := float32(0) // added too, as it makes -0 a +0
		if i < len(x) {
			value = x[i]
		}
		partial[i%sumThreads] += value
	}
	for half := sumThreads / 2; half >= 1; half /= 2 {
		for i := range half {
			partial[i] += partial[i+half]
		}
	}
	return partial[0]
}

// sumParams are the parameters of sum_chunks.
type sumParams struct {
	Sums, X driver.Buffer[float32]
	N       uint64
}

// A Summation adds up arrays of one length on a device.
type Summation struct {
	gpu    *launch.Launcher
	chunks *launch.Kernel[sumParams]
	blocks int                      // at most, a launch
	levels []driver.Buffer[float32] // the floats, the sums of their chunks, and so on
}

// NewSummation makes room for n floats, at least one, on a device.
func NewSummation(d *driver.Device, n int) (*Summation, error) {
	if n < 1 {
		return nil, errors.New("a summation of nothing")
	}
	s := &Summation{gpu: launch.New(d, Modules, "sum")}
	s.chunks = launch.Find[sumParams](s.gpu, "sum_chunks")
	s.blocks = launch.Blocks(s.gpu, s.chunks, sumThreads, 0)
	for s.gpu.Err == nil {
		s.levels = append(s.levels, launch.Alloc[float32](s.gpu, n))
		if n == 1 && len(s.levels) > 1 {
			return s, nil
		}
		n = (n + sumChunk - 1) / sumChunk
	}
	return nil, errors.Join(s.gpu.Err, s.Close())
}

// Close frees the memory on the device.
func (s *Summation) Close() error { return s.gpu.Close() }

// Upload sets the floats.
func (s *Summation) Upload(x []float32) error { return s.levels[0].Upload(s.gpu.Stream, x) }

// Sum adds up the floats.
func (s *Summation) Sum() (float32, error) {
	var sum [1]float32
	err := s.gpu.Device.Do(func() error {
		for i, to := range s.levels[1:] {
			from := s.levels[i]
			grid := driver.Grid{Blocks: min(to.Len(), s.blocks), Threads: sumThreads}
			if err := s.chunks.Launch(s.gpu.Stream, grid, sumParams{to, from, uint64(from.Len())}); err != nil {
				return err
			}
		}
		return s.levels[len(s.levels)-1].Download(s.gpu.Stream, sum[:])
	})
	return sum[0], err
}
