package hexnet

import (
	"fmt"

	"gamebots/internal/parallel"
)

// An Evaluator computes a network for batches of boards of one shape, on threads of the
// CPU. One goroutine uses it at a time.
type Evaluator struct {
	shape  *Shape
	passes []*pass // one per thread
}

// groupRows is how many rows a pass has, if a board has fewer: enough that a layer's
// weights are read seldom, and few enough that activations stay in the second-level cache.
const groupRows = 320

// NewEvaluator returns an evaluator. It keeps a copy of the network's parameters.
func NewEvaluator(n *Net, s *Shape, threads int) *Evaluator {
	m := newMatrices(n.Config, false)
	m.set(append([]float32(nil), n.Parameters...))
	e := &Evaluator{shape: s}
	for range max(threads, 1) {
		e.passes = append(e.passes, newPass(m, s, groupBoards(s), false))
	}
	return e
}

// groupBoards returns the number of boards of a pass.
func groupBoards(s *Shape) int { return max(1, groupRows/s.Cells) }

// Threads returns an evaluator for each thread, which has that thread and the parameters in common with e. Each is used
// by one goroutine at a time, while none uses e.
func (e *Evaluator) Threads() (all []*Evaluator) {
	for i := range e.passes {
		all = append(all, &Evaluator{e.shape, e.passes[i : i+1]})
	}
	return all
}

// SetNet takes a copy of the parameters of another network of the same size.
func (e *Evaluator) SetNet(n *Net) error {
	m := e.passes[0].matrices
	if len(n.Parameters) != len(m.parameters) {
		return fmt.Errorf("a network of %d parameters, not %d", len(n.Parameters), len(m.parameters))
	}
	m.set(append(m.parameters[:0], n.Parameters...))
	return nil
}

// Evaluate sets o to the outputs for a batch of boards. Planes has Planes bytes for each
// cell, in units of 1/Unit, cell by cell and board by board. The outputs for a board do not
// depend on the others.
func (e *Evaluator) Evaluate(planes []uint8, o *Outputs) error {
	boards, err := e.shape.boards(planes)
	if err != nil {
		return err
	}
	// A small batch has a part for each thread.
	size, group := e.shape.Cells*Planes, max(1, min(e.passes[0].boards, (boards+len(e.passes)-1)/len(e.passes)))
	o.resize(boards, e.shape.Cells)
	parallel.For(len(e.passes), (boards+group-1)/group, func(worker, task int) {
		first := task * group
		n := min(group, boards-first)
		p := e.passes[worker]
		p.forward(planes[first*size:][:n*size])
		p.read(o, first, n)
	})
	return nil
}
