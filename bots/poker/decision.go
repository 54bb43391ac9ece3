package poker

import (
	"time"

	"gamebots/acpc"
)

// A Decision is how a PolicyPlayer decided.
type Decision struct {
	Hand  uint32
	Round int
	How   How
	// Raises is the number of opponents' raises in this hand that were mapped to raises of
	// the strategy's tree.
	Raises int
	// Iterations are those of the solution. Added is the number of bets of the opponent that
	// were put into its tree.
	Iterations, Added int
	// Entries are those of the solution: actions of hands at decisions. OnDevice is set if it was found on
	// a device. Then Exploitability is what best responses win from it on average, as a part of the pot.
	Entries        int64
	OnDevice       bool
	Exploitability float64
	// Late is set if there was too little time to solve the decision.
	Late bool
	Time time.Duration
}

// How is a way to decide.
type How uint8

const (
	// Known decisions are those of the strategy, at a betting sequence that it has.
	Known How = iota
	// Translated decisions are those of the strategy at the betting sequence to which the
	// hand was mapped.
	Translated
	// Unmapped decisions are calls and folds without a strategy's probabilities: it has no decision
	// at the betting sequence that the hand was mapped to, for example because a player is all-in there
	// but not in the hand; or it lacks the round, and there was too little time to solve it. The player
	// calls what its strategy was ready to put in, and beyond that if its cards are good enough: see
	// [belief.Defends].
	Unmapped
	// Solved decisions were solved in play.
	Solved
)

// String returns the way as logs have it.
func (h How) String() string { return [...]string{"strategy", "translated", "unmapped", "solved"}[h] }

// DecisionCounts counts the decisions of a player: all of them, those that needed
// translation, those that could not be mapped, those that were solved, and those for which the
// time to solve was too short; those that a device solved, by round; and the longest time of one.
type DecisionCounts struct {
	Decisions, Translated, Unmapped, Solved, Late int
	OnDevice                                      [acpc.MaxRounds]int
	Longest                                       time.Duration
}

// Counts returns the counts of the decisions made so far.
func (p *PolicyPlayer) Counts() DecisionCounts { return p.counts }

// Plus returns the counts of two players together.
func (c DecisionCounts) Plus(o DecisionCounts) DecisionCounts {
	for r := range o.OnDevice {
		o.OnDevice[r] += c.OnDevice[r]
	}
	return DecisionCounts{
		OnDevice: o.OnDevice, Decisions: c.Decisions + o.Decisions, Translated: c.Translated + o.Translated,
		Unmapped: c.Unmapped + o.Unmapped, Solved: c.Solved + o.Solved,
		Late: c.Late + o.Late, Longest: max(c.Longest, o.Longest),
	}
}

func (c *DecisionCounts) add(d *Decision) {
	c.Decisions++
	switch d.How {
	case Translated:
		c.Translated++
	case Unmapped:
		c.Unmapped++
	case Solved:
		c.Solved++
	}
	if d.OnDevice {
		c.OnDevice[d.Round]++
	}
	if d.Late {
		c.Late++
	}
	c.Longest = max(c.Longest, d.Time)
}
