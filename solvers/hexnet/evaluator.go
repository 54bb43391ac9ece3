package hexnet

import (
	"fmt"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/internal/portable"
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

// Unit is the value of a plane that the network sees as 1.
const Unit = 8

// Outputs are a network's answers for a batch of boards, flat: board by board, and of a
// board cell by cell. Logits are before softmax or the logistic function.
type Outputs struct {
	Policy []float32 // logits of the moves
	Reply  []float32 // logits of the opponent's next move
	Own    []float32 // logit of each cell that the player to move wins with a stone there
	Other  []float32 // the same for the opponent
	Value  []float32 // a board: what the player to move expects, from -1 to 1
	Kinds  []float32 // a board: Kinds logits of the structures that will win
}

// resize makes room for the outputs of some boards.
func (o *Outputs) resize(boards, cells int) {
	for _, s := range []*[]float32{&o.Policy, &o.Reply, &o.Own, &o.Other} {
		*s = slices.Grow((*s)[:0], boards*cells)[:boards*cells]
	}
	o.Value = slices.Grow(o.Value[:0], boards)[:boards]
	o.Kinds = slices.Grow(o.Kinds[:0], boards*Kinds)[:boards*Kinds]
}

// setBoard sets what belongs to a board, from its outputs.
func (o *Outputs) setBoard(board int, x []float32) {
	o.Value[board] = Tanh(x[0])
	copy(o.Kinds[board*Kinds:], x[1:boardOutputs])
}

// exp returns e^x with an error below 2 units in the last place. Unlike math.Exp it gives
// the same bits on every processor.
func exp(x float32) float32 {
	return float32(portable.FastExp(float64(min(max(x, -87), 88))))
}

// logistic returns 1/(1+e^-x).
func logistic(x float32) float32 { return 1 / (1 + exp(-x)) }

// Tanh returns the hyperbolic tangent, which makes the value of a board of its first output.
func Tanh(x float32) float32 { return 1 - 2/(1+exp(float32(2*x))) }
