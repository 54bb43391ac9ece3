package server

import (
	"fmt"
	"time"
)

// endAbandoned aborts the games without clocks in which nobody moves any more, until the
// server ends. With clocks a game ends by itself.
func (gs *games) endAbandoned() {
	interval := min(time.Hour, gs.limits.Abandoned/4, gs.limits.BotAbandoned/4)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-gs.ctx.Done():
			return
		}
		gs.mu.Lock()
		var abandoned []*table
		for _, t := range gs.tables {
			if t.abandoned() > 0 {
				abandoned = append(abandoned, t)
			}
		}
		gs.mu.Unlock()
		for _, t := range abandoned {
			gs.locked(func(tx *transaction) {
				tx.game = t
				if after := t.abandoned(); after > 0 {
					t.end(tx, t.aborted("nobody moved for "+days(after)))
				}
			})
		}
	}
}

// abandoned returns the time without a move after which the game is over, or 0 if it
// goes on.
func (t *table) abandoned() time.Duration {
	if t.result != nil || !t.clocks.None() || t.games.stopping {
		return 0
	}
	after := t.games.limits.Abandoned
	if t.withBots() && !t.attended(t.present(), t.gone) {
		after = t.games.limits.BotAbandoned
	}
	if date()-t.moved < after.Milliseconds() {
		return 0
	}
	return after
}

// days writes a time for people.
func days(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d == day:
		return "a day"
	case d%day == 0:
		return fmt.Sprintf("%d days", d/day)
	}
	return d.String()
}
