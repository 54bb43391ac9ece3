package matrixbot

import (
	"context"
	"math/big"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
)

// BestReply plays a best reply to how often the opponent has played each action so far,
// as fictitious play does. It begins with the best reply to all of them alike. It wins
// from those who repeat themselves, and those who see through it win from it.
type BestReply struct{}

// Quick returns true.
func (BestReply) Quick(game.Game) bool { return true }

// Open returns the player itself.
func (b BestReply) Open(context.Context, hexproto.Position) (hexproto.Decider, error) { return b, nil }

// Decide counts what the opponent has played.
func (BestReply) Decide(_ context.Context, at hexproto.Position, _ time.Duration) (hexproto.Decision, error) {
	m, seat := boards.MatrixMatch(at.Game), at.Seat
	played := make([]int64, len(m.Names(1-seat)))
	for _, round := range m.Played() {
		played[round[1-seat]]++
	}
	if len(m.Played()) == 0 {
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

// Close does nothing.
func (BestReply) Close() error { return nil }
