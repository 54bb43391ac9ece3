package belief

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
)

// A Reach follows both players of a hand: with which hands they come to a point of it, if
// one plays a strategy as it is known to, and the other as it is expected to.
type Reach struct{ strategy *Strategy }

// NewReach returns the Reach of the player of a strategy and of an opponent who is expected
// to play the same strategy with other probabilities.
func NewReach(player *Strategy, opponent Probabilities) *Reach {
	followed := *player
	followed.other, followed.path = opponent, nil
	return &Reach{&followed}
}

// At returns by position and number of the hand in [Holes] the probability of the actions of
// the player in that position up to a decision, where the player of the strategy is in position
// own. A raise of the opponent that the strategy does not know counts as those that it may be
// mapped to, each with the probability of this mapping, and one that it never makes as a raise of
// any size.
func (r *Reach) At(s *acpc.State, own int) (reach [2][]float64, err error) {
	p := r.strategy
	if err := p.follow(s, own); err != nil {
		return reach, err
	}
	for q := range reach {
		reach[q] = make([]float64, len(p.holes))
	}
	for _, w := range p.path[len(p.path)-1] {
		for i := range p.holes {
			reach[own][i] += w.weight[i]
			reach[1-own][i] += w.other[i]
		}
	}
	return reach, nil
}

// Likeliest returns how the hand of the last call of At was most probably mapped, of the ways
// in which the strategy has a decision; nil without one.
func (r *Reach) Likeliest() (likeliest *betting.Translation) {
	most := -1.0
	for _, w := range r.strategy.path[len(r.strategy.path)-1] {
		if w.lost {
			continue
		}
		if _, err := w.at.Decision(); err != nil {
			continue
		}
		sum := 0.0
		for _, x := range w.weight {
			sum += x
		}
		if sum > most {
			likeliest, most = w.at, sum
		}
	}
	return likeliest
}

// Probabilities returns what the player to act does at a decision of the strategy's tree, with
// the board of the last call of At, by action and number of the hand. It is 0 for hands that
// share a card with the board.
func (r *Reach) Probabilities(node int32) ([][]float64, error) { return r.strategy.at(node) }
