package steady_test

import (
	"testing"
	"time"

	"gamebots/internal/steady"
	"gamebots/internal/steady/steadytest"
)

// A moment after the system's clock was changed is as late as it would have been
// without.
func TestClockJump(t *testing.T) {
	before := time.Now()
	for _, by := range []time.Duration{time.Hour, -time.Hour} {
		after := steadytest.Jump(before.Add(time.Second), by)
		if d := after.Round(0).Sub(before.Round(0)); d != by+time.Second {
			t.Fatalf("the test's own jump is %v", d)
		}
		if d := steady.Of(after).Round(0).Sub(steady.Of(before).Round(0)); d != time.Second {
			t.Errorf("the steady clock went on by %v", d)
		}
	}
}
