package aivat

import (
	"fmt"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/solvers/cfr/belief"
)

// showdowns estimates hands of strategies that may lack raises, and of any game: the value
// function is that of checking and calling to a showdown, and the belief is that of package
// belief, seen from the other player's side.
type showdowns struct {
	game       *acpc.Game
	equities   *belief.Equities
	strategies [2]*Strategy // of the known player and of the other
	otherKnown bool
	idle       sync.Pool // of *[2]belief.Player, the players of both
}

func newShowdowns(known, other *Strategy, otherKnown bool) *showdowns {
	g := known.Tree.Game
	return &showdowns{game: g, equities: belief.NewEquities(g), strategies: [2]*Strategy{known, other}, otherKnown: otherKnown}
}

// corrections is [Estimator.corrections].
func (v *showdowns) corrections(s *acpc.State, seat, mine, other int, won float64) (c Corrections, err error) {
	players, ok := v.idle.Get().(*[2]belief.Player)
	if !ok {
		players = new([2]belief.Player)
		for i, strategy := range v.strategies {
			if players[i], err = strategy.player(); err != nil {
				return c, err
			}
		}
	}
	defer v.idle.Put(players)
	start := v.game.NewState(s.HandID)
	start.Holes, start.Board = s.Holes, s.Board
	h := belief.Begin(v.equities, start, 1-seat)
	for r := range v.game.NumRounds {
		for _, a := range s.Actions(r) {
			h.Deal(r)
			if h.State.Actor() == seat {
				err = v.own(h, players[0], a, mine)
			} else {
				err = v.others(h, players[1], a, other, &c)
			}
			if err != nil {
				return c, err
			}
		}
	}
	c[Private] = -h.Finish() - won // what the other player loses
	for r := range v.game.NumRounds {
		if r > 0 {
			c[Deal+r-1] = -h.Corrections.Deal[r]
		}
		c[Own+r] = -h.Corrections.Actions[r]
	}
	return c, nil
}

// own follows an action of the known player, given its hand or unseen.
func (v *showdowns) own(h *belief.Hand, known belief.Player, a acpc.Action, mine int) error {
	choices, err := known.Choices(&h.State)
	if err != nil {
		return err
	}
	chosen := slices.Index(choices.Actions, a)
	if chosen < 0 || !plays(choices.Probability[chosen], h.Range, mine) {
		return fmt.Errorf("%w: %v in round %d", ErrNotPlayed, a, h.State.Round()+1)
	}
	h.Act(choices, chosen)
	return nil
}

// plays reports whether a hand, or any of a range if it is unseen, has a probability.
func plays(probability, among []float64, hand int) bool {
	if hand != unseen {
		return probability[hand] > 0
	}
	for i, p := range probability {
		if p > 0 && among[i] > 0 {
			return true
		}
	}
	return false
}

// others follows an action of the other player. If its strategy is known, it corrects the
// action by the showdowns that it leads to, given its hand.
func (v *showdowns) others(h *belief.Hand, other belief.Player, a acpc.Action, hand int, c *Corrections) error {
	if v.otherKnown {
		choices, err := other.Choices(&h.State)
		if err != nil {
			return err
		}
		chosen := slices.Index(choices.Actions, a)
		if chosen < 0 || choices.Probability[chosen][hand] == 0 {
			return fmt.Errorf("%w: %v of the other player in round %d", ErrNotPlayed, a, h.State.Round()+1)
		}
		value := func(a acpc.Action) float64 {
			s := belief.After(&h.State, a)
			switch {
			case s.Finished() && !s.AtShowdown():
				return -s.Value(h.Observer)
			case !s.Finished() && s.Actor() != h.Observer && s.Round() == h.State.Round():
				s.Apply(acpc.Action{Type: acpc.Call})
			}
			return -h.Showdown(s)
		}
		for i, action := range choices.Actions {
			c[Other] += choices.Probability[i][hand] * value(action)
		}
		c[Other] -= value(a)
	}
	h.State.Apply(a)
	return nil
}
