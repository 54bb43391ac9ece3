package server

import (
	"slices"
	"time"

	"gamebots/hexproto/wire"
)

// clocks are the players' clocks of a game, by seat. Times are milliseconds.
type clocks struct {
	wire.Clock
	left  []int64
	since []int64 // when each clock starts or was started, 0 while it stands
	begun []bool  // the clock runs: the first turn, which is not charged, is over
	pause int64   // until when people's clocks stand after a hand of poker
	ready []int   // for which hand each seat's player is ready, from 1
	away  []int   // for how many hands in a row each seat's player has been away, the present one included
}

const (
	// handPause is how long people's clocks stand after a hand of poker, unless all are ready earlier. The page shows
	// the end of a hand as long.
	handPause = 5 * time.Second
	// emptyPause is how long a match stands after each hand while nobody but bots of the server is at the table.
	emptyPause = 5 * time.Minute
	// mostAway is after how many hands in a row a player who is away leaves the table.
	mostAway = 3
)

func newClocks(c wire.Clock, seats int) clocks {
	return clocks{
		Clock: c, left: slices.Repeat([]int64{c.Main}, seats), since: make([]int64, seats), begun: make([]bool, seats),
		ready: make([]int, seats), away: make([]int, seats),
	}
}

// free reports whether a seat's turn is not charged: the game has no clocks, or
// the seat has not begun.
func (c *clocks) free(seat int) bool { return c.None() || !c.begun[seat] }

// start starts the clock of a seat, that of a person after the pause.
func (c *clocks) start(seat int, now int64, person bool) {
	if c.since[seat] = now; person {
		c.since[seat] = max(now, c.pause)
	}
}

// handOver begins a pause after a hand, or makes it longer, to two at most: people see the end of each, and
// nobody can put off the clocks by short hands.
func (c *clocks) handOver(now int64, pause time.Duration) {
	if !c.None() {
		c.pause = min(max(now, c.pause), now+pause.Milliseconds()) + pause.Milliseconds()
	}
}

// endPause starts the clocks that stand because of a pause.
func (c *clocks) endPause(now int64) {
	c.pause = now
	for seat, since := range c.since {
		c.since[seat] = min(since, now)
	}
}

// deadline returns when the seat's time is up, in a turn that is charged. That of a player who is away is none.
func (c *clocks) deadline(seat int) int64 {
	if c.away[seat] > 0 {
		return c.since[seat]
	}
	return c.since[seat] + c.PerMove + c.left[seat]
}

// played charges a seat for a turn and stops its clock.
func (c *clocks) played(seat int, ms int64) {
	if !c.free(seat) {
		c.left[seat] += c.Increment - max(0, ms-c.PerMove)
	}
	c.begun[seat] = true
	c.since[seat] = 0
}

// stop stops all clocks and charges the running turns.
func (c *clocks) stop(now int64) {
	for seat, since := range c.since {
		if since != 0 && !c.free(seat) {
			c.left[seat] = max(0, c.left[seat]-max(0, now-since-c.PerMove))
		}
	}
	clear(c.since)
}

// nextTimeout returns the seat whose clock runs out first, and when. A seat that has not
// begun has some time for its first move. It returns false if no clock runs.
func (c *clocks) nextTimeout(firstMove time.Duration) (seat int, at int64, ok bool) {
	if c.None() {
		return 0, 0, false
	}
	for s, since := range c.since {
		if since == 0 {
			continue
		}
		d := c.deadline(s)
		if !c.begun[s] {
			d = since + c.firstMove(firstMove)
		}
		if !ok || d < at {
			seat, at, ok = s, d, true
		}
	}
	return seat, at, ok
}

// firstMove returns how many ms a seat has for its first move: as many as for another one in correspondence, and some
// time otherwise.
func (c *clocks) firstMove(otherwise time.Duration) int64 {
	if c.Correspondence() {
		return c.PerMove
	}
	return otherwise.Milliseconds()
}

// afterRestart is how much of its time a player of correspondence has after a restart, at least: the server may have
// been down for long. One that restarts every day still ends its games.
const afterRestart = 12 * time.Hour

// resumed returns since when the clock of a seat runs in correspondence that a server resumes: since the last move, but
// for afterRestart.
func (c *clocks) resumed(seat int, now, moved int64) int64 {
	return min(now, max(moved, now+afterRestart.Milliseconds()-c.PerMove-c.left[seat]))
}

// time returns the clocks as messages have them, and when the game is aborted unless a seat
// that has not begun moves. In a turn that is not charged the clock stands.
func (c *clocks) time(now int64, firstMove time.Duration) wire.Time {
	n := len(c.left)
	t := wire.Time{Left: slices.Clone(c.left), Running: make([]bool, n), Since: make([]int64, n), At: now}
	for seat, since := range c.since {
		if since != 0 && !c.free(seat) {
			t.Running[seat], t.Since[seat] = true, since
		}
	}
	if seat, at, ok := c.nextTimeout(firstMove); ok && !c.begun[seat] {
		t.Abort = at
	}
	return t
}
