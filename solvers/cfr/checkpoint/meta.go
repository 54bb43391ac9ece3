package checkpoint

import (
	"fmt"

	"gamebots/solvers/strategy"
)

// Meta describes a training and how far it is.
type Meta struct {
	// Meta is the metadata of the strategy's file. Iterations are those done, and
	// Exploitability is not set.
	strategy.Meta
	// Seconds is the time spent on training, in all runs together.
	Seconds float64 `json:"seconds"`
	// Curve has the evaluations so far, in the order in which they were made.
	Curve []Point `json:"curve,omitempty"`
}

// Point is one evaluation.
type Point struct {
	Iterations     uint64  `json:"iterations"`
	Seconds        float64 `json:"seconds"`
	Exploitability float64 `json:"exploitability"` // chips a hand, for the average strategy
	// Current is the exploitability of the current strategy, nil where it was not evaluated.
	Current *float64 `json:"current,omitempty"`
	// Values are those of the average strategy by position, nil where they are unknown.
	Values []float64 `json:"values,omitempty"`
}

// check returns an error if a checkpoint is not of the wanted training, or has more
// iterations than wanted, if that is not 0.
func (m Meta) check(want Meta) error {
	for _, c := range []struct{ what, in, want string }{
		{"game", m.Game, want.Game},
		{"definition of the game", m.GameText, want.GameText},
		{"card abstraction", m.Abstraction, want.Abstraction},
		{"action abstraction", m.Actions, want.Actions},
		{"algorithm", m.Algorithm, want.Algorithm},
		{"seed", fmt.Sprint(m.Seed), fmt.Sprint(want.Seed)},
	} {
		if c.in != c.want {
			return fmt.Errorf("%w: its %s is %q, not %q", ErrOtherTraining, c.what, c.in, c.want)
		}
	}
	if want.Iterations > 0 && m.Iterations > want.Iterations {
		return fmt.Errorf("%w: it has %d iterations, more than %d", ErrOtherTraining, m.Iterations, want.Iterations)
	}
	return nil
}
