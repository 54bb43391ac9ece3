package spotstudy

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/policy"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
)

// A Start is where a spot begins in a hand that a strategy plays: cards, chips and ranges.
type Start struct {
	Pot, Stack int
	Ranges     [2]*ranges.Range // out of position, in position
	Mapped     int              // raises of the line that stand for others, see [browse.Point]
}

// ErrWithinRound is the error for a line that does not end where a round begins.
var ErrWithinRound = errors.New("a spot begins where cards are dealt")

// From returns the start of a spot after a line of a no-limit hold'em strategy of two players, as
// [browse.Strategy.Parse] reads it, on a board. Weights of ranges are in proportion to the reach by the strategy.
func From(p *policy.Policy, at string, board []card.Card) (*Start, error) {
	g := p.Tree.Game
	if g.NumPlayers != 2 || !resolve.NoLimitHoldem(g) {
		return nil, &resolve.GameError{Game: g.Name, Msg: "it is not no-limit hold'em for two players"}
	}
	strategy, err := browse.New(p, 1)
	if err != nil {
		return nil, err
	}
	point, err := strategy.Parse(at, spot.Board(board).Text())
	if err != nil {
		return nil, err
	}
	round := point.Hand.Round()
	if round == 0 || len(point.Hand.Actions(round)) > 0 {
		return nil, fmt.Errorf("%q: %w", at, ErrWithinRound)
	}
	if g.BoardCards(round) != len(board) {
		return nil, fmt.Errorf("after %q there are %d cards on the board, not %d", at, g.BoardCards(round), len(board))
	}
	hands := policy.Hands{Policy: p, Board: point.Board}
	dealt := card.SetOf(board...)
	card.Subsets(g.Deck(), 2, func(hole card.Set) {
		if hole&dealt == 0 {
			hands.Holes = append(hands.Holes, hole)
		}
	})
	reach, err := hands.Reach(p.Tree.Find(&point.Hand))
	if err != nil {
		return nil, err
	}
	spent := point.Hand.MaxSpent()
	s := &Start{
		Pot: int(point.Hand.Pot().Chips()), Stack: int(min(g.Stack[0], g.Stack[1]) - spent), Mapped: point.Mapped,
	}
	for position, weights := range reach {
		most, r := slices.Max(weights), new(ranges.Range)
		for i, hole := range hands.Holes {
			r.Set(hole, math.Round(1e6*weights[i]/max(most, math.SmallestNonzeroFloat64))/1e6)
		}
		s.Ranges[(position-int(g.FirstPlayer[round])+2)%2] = r
	}
	return s, nil
}
