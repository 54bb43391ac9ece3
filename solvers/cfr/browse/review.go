package browse

import (
	"errors"
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
)

// Decision is what a strategy says of a decision that somebody made. Probabilities and
// Values are by action, and nil where the strategy has no such decision.
type Decision struct {
	Betting       string    `json:"betting"`
	Board         string    `json:"board"`
	Played        string    `json:"played"` // the action, for people
	Actions       []Action  `json:"actions"`
	Probabilities []float64 `json:"probabilities"` // that the strategy plays with the same hand
	Values        []float64 `json:"values,omitempty"`
	// Probability is that of the action played, 0 for one that the strategy does not know.
	Probability float64 `json:"probability"`
	// Lost is by how many chips the action played wins less than the best one, if everybody
	// plays the strategy before and after it; nil if it is not known.
	Lost *float64 `json:"lost,omitempty"`
}

// Review returns what the strategy says of the decisions of a position in a hand, of which
// its hole cards and the board are known.
func (s *Strategy) Review(hand *acpc.State, position int) ([]Decision, error) {
	var all []Decision
	g := s.Game()
	now := g.NewState(hand.HandID)
	now.Holes, now.Board = hand.Holes, hand.Board
	for r := range hand.Round() + 1 {
		for _, a := range hand.Actions(r) {
			if now.Actor() == position {
				d, err := s.decision(&now, a)
				if err != nil {
					return nil, err
				}
				all = append(all, d)
			}
			now.Apply(a)
		}
	}
	return all, nil
}

// decision returns what the strategy says of an action in a hand.
func (s *Strategy) decision(hand *acpc.State, played acpc.Action) (Decision, error) {
	d := Decision{Betting: string(hand.AppendBetting(nil)), Played: hand.Describe(played)}
	var p Point
	p.setHand(hand, true)
	d.Board = p.BoardText()
	err := s.translate(&p)
	if errors.Is(err, betting.ErrNoDecision) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	n, err := s.At(p)
	if errors.Is(err, cfr.ErrOffTree) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	h, ok := n.Held(p.Hole)
	if !ok {
		return d, fmt.Errorf("%v cannot be held on %s", p.Hole, d.Board)
	}
	d.Actions, d.Probabilities, d.Values = n.Actions, h.Probabilities, h.Values
	a := slices.IndexFunc(n.Actions, func(a Action) bool { return a.Action == played })
	if a < 0 {
		return d, nil
	}
	d.Probability = h.Probabilities[a]
	if h.Values != nil {
		lost := slices.Max(h.Values) - h.Values[a]
		d.Lost = &lost
	}
	return d, nil
}
