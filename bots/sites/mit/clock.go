package mit

import (
	"math"
	"time"

	"gamebots/acpc"
	"gamebots/bots/poker"
)

// Clock spreads the one clock of a match over its decisions, as a [poker.TimeKeeper]. What is ahead of an even spread
// over the rounds may be spent. Of it a decision gets a part that grows with the root of the pot: what a solution
// leaves on the table falls about as one over its time, and so this spread leaves the least. Where the part has been
// too little for a solution, none is tried until it is more. It belongs to one goroutine.
type Clock struct {
	rounds  int // how many the match has
	round   int // from 1
	first   time.Duration
	left    time.Duration // when the last line arrived
	arrived time.Time

	given time.Duration                 // to the last decision
	least [acpc.MaxRounds]time.Duration // time for a solution in each round of betting, as far as it is known
}

// NewClock returns the clock of a match of some rounds.
func NewClock(rounds int) *Clock { return &Clock{rounds: rounds} }

// set takes what the engine says when a line arrives.
func (c *Clock) set(left time.Duration, arrived time.Time) {
	c.left, c.arrived = left, arrived
	c.first = max(c.first, left)
}

// Left returns what the engine said last.
func (c *Clock) Left() time.Duration { return c.left }

// Parts of the clock: of the whole, which is never planned for, and of what is ahead, at most for a decision.
const (
	reserve     = 0.05
	largestPart = 0.5
)

// Allow returns how long a decision may take, or 0 if it is not to be solved.
func (c *Clock) Allow(s *acpc.State) time.Duration {
	left := float64(c.left - time.Since(c.arrived))
	planned := float64(c.first) * (reserve + (1-reserve)*float64(c.rounds-c.round)/float64(c.rounds))
	pot := float64(s.Spent(0)+s.Spent(1)) / float64(s.Game().Stack[0])
	c.given = time.Duration(max(0, left-planned) * min(largestPart, math.Sqrt(pot)))
	if c.given < c.least[s.Round()] {
		c.given = 0
	}
	return c.given
}

// Decided learns from a decision.
func (c *Clock) Decided(d *poker.Decision) {
	switch least := &c.least[d.Round]; {
	case c.given == 0:
	case d.Late:
		*least = c.given * 3 / 2
	case d.How == poker.Solved:
		*least = *least * 9 / 10
	}
}
