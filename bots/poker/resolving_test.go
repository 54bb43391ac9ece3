package poker

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Time is added once a hand; a decision may take half of what is saved, and no more than three fifths of the time in
// which its context ends.
func TestBank(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bank
		short, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		limit := func(ctx context.Context, hand uint32, took, want time.Duration) {
			t.Helper()
			b.deal(hand, 2*time.Second)
			if got := b.limit(ctx); got != want {
				t.Errorf("hand %d: %v, want %v", hand, got, want)
			}
			b.saved -= took
		}
		limit(short, 0, 500*time.Millisecond, time.Second)
		limit(short, 0, 500*time.Millisecond, 750*time.Millisecond)
		limit(short, 1, 0, 1500*time.Millisecond)
		for hand := range uint32(10) {
			b.deal(2+hand, 2*time.Second)
		}
		limit(t.Context(), 11, 0, 11500*time.Millisecond)
		limit(short, 11, 30*time.Second, 3*time.Second)
		limit(short, 11, 0, 0)
		limit(t.Context(), 12, 0, 0)
	})
}
