package poker

import (
	"testing"
	"time"
)

// Time is added once a hand; a decision may take half of what is saved, and no more than the
// longest.
func TestBank(t *testing.T) {
	var b bank
	o := &TimeLimits{Time: 2 * time.Second, Longest: 3 * time.Second}
	limit := func(hand uint32, took, want time.Duration) {
		t.Helper()
		b.deal(hand, o.Time)
		if got := b.limit(o); got != want {
			t.Errorf("hand %d: %v, want %v", hand, got, want)
		}
		b.saved -= took
	}
	limit(0, 500*time.Millisecond, time.Second)
	limit(0, 500*time.Millisecond, 750*time.Millisecond)
	limit(1, 0, 1500*time.Millisecond)
	for hand := range uint32(10) {
		b.deal(2+hand, o.Time)
	}
	limit(11, 30*time.Second, 3*time.Second)
	limit(11, 0, 0)
	o.Longest = 0
	limit(12, 0, 0)
}
