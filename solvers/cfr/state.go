package cfr

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/strategy"
)

// State is all that the next iteration of a training depends on: what a checkpoint has. A [Trainer]
// works on one, and package ondevice copies that of a GPU to one.
type State struct {
	*publictree.Layout
	Algorithm Algorithm
	// Done is the number of iterations.
	Done   uint64
	Regret EntryArray
	// Predicted, of predictive algorithms, are the regrets that strategies are matched to.
	Predicted EntryArray
	// Sum is of strategies, each weighted with its player's own reach.
	Sum EntryArray

	weights []float32 // the sum unpacked
}

// NewState returns the state before the first iteration.
func NewState(l *publictree.Layout, a Algorithm) *State {
	s := &State{
		Layout: l, Algorithm: a, Regret: newEntries(l, a.Quantized, true), Sum: newEntries(l, a.Quantized, false),
	}
	if a.Predictive {
		s.Predicted = newEntries(l, a.Quantized, true)
	}
	return s
}

// Iterations returns the number of iterations done.
func (s *State) Iterations() uint64 { return s.Done }

// matched returns the regrets that strategies are matched to.
func (s *State) matched() *EntryArray {
	if s.Algorithm.Predictive {
		return &s.Predicted
	}
	return &s.Regret
}

// Weights returns the average strategy as weights of all entries, for an
// Evaluator. The slice belongs to the state: the next iteration changes it.
func (s *State) Weights() []float32 { return s.unpack(&s.Sum, &s.weights) }

// CurrentWeights returns the current strategy, the one that matches the regrets, as
// weights of all entries, for an Evaluator.
func (s *State) CurrentWeights() []float32 {
	var unpacked []float32
	weights := make([]float32, s.Entries)
	for i, r := range s.unpack(s.matched(), &unpacked) {
		weights[i] = max(r, 0)
	}
	return weights
}

// Save writes the average strategy to a file. The caller may have set the seed
// and the exploitability; the rest is filled in.
func (s *State) Save(path string, m strategy.Meta) error {
	m.Algorithm, m.Iterations = s.Algorithm.String(), s.Done
	return s.SaveWeights(path, m, s.Weights())
}

var _ checkpoint.State = (*State)(nil)

// WriteState writes everything that an iteration depends on.
func (s *State) WriteState(w io.Writer) error {
	done := []uint64{s.Done}
	return errors.Join(checkpoint.WriteSlice(w, done), s.Regret.write(w), s.Predicted.write(w), s.Sum.write(w))
}

// ReadState reads the state that a trainer of the same layout and algorithm wrote,
// on any device. Training goes on from there.
func (s *State) ReadState(r io.Reader) error {
	done := []uint64{0}
	err := errors.Join(checkpoint.ReadSlice(r, done), s.Regret.read(r), s.Predicted.read(r), s.Sum.read(r))
	s.Done = done[0]
	return err
}
