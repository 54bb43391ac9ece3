package hexnet

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gamebots/internal/parallel"
)

// A Learner improves a network by steps: a [Trainer] does, and on a GPU a [DeviceTrainer]. One
// goroutine uses it at a time.
type Learner interface {
	// Step makes one step with a learning rate, and returns the losses of the batch before it.
	// Planes are as for [Evaluator.Evaluate]. After [ErrDiverged] the state is as before.
	Step(s *Shape, planes []uint8, targets *Targets, rate float64) (Losses, error)
	// Steps returns the number of steps made.
	Steps() uint64
	// State returns the state after the last step. It is valid until the next one, and is not
	// to be modified.
	State() (*State, error)
	// SetState goes on from another state of a network of the same size, which the learner keeps
	// and modifies.
	SetState(s *State) error
	// Close frees memory on a device.
	Close() error
}

// A Starter is a [Learner] whose device works while its caller does something else. Prepare,
// Start and Finish together are Step. Prepare copies the batch of the next Start, also between
// Start and Finish of the step before.
type Starter interface {
	Learner
	Prepare(s *Shape, planes []uint8, targets *Targets) error
	Start(rate float64) error
	Finish() (Losses, error)
}

var _ Learner = (*Trainer)(nil)

// A Trainer improves a network by AdamW (I. Loshchilov and F. Hutter, Decoupled weight decay
// regularization, 2019): β₁ 0.9, β₂ 0.999, ε 1e-8 and a decay of 1e-4 of all weights but
// biases. Gradients longer than 1 are shortened to it. Each step moves the average of the
// parameters by a thousandth of the way, more in the first steps. One goroutine uses it at
// a time. States after the same steps are the same to the bit with any number of threads.
type Trainer struct {
	state    *State
	threads  int
	matrices *matrices
	passes   map[*Shape][]*gradientPass
	parts    [][]float32 // gradients of the parts of a batch
	decays   []bool      // whether a parameter decays
}

const (
	beta1    = 0.9
	beta2    = 0.999
	epsilon  = 1e-8
	decay    = 1e-4
	longest  = 1.
	averages = 1000 // steps of the average
	recent   = 5.   // the average covers at first about the last fifth of the steps

	// numParts is the number of parts of a batch whose gradients are summed apart, and so the
	// most threads that are of use. The sums do not depend on the threads.
	numParts = 16
)

// NewTrainer returns a trainer that goes on from a state, which it keeps and modifies.
func NewTrainer(s *State, threads int) *Trainer {
	t := &Trainer{state: s, threads: max(1, min(threads, numParts)), matrices: newMatrices(s.Net.Config, true),
		passes: map[*Shape][]*gradientPass{}}
	for range numParts {
		t.parts = append(t.parts, make([]float32, len(s.Net.Parameters)))
	}
	t.decays = make([]bool, len(s.Net.Parameters))
	for _, l := range t.matrices.all() {
		for i := range l.numWeights() {
			t.decays[l.weights+i] = true
		}
	}
	return t
}

// Steps is that of [Learner].
func (t *Trainer) Steps() uint64 { return t.state.Net.Origin.Steps }

// State is that of [Learner]. There is no error.
func (t *Trainer) State() (*State, error) { return t.state, nil }

// SetState is that of [Learner].
func (t *Trainer) SetState(s *State) error {
	if err := s.check(t.state.Net.Config); err != nil {
		return err
	}
	t.state = s
	return nil
}

// Close does nothing.
func (t *Trainer) Close() error { return nil }

// ErrDiverged is returned for a step whose loss is not finite. The state is as before it.
var ErrDiverged = errors.New("learning diverged: the loss is not finite")

