package server_test

import (
	"sync/atomic"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"
)

// A change of the system's clock by an hour, forward or back, costs nobody time.
func TestSystemClockJump(t *testing.T) {
	for _, by := range []time.Duration{time.Hour, -time.Hour} {
		var jumped atomic.Int64
		restore := server.SetClock(func() time.Time { return testkit.Jump(time.Now(), time.Duration(jumped.Load())) })
		h := start(t, nil)
		ada, bob := join(t, h, "ada"), join(t, h, "bob")
		id := sit(t, ada, bob, wire.Challenge{Clock: wire.Clock{Main: 600_000}})
		ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
		bob.must(&wire.Play{Game: id, Turn: 1, Move: "c3"})
		before := ada.state(id)
		jumped.Store(int64(by))
		ada.must(&wire.Play{Game: id, Turn: 2, Move: "a2"})
		after := ada.state(id)
		if gone := after.Time.At - before.Time.At; gone < 0 || gone > 300_000 {
			t.Errorf("after %v the clock of games went on by %d ms", by, gone)
		}
		if left := after.Time.Left[0]; after.Result != nil || left > 600_000 || left < 300_000 {
			t.Errorf("after %v ada has %d ms left: %v", by, left, after.Result)
		}
		h.end()
		restore()
	}
}
