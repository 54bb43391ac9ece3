package belief

import (
	"context"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/rng"
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

// Defends reports whether the player to act calls with a hand where its strategy has no decision. ready is
// how many chips it was ready to put into the hand: up to these it calls with every hand. Beyond, it calls
// if its mean part of the pot, against hands that are dealt at random, is at least the part that the call
// is of the pot before it. A bettor then gains nothing by hands that never win. A call of 20,000 into
// 20,200 needs one of the best hundredth of the hands, and one of 100 into 300 the better two thirds.
func Defends(s *acpc.State, ready int32, hole card.Set) bool {
	own, pot := s.Actor(), int64(0)
	to := min(s.MaxSpent(), s.Game().Stack[own])
	if to <= max(ready, s.Spent(own)) {
		return true
	}
	for p := range s.Game().NumPlayers {
		pot += int64(min(s.Spent(p), to))
	}
	return partOfPot(s, hole)*float64(pot) >= float64(to-s.Spent(own))
}

// defenceDeals is how many deals estimate a part of the pot: the standard error is at most 0.022.
const defenceDeals = 1 << 9

// partOfPot returns the mean part of the pot that the player to act wins with a hand at a showdown with all
// who have put in at least half as much as anybody or are all-in, over random cards. Others who are to act will
// mostly fold. The cards follow from those that the player sees.
func partOfPot(s *acpc.State, hole card.Set) float64 {
	g := s.Game()
	board := card.SetOf(s.Board[:g.BoardCards(s.Round())]...)
	var rest []card.Card
	for _, c := range g.Deck() {
		if !(hole | board).Has(c) {
			rest = append(rest, c)
		}
	}
	var rivals []card.Set
	for p := range g.NumPlayers {
		if p != s.Actor() && !s.Folded(p) && s.Spent(p) >= min(s.MaxSpent()/2, g.Stack[p]) {
			rivals = append(rivals, 0)
		}
	}
	come := g.BoardCards(g.NumRounds-1) - g.BoardCards(s.Round())
	drawn := come + len(rivals)*g.NumHoleCards
	stream, points := rng.Stream(rng.Mix(uint64(hole)^rng.Mix(uint64(board)))), 0
	for range defenceDeals {
		for k := range drawn {
			j := k + stream.IntN(len(rest)-k)
			rest[k], rest[j] = rest[j], rest[k]
		}
		last := board | card.SetOf(rest[:come]...)
		for i := range rivals {
			rivals[i] = card.SetOf(rest[come+i*g.NumHoleCards:][:g.NumHoleCards]...)
		}
		best := bestOf(g.HandRanking, rivals, last)
		points += pointsOfPot - int(best.score(g.HandRanking.Rank(last|hole)))
	}
	return float64(points) / (2 * pointsOfPot * defenceDeals)
}
