package browse

import (
	"errors"
	"slices"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/policy"
)

// Judgement rates the actions of one hand at a decision by a strategy. Probabilities and
// Values are by action.
type Judgement struct {
	Board         string    `json:"board"`
	Actions       []Action  `json:"actions"`
	Probabilities []float64 `json:"probabilities"`
	// Values are as those of a [Hand].
	Values []float64 `json:"values,omitempty"`
	// Mapped is how many raises stand for others, see [Point]. The actions are then those of
	// the hand with these others.
	Mapped int `json:"mapped,omitempty"`
}

// Judge returns what the strategy says of the actions of the player to act. It looks at the
// cards that this player sees, and no others. Where the strategy has no such decision the
// error is a [policy.ErrOffTree].
func (s *Strategy) Judge(hand *acpc.State) (j Judgement, err error) {
	var p Point
	p.setHand(hand, true)
	if err = p.check(); err != nil {
		return j, err
	}
	j.Board = p.BoardText()
	if err = s.translate(&p); err != nil {
		return j, err
	}
	node, err := s.node(&p.Hand)
	if err != nil {
		return j, err
	}
	bucket := s.policy.Buckets.Bucket(hand.Round(), abstraction.Deal{Board: p.Board, Hole: p.Hole})
	choices, err := s.policy.ChoicesAt(nil, node, bucket)
	if err != nil {
		return j, err
	}
	j.Actions, j.Probabilities, j.Mapped = s.actions(&p.Hand),
		policy.AppendProbabilities[float64](nil, choices), p.Mapped
	if !s.valued(node) {
		return j, nil
	}
	v := view{boardHands: s.newBoardHands(abstraction.Deal{Board: p.Board}), node: node, position: hand.Actor()}
	if err = v.look(); err != nil {
		return j, err
	}
	j.Values = v.handValues(slices.Index(v.Holes, p.Hole), v.others(v.reach, v.position, p.Hole))
	return j, nil
}

// Decision rates a decision that somebody made by a strategy. Its Judgement has no actions
// if the strategy has no such decision.
type Decision struct {
	Betting string `json:"betting"`
	Played  string `json:"played"` // the action, for people
	Judgement
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
	var err error
	d.Judgement, err = s.Judge(hand)
	if errors.Is(err, policy.ErrOffTree) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	a := slices.IndexFunc(d.Actions, func(a Action) bool { return a.Action == played })
	if a < 0 {
		return d, nil
	}
	d.Probability = d.Probabilities[a]
	if d.Values != nil {
		lost := slices.Max(d.Values) - d.Values[a]
		d.Lost = &lost
	}
	return d, nil
}
