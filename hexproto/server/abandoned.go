package server

import (
	"fmt"
	"time"

	"gamebots/internal/parallel"
)

// endAbandoned ends the games without clocks in which nobody moves any more, until the
// server ends. With clocks a game ends by itself.
func (c *core) endAbandoned() {
	interval := min(time.Hour, c.limits.Abandoned/4, c.limits.BotAbandoned/4)
	for range parallel.Every(c.ctx.Done(), interval) {
		abandoned := parallel.Get(&c.state, func(st *state) (all []tableRef) {
			for _, t := range st.games.tables {
				if t.abandoned() > 0 {
					all = append(all, t.ref())
				}
			}
			return all
		})
		for _, game := range abandoned {
			c.awake(nil, game.Under, func(tx *transaction) {
				tx.game = game
				t := game.Under(&tx.games)
				if after := t.abandoned(); after > 0 && !tx.stopping {
					t.endAbandoned(tx, after)
				}
			})
		}
	}
}

// endAbandoned ends a game in which nobody has moved for a time: a casual one does not count. A
// rated one, which older versions began without clocks, is lost by whoever is to move. A bot of
// the server does not move while its opponent is away, who loses then.
func (t *table) endAbandoned(tx *transaction, after time.Duration) {
	late := t.toMove()
	if !t.rated || len(late) != 1 {
		t.end(tx, t.aborted("nobody moved for "+days(after)))
		return
	}
	seat := late[0]
	if t.seats[seat].builtin != nil {
		seat = 1 - seat
	}
	t.timeUp(tx, seat)
}

// abandoned returns the time without a move after which the game is over, or 0 if it
// goes on.
func (t *table) abandoned() time.Duration {
	if t.result != nil || !t.clocks.None() {
		return 0
	}
	after := t.core.limits.Abandoned
	if t.withBots() && !t.seats.attended(t.present(), t.gone) {
		after = t.core.limits.BotAbandoned
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
