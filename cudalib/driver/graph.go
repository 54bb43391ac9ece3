package driver

import (
	"errors"
	"unsafe"
)

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
