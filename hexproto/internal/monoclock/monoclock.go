// Package monoclock has a clock that a change of the system's clock does not move. It
// shows the time of day at the start of the process and goes on from there.
package monoclock

import "time"

var start = time.Now()

// Now returns the time of the clock.
func Now() time.Time { return Of(time.Now()) }

// Of returns the time on the clock of a moment that [time.Now] returned in this process.
func Of(t time.Time) time.Time { return start.Add(t.Sub(start)) } // t.Sub subtracts monotonic readings
