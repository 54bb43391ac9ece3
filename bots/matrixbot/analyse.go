package matrixbot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/matrix"
)

var _ game.Analyst = rules{}

// Methods names the method of Analyse.
func (rules) Methods() []string { return []string{"equilibrium"} }

// Analyse rates the actions of both players by an equilibrium of one round, the one that
// [Equilibrium] plays. The value of an action is its expected payoff on a scale from the
// least to the greatest payoff of the player in the game.
func (rules) Analyse(ctx context.Context, g game.Game, _ string) ([]game.Rated, error) {
	m := boards.MatrixMatch(g)
	if m == nil {
		return nil, errors.New("not a matrix game")
	}
	best, err := equilibrium(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("no equilibrium: %w", err)
	}
	mixed := [2][]*big.Rat{best.X, best.Y}
	var rated []game.Rated
	for seat, names := range [2][]string{m.Names(0), m.Names(1)} {
		var actions []game.Rated
		for action, name := range names {
			payoff := expected(m, seat, action, mixed[1-seat])
			r := game.Rated{
				Move: name, Seat: seat, Value: scaled(m, seat, payoff),
				Share: float(mixed[seat][action]), Payoff: float(payoff),
			}
			if i := dominating(m, seat, action); i >= 0 {
				r.Dominated = names[i]
			}
			actions = append(actions, r)
		}
		slices.SortStableFunc(actions, func(a, b game.Rated) int {
			return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(b.Value, a.Value))
		})
		rated = append(rated, actions...)
	}
	return rated, nil
}

// payoff returns what a player gets for an action of its own against one of the other.
func payoff(m *matrix.Match, seat, own, other int) *big.Rat {
	if seat == 0 {
		return m.Payoff(0, own, other)
	}
	return m.Payoff(1, other, own)
}

// expected returns the payoff of an action against a mixed strategy.
func expected(m *matrix.Match, seat, action int, against []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for other, p := range against {
		sum.Add(sum, new(big.Rat).Mul(p, payoff(m, seat, action, other)))
	}
	return sum
}

// dominating returns the first action that pays a player more than another one, whatever
// the opponent does, or -1.
func dominating(m *matrix.Match, seat, action int) int {
	for better := range m.Names(seat) {
		always := true
		for other := range m.Names(1 - seat) {
			always = always && payoff(m, seat, better, other).Cmp(payoff(m, seat, action, other)) > 0
		}
		if always {
			return better
		}
	}
	return -1
}

// scaled returns where a payoff lies between the least and the greatest one of a player.
func scaled(m *matrix.Match, seat int, x *big.Rat) float64 {
	least, greatest := x, x
	for own := range m.Names(seat) {
		for other := range m.Names(1 - seat) {
			p := payoff(m, seat, own, other)
			if p.Cmp(least) < 0 {
				least = p
			}
			if p.Cmp(greatest) > 0 {
				greatest = p
			}
		}
	}
	width := new(big.Rat).Sub(greatest, least)
	if width.Sign() == 0 {
		return 0.5
	}
	return float(new(big.Rat).Quo(new(big.Rat).Sub(x, least), width))
}

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}
