package poker

import (
	"context"
	"time"
)

// bank is the time that the hands so far have left.
type bank struct {
	hand  uint32 // the last one, if there was one
	begun bool
	saved time.Duration // may be negative
}

// deal adds the time of a hand, once, and reports whether it is a new one.
func (b *bank) deal(hand uint32, each time.Duration) bool {
	if b.begun && b.hand == hand {
		return false
	}
	b.begun, b.hand = true, hand
	b.saved += each
	return true
}

// limit returns how long a decision may take: half of what is left, so that something is left
// for the rest of the hand, and less if its context ends earlier.
func (b *bank) limit(ctx context.Context) time.Duration {
	limit := b.saved / 2
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)*3/5) // the rest is for a machine that is busy
	}
	return max(0, limit)
}
