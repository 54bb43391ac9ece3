package probe

import (
	"errors"
	"slices"
	"time"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// Speed is a device's highest speed, to compare kernels with.
type Speed struct {
	// Copy is how many bytes a second a kernel moves that only copies: the bytes that
	// it reads plus those that it writes.
	Copy float64
	// Launch is the time from one launch of an empty kernel to the next, launched one
	// by one, and GraphLaunch the same within a graph.
	Launch, GraphLaunch time.Duration
}

// copyParams are the parameters of copy_words4.
type copyParams struct {
	To, From driver.Buffer[uint32]
	N        uint64 // four words each
}

const (
	copyThreads = 256
	copyBytes   = 1 << 30 // many times what fits in any cache
	launches    = 200     // launches that are timed together
	speedRuns   = 5       // the median counts
)

// Measure measures a device, in a fraction of a second on a real one. It takes
// up to 2 GiB of its memory.
func Measure(d *driver.Device) (Speed, error) {
	s := newStopwatch(d)
	var speed Speed
	err := d.Do(func() (err error) {
		if speed.Copy, err = s.copy(); err != nil {
			return err
		}
		speed.Launch, speed.GraphLaunch, err = s.launches()
		return err
	})
	return speed, errors.Join(err, s.Close())
}

// A stopwatch measures times on a device.
type stopwatch struct {
	gpu        *launch.Launcher
	start, end *driver.Event
}

func newStopwatch(d *driver.Device) (s stopwatch) {
	s.gpu = launch.New(d, Modules, "copy")
	s.start, s.end = launch.Keep(s.gpu, d.NewEvent), launch.Keep(s.gpu, d.NewEvent)
	return s
}

// Close frees the memory on the device.
func (s *stopwatch) Close() error { return s.gpu.Close() }

// copy returns how many bytes a second a copy moves.
func (s *stopwatch) copy() (float64, error) {
	const bytesPerThread = 16
	kernel := launch.Find[copyParams](s.gpu, "copy_words4")
	free, _, err := s.gpu.Device.Memory()
	if err != nil {
		return 0, errors.Join(s.gpu.Err, err)
	}
	n := min(copyBytes, free/4) / bytesPerThread
	to, from := launch.Alloc[uint32](s.gpu, int(n*bytesPerThread/4)),
		launch.Alloc[uint32](s.gpu, int(n*bytesPerThread/4))
	if s.gpu.Err != nil {
		return 0, s.gpu.Err
	}
	if err := from.Zero(s.gpu.Stream); err != nil {
		return 0, err
	}
	// A thread for each four words is faster than fewer threads that stride.
	blocks := int((n + copyThreads - 1) / copyThreads)
	t, err := s.time(func() error {
		return kernel.Launch(s.gpu.Stream, driver.Grid{Blocks: blocks, Threads: copyThreads},
			copyParams{to, from, uint64(n)})
	})
	if err != nil {
		return 0, err
	}
	return float64(2*n*bytesPerThread) / t.Seconds(), nil
}

// launches returns the times of a launch by itself and in a graph.
func (s *stopwatch) launches() (single, inGraph time.Duration, err error) {
	nothing := launch.Find[struct{}](s.gpu, "nothing")
	work := func() error {
		for range launches {
			if err := nothing.Launch(s.gpu.Stream, driver.Grid{Blocks: 1, Threads: 1}, struct{}{}); err != nil {
				return err
			}
		}
		return nil
	}
	graph := launch.Keep(s.gpu, func() (*driver.Graph, error) { return s.gpu.Stream.Capture(work) })
	if s.gpu.Err != nil {
		return 0, 0, s.gpu.Err
	}
	if single, err = s.time(work); err != nil {
		return 0, 0, err
	}
	inGraph, err = s.time(func() error { return graph.Launch(s.gpu.Stream) })
	return single / launches, inGraph / launches, err
}

// time returns the device's median time for work, after one run to warm up.
func (s *stopwatch) time(work func() error) (time.Duration, error) {
	var times []time.Duration
	for range 1 + speedRuns {
		if err := errors.Join(s.start.Record(s.gpu.Stream), work(), s.end.Record(s.gpu.Stream),
			s.end.Sync()); err != nil {
			return 0, err
		}
		t, err := s.end.Since(s.start)
		if err != nil {
			return 0, err
		}
		times = append(times, t)
	}
	times = times[1:]
	slices.Sort(times)
	return times[len(times)/2], nil
}
