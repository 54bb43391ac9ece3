package bridge

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gamebots/configs"
	"gamebots/hexproto/wire"
)

// backoff is how long a player has to wait before the next challenge.
type backoff struct {
	until    time.Time
	asked    time.Time // the last time
	refusals int       // refusals in a row
}

// maxBackoff bounds the wait of a player who does not stop.
const maxBackoff = 10 * time.Minute

// backoff returns the backoff of a player. The caller holds the lock.
func (b *Bridge) backoff(player string) *backoff {
	r := b.backoffs[key(player)]
	if r == nil {
		maps.DeleteFunc(b.backoffs, func(_ string, r *backoff) bool {
			return time.Since(r.asked) > maxBackoff && time.Since(r.until) > 0
		})
		r = &backoff{}
		b.backoffs[key(player)] = r
	}
	r.asked = time.Now()
	return r
}

// challenged answers a challenge. The slot is taken before the challenge is
// accepted, since the next challenge may come before the answer to this one.
func (b *Bridge) challenged(m *wire.Challenged) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, twice := b.accepting[m.Challenge]; twice || m.To == "" {
		return
	}
	r := b.backoff(m.From.Name)
	reason, text := refusal(&b.settings, m)
	switch games, with := b.slots(), b.slotsWith(m.From.Name); {
	case b.draining:
		reason, text = "later", "about to leave"
	case reason != "":
	case time.Now().Before(r.until):
		reason, text = "later", fmt.Sprintf("in %v", time.Until(r.until).Round(time.Second)+time.Second)
	case games >= int(b.settings.Accept.Games):
		reason, text = "busy", fmt.Sprintf("no more than %d at a time", games)
	case with >= int(b.settings.Accept.PerPlayer):
		reason, text = "busy", fmt.Sprintf("no more than %d with you", with)
	}
	log := b.Log.With("from", m.From.Name, "challenge", m.Challenge)
	if reason != "" {
		log.Info("challenge declined", "reason", reason)
		// A player who does not stop waits longer each time.
		if r.refusals++; r.refusals > 3 {
			pause := max(b.settings.Accept.Pause, time.Second) << min(r.refusals-3, 10)
			r.until = time.Now().Add(min(pause, maxBackoff))
		}
		b.spawn(&wire.Decline{Challenge: m.Challenge, Reason: reason, Text: text}, nil)
		return
	}
	log.Info("challenge accepted")
	r.refusals = 0
	b.accepting[m.Challenge] = m.From.Name
	b.spawn(&wire.Accept{Challenge: m.Challenge}, func(answer wire.Message, err error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.accepting, m.Challenge)
		if err != nil {
			b.Log.Warn("not accepted after all", "error", err, "challenge", m.Challenge)
		} else {
			b.expect(ackOf(answer).Game, m.From.Name)
		}
		b.forgetOver()
		b.finder.signal()
		b.checkDrained()
	})
}

// slotsWith counts the slots of games with a player. The caller holds the lock.
func (b *Bridge) slotsWith(player string) int {
	names := slices.AppendSeq(slices.Collect(maps.Values(b.accepting)), maps.Values(b.expected))
	for _, g := range b.games {
		names = append(names, g.opponent)
	}
	return len(slices.DeleteFunc(names, func(name string) bool { return key(name) != key(player) }))
}

// usualMoves is the length of a game, in moves of one player, by which clocks are
// judged.
const usualMoves = 40

// refusal returns why the settings refuse a challenge: a reason of wire.Reasons, ""
// if they do not, and a text.
func refusal(s *configs.BoardBot, m *wire.Challenged) (reason, text string) {
	a, from := &s.Accept, m.From
	among := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, from.Name) })
	}
	total := time.Duration(m.Clock.Main+usualMoves*(m.Clock.Increment+m.Clock.PerMove)) * time.Millisecond
	switch {
	case !a.Enabled:
		return "later", "no challenges are accepted now"
	case m.Rules != s.Engine.Rules:
		return "rules", "only " + s.Engine.Rules
	case among(a.Block), len(a.Allow) > 0 && !among(a.Allow):
		return "blocked", ""
	case from.Bot && !a.Bots:
		return "no_bots", ""
	case !from.Bot && !a.Humans:
		return "only_bots", ""
	case m.Rated && !a.Rated:
		return "rated", "only casual games"
	case !m.Rated && !a.Casual:
		return "casual", "only rated games"
	case from.Rating < int(a.MinRating), a.MaxRating > 0 && from.Rating > int(a.MaxRating):
		return "rating", fmt.Sprintf("only ratings from %d to %d", a.MinRating, a.MaxRating)
	case !sideIn(m.Options, a.Sides):
		return "options", fmt.Sprintf("only boards of the sides %v", a.Sides)
	case m.Clock.None() && !a.NoClock:
		return "too_slow", "only with clocks"
	case m.Clock.None():
		return "", ""
	case total < a.MinTime:
		return "too_fast", fmt.Sprintf("at least %v for %d moves", a.MinTime, usualMoves)
	case a.MaxTime > 0 && total > a.MaxTime:
		return "too_slow", fmt.Sprintf("at most %v for %d moves", a.MaxTime, usualMoves)
	}
	return "", ""
}

// sideIn reports whether a game's board has one of the sides. It is true for rules
// without sides.
func sideIn(options json.RawMessage, sides []uint64) bool {
	var o struct{ Side uint64 }
	return len(sides) == 0 || json.Unmarshal(options, &o) != nil || o.Side == 0 || slices.Contains(sides, o.Side)
}
