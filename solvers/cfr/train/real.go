package train

import (
	"gamebots/solvers/cfr"
	"gamebots/solvers/evaluate/bestresponse"
)

// EvaluateInGame makes a training evaluate its strategies by best responses in the game
// itself, which see all cards, where they cannot be evaluated otherwise. best returns what
// the best response of each player wins, and reports whether it could tell. As that takes
// long, it is asked seldom: after 1000 iterations, each time after four times as many, and
// at the end. The error is a [*bestresponse.GameError] for games that have no such
// responses.
func (t *Training) EvaluateInGame(best func(*bestresponse.Strategy) ([2]float64, bool)) error {
	if t.CanEvaluate() {
		return nil // exactly, and at less cost
	}
	if _, err := t.playedNow(); err != nil {
		return err
	}
	t.cadence, t.inGame = seldom, true
	t.evaluate = func() cfr.Evaluation {
		s, err := t.playedNow()
		if err != nil {
			return cfr.Evaluation{}
		}
		x, ok := best(s)
		if !ok {
			return cfr.Evaluation{}
		}
		// Of the values only the sum is known, and exploitability needs no more.
		return cfr.Evaluation{Value: make([]float64, 2), BestResponse: x[:]}
	}
	return nil
}

// playedNow returns the average strategy so far.
func (t *Training) playedNow() (*bestresponse.Strategy, error) {
	index, _ := t.game.FullIndex()
	return bestresponse.FromWeights(index, t.sampler.Weights())
}
