package reis

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/mccfr"
)

// trainer is the part that all trainers have in common: the table, a deal, and the
// sum of every position's winnings.
type trainer struct {
	mccfr.Table
	deal    mccfr.Deal
	utility []float64 // chips won, by position
}

func newTrainer(g *mccfr.Game, algorithm string, seed uint64) trainer {
	return trainer{mccfr.NewTable(g, algorithm, seed), mccfr.NewDeal(g), make([]float64, g.Rules.NumPlayers)}
}

// draw deals for the next step.
func (t *trainer) draw() {
	random := mccfr.NewStream(t.Seed, t.Done, 0)
	t.deal.Draw(&random)
}

// finish ends a step with the values that the positions won.
func (t *trainer) finish(values []float32) {
	for p := range t.utility {
		t.utility[p] += float64(values[p])
	}
	t.Done++
}

// finishBatch ends a batch of steps with the values that were won, by player and
// deal.
func (t *trainer) finishBatch(values []float32, batch int) {
	for p := range t.utility {
		for _, x := range values[p*batch:][:batch] {
			t.utility[p] += float64(x)
		}
	}
	t.Done += uint64(batch)
}

// AverageUtility returns the chips that every position won in a step, as the mean
// over all steps, by the strategies of each step. Reis's programs print it as a
// measure of progress. It is not the value of any one strategy.
func (t *trainer) AverageUtility() []float64 {
	mean := make([]float64, len(t.utility))
	for p, sum := range t.utility {
		mean[p] = sum / float64(max(1, t.Done))
	}
	return mean
}

// WriteState writes everything that further steps depend on.
func (t *trainer) WriteState(w io.Writer) error {
	return errors.Join(t.Table.WriteState(w), checkpoint.WriteSlice(w, t.utility))
}

// ReadState restores the state that a trainer of the same game, algorithm and seed
// wrote.
func (t *trainer) ReadState(r io.Reader) error {
	return errors.Join(t.Table.ReadState(r), checkpoint.ReadSlice(r, t.utility))
}
