package driver

import (
	"errors"
	"time"
	"unsafe"
)

// A Stream is a queue of work for a device, done in order. Between streams there is
// no order but that of events.
type Stream struct{ object }

// NewStream makes a stream.
func (d *Device) NewStream() (*Stream, error) {
	s := new(Stream)
	return s, d.create(&s.object, "stream", cuStreamCreate, streamNonBlocking, cuStreamDestroy)
}

// create makes an object whose handle the driver chooses.
func (d *Device) create(o *object, kind string, creator call, flags uintptr, closer call) error {
	return d.Do(func() error {
		var handle uintptr
		if err := d.call(creator, uintptr(unsafe.Pointer(&handle)), flags); err != nil {
			return err
		}
		*o = newObject(d, kind, handle, closer)
		return nil
	})
}

// Sync waits until all work on the stream is done. Errors of that work come
// out here.
func (s *Stream) Sync() error {
	if err := s.on(s.dev); err != nil {
		return err
	}
	return s.dev.wait(cuStreamSynchronize, s.handle)
}

// Wait makes later work on the stream wait for an event. An event that was never
// recorded does not delay it.
func (s *Stream) Wait(e *Event) error {
	if err := errors.Join(s.on(s.dev), e.on(s.dev)); err != nil {
		return err
	}
	return s.dev.call(cuStreamWaitEvent, s.handle, e.handle, 0)
}

// An Event marks a position in a stream.
type Event struct{ object }

// NewEvent makes an event.
func (d *Device) NewEvent() (*Event, error) {
	e := new(Event)
	return e, d.create(&e.object, "event", cuEventCreate, 0, cuEventDestroy)
}

// Record moves the event to the end of a stream.
func (e *Event) Record(s *Stream) error {
	if err := errors.Join(s.on(s.dev), e.on(s.dev)); err != nil {
		return err
	}
	return s.dev.call(cuEventRecord, e.handle, s.handle)
}

// Sync waits until the stream is at the event.
func (e *Event) Sync() error {
	if err := e.on(e.dev); err != nil {
		return err
	}
	return e.dev.wait(cuEventSynchronize, e.handle)
}

// Since returns the time on the device from an earlier event to this one, to
// half a microsecond. Both must have come, see [Event.Sync].
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	if err := errors.Join(e.on(e.dev), earlier.on(e.dev)); err != nil {
		return 0, err
	}
	var ms float32
	err := e.dev.call(cuEventElapsedTime, uintptr(unsafe.Pointer(&ms)), earlier.handle, e.handle)
	return time.Duration(float64(ms) * float64(time.Millisecond)), err
}

// A Graph is a sequence of work that is put on a stream by one call, at a fraction
// of the cost of its parts. It is bound to the buffers and the arguments that it was
// captured with.
type Graph struct{ object }

// Capture makes a graph of the work that record puts on the stream, and on
// others that wait for it. Nothing of it is done yet. Record must not wait for
// a stream, so it cannot use Upload or Download.
func (s *Stream) Capture(record func() error) (*Graph, error) {
	if err := s.on(s.dev); err != nil {
		return nil, err
	}
	g := new(Graph)
	return g, s.dev.Do(func() error {
		if err := s.dev.call(cuStreamBeginCapture, s.handle, streamCaptureThreadOnly); err != nil {
			return err
		}
		var graph uintptr
		failed := record()
		err := errors.Join(failed, s.dev.call(cuStreamEndCapture, s.handle, uintptr(unsafe.Pointer(&graph))))
		if graph != 0 {
			defer func() { _ = s.dev.call(cuGraphDestroy, graph) }() // the instance does not need it
		}
		if err != nil {
			return err
		}
		var executable uintptr
		if err := s.dev.call(cuGraphInstantiateWithFlags, uintptr(unsafe.Pointer(&executable)), graph, 0); err != nil {
			return err
		}
		g.object = newObject(s.dev, "graph", executable, cuGraphExecDestroy)
		return nil
	})
}

// Launch puts the graph's work on a stream.
func (g *Graph) Launch(s *Stream) error {
	if err := errors.Join(s.on(s.dev), g.on(s.dev)); err != nil {
		return err
	}
	return s.dev.call(cuGraphLaunch, g.handle, s.handle)
}
