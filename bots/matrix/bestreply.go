package matrix

import (
	"context"
	"math/big"

	"gamebots/hexproto"
	"gamebots/hexproto/wire"
)

// BestReply plays a best reply to how often the opponent has played each action so far,
// as fictitious play does. It begins with the best reply to all of them alike. It wins
// from those who repeat themselves, and those who see through it win from it.
type BestReply struct{}

var (
	_ hexproto.Bot      = BestReply{}
	_ hexproto.QuickBot = BestReply{}
)

// Quick returns true.
func (BestReply) Quick(*wire.Game) bool { return true }

// Open returns an error for a game that is not a matrix game.
func (BestReply) Open(_ context.Context, game *wire.Game, seat int) (hexproto.Engine, error) {
	_, err := Rules.Position(game)
	return bestReply(seat), err
}

// bestReply is the engine of a seat.
type bestReply int

func (e bestReply) Decide(_ context.Context, game *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	m, err := Rules.Position(game)
	if err != nil {
		return hexproto.Decision{}, err
	}
	seat := int(e)
	played := make([]int64, len(m.Names(1-seat)))
	for _, move := range game.Moves {
		if move.Seat == seat {
			continue
		}
		action, err := m.Parse(1-seat, move.Move)
		if err != nil {
			return hexproto.Decision{}, err
		}
		played[action]++
	}
	if len(game.Moves) == 0 {
		for i := range played {
			played[i] = 1
		}
	}
	best, gains := 0, (*big.Rat)(nil)
	for mine := range m.Names(seat) {
		sum := new(big.Rat)
		for other, times := range played {
			if times > 0 {
				sum.Add(sum, new(big.Rat).Mul(payoff(m, seat, mine, other), big.NewRat(times, 1)))
			}
		}
		if gains == nil || sum.Cmp(gains) > 0 {
			best, gains = mine, sum
		}
	}
	return hexproto.Decision{Move: m.Names(seat)[best]}, nil
}

func (bestReply) Close() error { return nil }
