package mccfr

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/checkpoint"
)

// dealer is what Recursive and Iterative have in common: one deal a step, and
// the sum of what every position won.
type dealer struct {
	table
	deal    deal
	utility []float64
}

func newDealer(g *Game, name string, seed uint64) dealer {
	return dealer{newTable(g, name, seed), newDeal(g), make([]float64, g.Rules.NumPlayers)}
}

// draw deals for the next step.
func (d *dealer) draw() {
	random := newStream(d.seed, d.iterations, 0)
	d.deal.draw(&random)
}

// done ends a step in which the positions won some values.
func (d *dealer) done(values []float32) {
	for p := range d.utility {
		d.utility[p] += float64(values[p])
	}
	d.iterations++
}

// AverageUtility returns what every position has won in a step, in chips, by the
// strategies as they were in that step. The seed prints it as a measure of
// progress; it is the value of no one strategy.
func (d *dealer) AverageUtility() []float64 {
	mean := make([]float64, len(d.utility))
	for p, sum := range d.utility {
		mean[p] = sum / float64(max(1, d.iterations))
	}
	return mean
}

// WriteState writes all that further steps depend on.
func (d *dealer) WriteState(w io.Writer) error {
	return errors.Join(d.table.WriteState(w), checkpoint.WriteSlice(w, d.utility))
}

// ReadState goes on where the trainer was that wrote the state, of the same
// game, algorithm and seed.
func (d *dealer) ReadState(r io.Reader) error {
	return errors.Join(d.table.ReadState(r), checkpoint.ReadSlice(r, d.utility))
}
