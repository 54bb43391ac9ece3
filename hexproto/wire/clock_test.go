package wire_test

import (
	"testing"
	"time"

	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"
)

// A moment after the system's clock was changed is as late as it would have been
// without.
func TestClockJump(t *testing.T) {
	before := time.Now()
	for _, by := range []time.Duration{time.Hour, -time.Hour} {
		after := testkit.Jump(before.Add(time.Second), by)
		if d := after.Round(0).Sub(before.Round(0)); d != by+time.Second {
			t.Fatalf("the test's own jump is %v", d)
		}
		if d := wire.TimeOf(after).Round(0).Sub(wire.TimeOf(before).Round(0)); d != time.Second {
			t.Errorf("the clock went on by %v", d)
		}
	}
}
