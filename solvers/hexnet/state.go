package hexnet

import (
	"fmt"
	"slices"
)

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
