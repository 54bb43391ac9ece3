package poker

import "time"

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
// for the rest of the hand.
func (b *bank) limit(o *TimeLimits) time.Duration {
	limit := b.saved / 2
	if o.Longest > 0 {
		limit = min(limit, o.Longest)
	}
	return max(0, limit)
}
