package server

import "time"

// SetClock replaces the system's clock.
func SetClock(f func() time.Time) (restore func()) {
	old := clock
	clock = f
	return func() { clock = old }
}
