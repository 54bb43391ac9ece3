package belief

import (
	"context"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/policy"
)

// Player is a player of whom it is known how it plays. It is used by one goroutine.
type Player interface {
	// Choices returns what the player, which is to act in s, does with each
	// hand that it may hold, as it really plays: with translation of raises, search and all
	// else. It must not look at the hole cards in s, nor at board cards of later rounds. It
	// is asked about the decisions of a hand in their order, and in between about
	// decisions after raises of the other player that are only considered.
	//
	// The result is valid until the next call. A player that takes long returns the cause of the
	// end of ctx soon after it.
	Choices(ctx context.Context, s *acpc.State) (Choices, error)
}

// Choices are the actions of a player at a decision, by hand.
type Choices struct {
	Actions []acpc.Action
	// Probability is, by action and number of the hand in [Holes], the probability of the
	// action given the hand and all that happened before. The probabilities of a hand sum to
	// one. Those of a hand that is not possible, or that would not have come here, are never
	// used.
	Probability [][]float64
}

// Of returns the probabilities of the actions with one hand.
func (c *Choices) Of(hand int) []float64 {
	out := make([]float64, len(c.Actions))
	for a := range out {
		out[a] = c.Probability[a][hand]
	}
	return out
}

// Row returns the probabilities of an action, one for each of hands hands. Those of a new action
// are 0.
func (c *Choices) Row(a acpc.Action, hands int) []float64 {
	k := slices.Index(c.Actions, a)
	if k < 0 {
		k = len(c.Actions)
		c.Actions, c.Probability = append(c.Actions, a), append(c.Probability, make([]float64, hands))
	}
	return c.Probability[k]
}

// Holes returns the hole cards of a game, in the order of [card.Subsets] of its deck.
func Holes(g *acpc.Game) []card.Set {
	var holes []card.Set
	card.Subsets(g.Deck(), g.NumHoleCards, func(s card.Set) { holes = append(holes, s) })
	return holes
}

// Blind is a player that looks at no card: it returns its choices in a state.
type Blind func(s *acpc.State) []policy.Choice

// NewPlain returns a simple player. It raises by the least amount.
func NewPlain(kind policy.Plain) Blind {
	return func(s *acpc.State) []policy.Choice {
		minTo, _, raises := s.RaiseBounds()
		raise := acpc.Action{Type: acpc.Raise, Size: minTo}
		switch {
		case kind == policy.PlainFold && s.CanFold():
			return []policy.Choice{{Action: acpc.Action{Type: acpc.Fold}, Probability: 1}}
		case kind == policy.PlainRaise && raises:
			return []policy.Choice{{Action: raise, Probability: 1}}
		case kind == policy.PlainHalf && raises:
			return []policy.Choice{{Action: call, Probability: .5}, {Action: raise, Probability: .5}}
		}
		return []policy.Choice{{Action: call, Probability: 1}}
	}
}

// Choices implements Player.
func (b Blind) Choices(_ context.Context, s *acpc.State) (c Choices, err error) {
	hands := len(Holes(s.Game()))
	for _, choice := range b(s) {
		row := c.Row(choice.Action, hands)
		for i := range row {
			row[i] += float64(choice.Probability)
		}
	}
	return c, nil
}
