package wire

import "time"

var clockStart = time.Now()

// Now returns the time for messages: that of a clock that a change of the system's clock does not move. It
// shows the time of day at the start of the process and goes on from there.
func Now() time.Time { return TimeOf(time.Now()) }

// TimeOf returns the time for messages of a moment that [time.Now] returned in this process.
func TimeOf(t time.Time) time.Time { return clockStart.Add(t.Sub(clockStart)) } // t.Sub subtracts monotonic readings
