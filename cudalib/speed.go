package cudalib

import (
	"errors"
	"slices"
	"time"

	"gamebots/cudalib/driver"
)

// Speed is what a device can do at best, for what kernels reach to be held
// against.
type Speed struct {
	// Copy is how many bytes a second a kernel moves that only copies, those
	// that it reads and those that it writes.
	Copy float64
	// Launch is the time between launches of a kernel that does nothing, one
	// after the other from the program, and GraphLaunch between those of a
	// graph.
	Launch, GraphLaunch time.Duration
}

const (
	copyThreads = 256
	copyBytes   = 1 << 30 // many times what fits in any cache
	launches    = 200     // that are timed together
	speedRuns   = 5       // of which the median counts
)

// Measure measures a device, in a fraction of a second on a real one. It takes
// up to 2 GiB of its memory.
func Measure(d *Device) (Speed, error) {
	s := stopwatch{launcher: newLauncher(d, "copy")}
	s.start, s.end = keep(s.launcher, d.NewEvent), keep(s.launcher, d.NewEvent)
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
	*launcher
	start, end *driver.Event
}

// copy returns how many bytes a second are moved.
func (s *stopwatch) copy() (float64, error) {
	const bytesPerThread = 16
	kernel, _ := s.kernel("copy_words4", copyThreads)
	free, _, err := s.device.Memory()
	if err != nil {
		return 0, errors.Join(s.err, err)
	}
	n := min(copyBytes, free/4) / bytesPerThread
	to, from := alloc[uint32](s.launcher, int(n*bytesPerThread/4)), alloc[uint32](s.launcher, int(n*bytesPerThread/4))
	if s.err != nil {
		return 0, s.err
	}
	if err := from.Zero(s.stream); err != nil {
		return 0, err
	}
	// A thread for each four words is faster than fewer threads that stride.
	blocks := int((n + copyThreads - 1) / copyThreads)
	t, err := s.time(func() error {
		return kernel.Launch(s.stream, driver.Grid{Blocks: blocks, Threads: copyThreads}, to.Arg(), from.Arg(), driver.U64(uint64(n)))
	})
	if err != nil {
		return 0, err
	}
	return float64(2*n*bytesPerThread) / t.Seconds(), nil
}

// launches returns the time a launch from the program and in a graph.
func (s *stopwatch) launches() (single, inGraph time.Duration, err error) {
	nothing, _ := s.kernel("nothing", 1)
	work := func() error {
		for range launches {
			if err := nothing.Launch(s.stream, driver.Grid{Blocks: 1, Threads: 1}); err != nil {
				return err
			}
		}
		return nil
	}
	graph := keep(s.launcher, func() (*driver.Graph, error) { return s.stream.Capture(work) })
	if s.err != nil {
		return 0, 0, s.err
	}
	if single, err = s.time(work); err != nil {
		return 0, 0, err
	}
	inGraph, err = s.time(func() error { return graph.Launch(s.stream) })
	return single / launches, inGraph / launches, err
}

// time returns the device's time for work, after one time that is not counted.
func (s *stopwatch) time(work func() error) (time.Duration, error) {
	var times []time.Duration
	for range 1 + speedRuns {
		if err := errors.Join(s.start.Record(s.stream), work(), s.end.Record(s.stream), s.end.Sync()); err != nil {
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
