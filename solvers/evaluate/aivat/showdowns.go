package aivat

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/solvers/evaluate/belief"
)

// showdowns estimates hands of strategies that may lack raises, and of any game: the value
// function is that of checking and calling to a showdown, and the belief is that of package
// belief, seen by the other players together.
type showdowns struct {
	game       *acpc.Game
	equities   *belief.Equities
	strategies [2]*Strategy // strategies of the known player and of the other
	otherKnown bool
	idle       sync.Pool // has *players
}

// players are the known player, and the other player of the model in each position.
type players struct {
	known  belief.Player
	others [acpc.MaxPlayers]belief.Player
}

func newShowdowns(known, other *Strategy, otherKnown bool) *showdowns {
	g := known.Tree.Game
	return &showdowns{game: g, equities: belief.NewEquities(g), strategies: [2]*Strategy{known, other},
		otherKnown: otherKnown}
}

// newPlayers returns players of the strategies.
func (v *showdowns) newPlayers() (p *players, err error) {
	p = new(players)
	if p.known, err = v.strategies[0].player(); err != nil || !v.otherKnown {
		return p, err
	}
	for q := range v.game.NumPlayers {
		if p.others[q], err = v.strategies[1].player(); err != nil {
			return p, err
		}
	}
	return p, nil
}

// corrections is [Estimator.corrections].
func (v *showdowns) corrections(s *acpc.State, seat int, held heldHands, won float64) (c Corrections, err error) {
	p, ok := v.idle.Get().(*players)
	if !ok {
		if p, err = v.newPlayers(); err != nil {
			return c, err
		}
	}
	defer v.idle.Put(p)
	start := v.game.NewState(s.HandID)
	start.Holes, start.Board = s.Holes, s.Board
	h := belief.Begin(v.equities, start, seat)
	for r := range v.game.NumRounds {
		for _, a := range s.Actions(r) {
			h.Deal(r)
			if actor := h.State.Actor(); actor == seat {
				err = v.own(h, p.known, a, held[seat])
			} else {
				err = v.others(h, p.others[actor], a, held[actor], &c)
			}
			if err != nil {
				return c, err
			}
		}
	}
	c[Private] = -h.Finish() - won // what the others lose
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
	choices, err := known.Choices(context.Background(), &h.State)
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

// others follows an action of another player. If its strategy is known, it corrects the
// action by the showdowns that it leads to, given its hand.
func (v *showdowns) others(h *belief.Hand, other belief.Player, a acpc.Action, hand int, c *Corrections) error {
	if v.otherKnown {
		choices, err := other.Choices(context.Background(), &h.State)
		if err != nil {
			return err
		}
		chosen := slices.Index(choices.Actions, a)
		if chosen < 0 || choices.Probability[chosen][hand] == 0 {
			return fmt.Errorf("%w: %v of another player in round %d", ErrNotPlayed, a, h.State.Round()+1)
		}
		value := func(a acpc.Action) float64 {
			s, _ := belief.Called(belief.After(&h.State, a), h.State.Round())
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
