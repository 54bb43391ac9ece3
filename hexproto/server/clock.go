package server

import "gamebots/hexproto/wire"

// clocks are both players' of a game. Times are milliseconds.
type clocks struct {
	wire.Clock
	left  [2]int64
	since [2]int64 // when the clock was started, 0 where it stands
	turns [2]int   // that each has played
}

func newClocks(c wire.Clock) clocks { return clocks{Clock: c, left: [2]int64{c.Main, c.Main}} }

// free says whether a seat's turn is not charged: there are no clocks, or it is
// the first.
func (c *clocks) free(seat int) bool { return c.None() || c.turns[seat] == 0 }

// start starts the clock of a seat.
func (c *clocks) start(seat int, now int64) { c.since[seat] = now }

// deadline is when the seat's time is up, in a turn that is charged.
func (c *clocks) deadline(seat int) int64 { return c.since[seat] + c.PerMove + c.left[seat] }

// played notes that a seat's turn took so long, and stops its clock.
func (c *clocks) played(seat int, ms int64) {
	if !c.free(seat) {
		c.left[seat] += c.Increment - max(0, ms-c.PerMove)
	}
	c.turns[seat]++
	c.since[seat] = 0
}

// stop stops both, with what the running turns have taken.
func (c *clocks) stop(now int64) {
	for seat, since := range c.since {
		if since != 0 && !c.free(seat) {
			c.left[seat] = max(0, c.left[seat]-max(0, now-since-c.PerMove))
		}
	}
	c.since = [2]int64{}
}

// time is the clocks as they are told. The first turn's clock does not run.
func (c *clocks) time(now int64) wire.Time {
	t := wire.Time{Left: c.left, At: now}
	for seat, since := range c.since {
		if since != 0 && !c.free(seat) {
			t.Running[seat], t.Since[seat] = true, since
		}
	}
	return t
}
