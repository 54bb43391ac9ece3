package main

import (
	"fmt"
	"math"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/bots/poker"
	"gamebots/internal/usererr"
	"gamebots/solvers/resolve"

	"github.com/rs/zerolog"
)

// logDecisions logs the decisions of the players of a strategy, of which one at a time decides, and returns a function
// that logs how many were solved in play, and how many were outside of its tree.
func logDecisions(log *zerolog.Logger, players ...acpc.Player) (summary func()) {
	counts := func() (c poker.DecisionCounts) {
		for _, player := range players {
			if s, ok := player.(*poker.PolicyPlayer); ok {
				c = c.Plus(s.Counts())
			}
		}
		return c
	}
	warned := false
	onDecision := func(d poker.Decision) {
		logDecision(log, &d)
		if c := counts(); !warned && c.Late >= manyLate && mostlyLate(c) {
			warned = true
			warnOfLate(log, c)
		}
	}
	for _, player := range players {
		if s, ok := player.(*poker.PolicyPlayer); ok {
			s.OnDecision = onDecision
		}
	}
	return func() {
		c := counts()
		if c.Solved+c.Late > 0 {
			log.Info().Int("decisions", c.Decisions).Int("solved", c.Solved).Int("late", c.Late).
				Int("whole_flops", c.OnDevice[resolve.Flop]).Int("turns_on_device", c.OnDevice[resolve.Turn]).
				Dur("longest_ms", c.Longest).Msg("rounds solved in play")
		}
		if mostlyLate(c) {
			warnOfLate(log, c)
		}
		if c.Translated+c.Unmapped > 0 {
			log.Warn().Int("decisions", c.Decisions).Int("translated", c.Translated).Int("lost", c.Unmapped).
				Str("hint", "translated: decided as after the nearest bets that the strategy has; lost: called or "+
					"folded by the cards, see docs/training.md#no-limit-games").
				Msg("decisions outside of the strategy's tree")
		}
	}
}

func logDecision(log *zerolog.Logger, d *poker.Decision) {
	e := log.Debug().Uint32("hand", d.Hand).Int("round", d.Round).Stringer("how", d.How).Dur("ms", d.Time)
	if d.Raises > 0 {
		e = e.Int("translated_raises", d.Raises)
	}
	if d.How == poker.Solved {
		e = e.Int("iterations", d.Iterations).Int("added_bets", d.Added).Int64("entries", d.Entries)
	}
	if d.OnDevice {
		e = e.Bool("on_device", true).Float64("exploitability_percent", math.Round(1e4*d.Exploitability)/100)
	}
	if d.Late {
		e = e.Bool("late", true)
	}
	e.Msg("decided")
}

// manyLate is how many late solutions are enough to say so before the end of a match.
const manyLate = 10

// mostlyLate reports whether most decisions that were to be solved were late.
func mostlyLate(c poker.DecisionCounts) bool { return c.Late > c.Solved }

func warnOfLate(log *zerolog.Logger, c poker.DecisionCounts) {
	log.Warn().Int("late", c.Late).Int("of", c.Solved+c.Late).
		Str("hint", "a longer --solve-time, fewer other programs, or a later --solve-from").
		Msg("most solutions were too late")
}

// logFaults lets a client warn of what its dealer should not do, and returns a function that logs
// the counts.
func logFaults(log *zerolog.Logger, c *client.Client) (summary func()) {
	actions, changed, faulty := 0, 0, 0
	var change, fault string // the first of each
	c.OnRecorded = func(hand uint32, sent, recorded acpc.Action) {
		actions++
		if sent == recorded {
			return
		}
		if changed++; changed == 1 {
			change = fmt.Sprintf("in hand %d: %v -> %v", hand, sent, recorded)
			log.Warn().Uint32("hand", hand).Stringer("sent", sent).Stringer("recorded", recorded).
				Str("hint", fmt.Sprintf("is the dealer playing %s?", c.Game.Name)).
				Msg("the dealer changed an action; others are counted")
		}
	}
	c.OnFault = func(hand uint32, err error) {
		if faulty++; faulty == 1 {
			fault = fmt.Sprintf("in hand %d: %v", hand, err)
			log.Warn().Uint32("hand", hand).Err(err).Msg("the dealer made a mistake; others are counted")
		}
	}
	c.OnNoHand = func() { log.Warn().Msg("no hand yet; is the other player there?") }
	return func() {
		if changed > 0 {
			log.Warn().Msgf("the dealer changed %d of %s, the first %s", changed,
				usererr.Counted(actions, "action", "actions"), change)
		}
		if faulty > 0 {
			log.Warn().Msgf("the dealer made mistakes in %s, the first %s",
				usererr.Counted(faulty, "hand", "hands"), fault)
		}
	}
}