// Step is that of [Learner].
func (t *Trainer) Step(s *Shape, planes []uint8, targets *Targets, rate float64) (Losses, error) {
	gradient, losses, err := t.gradient(s, planes, targets)
	if err != nil {
		return Losses{}, err
	}
	if !finite(losses.Total()) {
		return losses, ErrDiverged
	}
	t.update(gradient, rate)
	return losses, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// gradient returns the gradient of the mean loss of a batch, valid until the next one.
func (t *Trainer) gradient(s *Shape, planes []uint8, targets *Targets) ([]float32, Losses, error) {
	boards, err := s.boards(planes)
	if err != nil {
		return nil, Losses{}, err
	}
	if err := targets.check(boards, s.Cells); err != nil {
		return nil, Losses{}, err
	}
	t.matrices.set(t.state.Net.Parameters)
	passes := t.passes[s]
	if passes == nil {
		for range t.threads {
			passes = append(passes, newGradientPass(t.matrices, s, groupBoards(s)))
		}
		t.passes[s] = passes
	}
	size := s.Cells * Planes
	var losses [numParts]Losses
	parallel.For(t.threads, numParts, func(worker, part int) {
		p := passes[worker]
		p.gradient = t.parts[part]
		clear(p.gradient)
		last := (part + 1) * boards / numParts
		for first := part * boards / numParts; first < last; {
			n := min(p.boards, last-first)
			p.forward(planes[first*size:][:n*size])
			p.loss(targets, first, n, 1/float32(boards), &losses[part])
			p.backward(n)
			first += n
		}
	})
	var mean Losses
	for part := range numParts {
		mean.add(losses[part], 1/float64(boards))
		if part > 0 {
			add(t.parts[0], t.parts[part])
		}
	}
	return t.parts[0], mean, nil
}

// update makes a step of AdamW and moves the average.
func (t *Trainer) update(gradient []float32, rate float64) {
	var squares float64
	for _, g := range gradient {
		squares += float64(float64(g) * float64(g))
	}
	s := t.state
	s.Net.Origin.Steps++
	u := updateOf(s.Net.Origin.Steps, squares)
	parameters := s.Net.Parameters
	for i, g := range gradient {
		g := float64(g) * u.scale
		m := float64(beta1*float64(s.Momentum[i])) + float64((1-beta1)*g)
		v := float64(beta2*float64(s.Variance[i])) + float64((1-beta2)*float64(g*g))
		s.Momentum[i], s.Variance[i] = float32(m), float32(v)
		x := float64(parameters[i])
		move := m / u.bias1 / (math.Sqrt(v/u.bias2) + epsilon)
		if t.decays[i] {
			move += float64(decay * x)
		}
		parameters[i] = float32(x - float64(rate*move))
		s.Average[i] += float32(u.towards * (parameters[i] - s.Average[i]))
	}
}

// An update is what a step of AdamW does to all parameters alike.
type update struct {
	scale        float64 // factor of the gradient
	bias1, bias2 float64 // corrections of the moments
	towards      float32 // how far the average moves
}

// updateOf returns the update of a step, the first being 1, with a gradient of which it has the
// sum of squares.
func updateOf(step uint64, squares float64) update {
	u := update{scale: 1, bias1: 1 - power(beta1, step), bias2: 1 - power(beta2, step)}
	if length := math.Sqrt(squares); length > longest {
		u.scale = longest / length
	}
	u.towards = float32(max(1./averages, recent/(float64(step)+recent)))
	return u
}

// power returns x to the n, with the same bits on every processor.
func power(x float64, n uint64) float64 {
	p := 1.
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p *= x
		}
		x *= x
	}
	return p
}

// A State is all that training needs to go on. The slices have a number for each parameter.
type State struct {
	Net      *Net      // Origin.Steps counts the steps
	Average  []float32 // average of the parameters over the last steps, which plays best
	Momentum []float32 // mean of gradients
	Variance []float32 // mean of squared gradients
}

// NewState returns the state of a network at the first step.
func NewState(n *Net) *State {
	zeros := func() []float32 { return make([]float32, len(n.Parameters)) }
	return &State{Net: n, Average: slices.Clone(n.Parameters), Momentum: zeros(), Variance: zeros()}
}

// AverageNet returns a network with the averaged parameters.
func (s *State) AverageNet() *Net {
	n := s.Net.Clone()
	copy(n.Parameters, s.Average)
	return n
}

// check returns an error if the state is not one of a network of a size.
func (s *State) check(c Config) error {
	if s.Net.Config != c {
		return fmt.Errorf("a state of a network of %v, not %v", s.Net.Config, c)
	}
	for _, x := range [][]float32{s.Net.Parameters, s.Average, s.Momentum, s.Variance} {
		if len(x) != c.NumParameters() {
			return fmt.Errorf("%d parameters, not %d", len(x), c.NumParameters())
		}
	}
	return nil
}
