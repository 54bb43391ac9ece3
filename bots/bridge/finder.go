package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// finder makes the bridge's own challenges, for the games of a series. It is guarded
// by the bridge's lock.
type finder struct {
	wake    chan struct{}
	pending map[int]*proposal // proposals by the game's number in the series
	next    int               // the first number that was never tried
	retries []int             // numbers to try again
	playing map[string]int    // numbers of running games, by id
	done    map[int]bool      // numbers of finished games
	turn    int               // index of the next opponent, modulo their number
	after   time.Time         // no challenge before
	pause   time.Duration     // after the last refusal
}

// proposal is a challenge without an answer.
type proposal struct {
	challenge string // "" until the server has it
	to        string
	expires   time.Time
}

func (f *finder) signal() { parallel.Signal(f.wake) }

// repropose cancels all proposals after a new connection, and makes them again: the
// server may have lost them, or they may have been accepted.
func (b *Bridge) repropose() {
	f := &b.finder
	for n, p := range f.pending {
		if p.challenge == "" {
			continue // its call ends with the lost connection
		}
		b.spawn(&wire.Cancel{Challenge: p.challenge}, func(wire.Message, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if f.pending[n] == p {
				f.retry(n)
				f.signal()
			}
		})
	}
	f.after, f.pause = time.Time{}, 0
	f.signal()
}

// retry drops a proposal and tries its number again.
func (f *finder) retry(n int) {
	if f.pending[n] != nil {
		delete(f.pending, n)
		f.retries = append(f.retries, n)
	}
}

// refused delays the next challenge, longer with each refusal in a row.
func (f *finder) refused(b *Bridge, n int, wait time.Duration) {
	s := &b.settings.Challenge
	f.pause = min(max(2*f.pause, s.Pause), max(s.MaxPause, s.Pause))
	f.after = time.Now().Add(max(f.pause, wait))
	f.turn++
	f.retry(n)
	f.signal()
}

// started notes that the game of a number runs.
func (f *finder) started(n int, id string) {
	delete(f.pending, n)
	f.playing[id] = n
	f.pause = 0
}

// finished notes the end of a game, if it is of the series.
func (f *finder) finished(series string, g *wire.Game) {
	n, ok := f.playing[g.Game]
	if !ok {
		n, ok = numberOf(series, g.Tag)
	}
	if ok {
		f.ended(n, g.Game)
	}
	f.signal()
}

// ended notes that the game of a number has ended.
func (f *finder) ended(n int, id string) {
	delete(f.playing, id)
	f.done[n] = true
}

// tag returns the tag of a game of a series.
func tag(series string, n int) string {
	if series == "" {
		return ""
	}
	return series + "-" + strconv.Itoa(n)
}

// numberOf returns the number of a tag of a series.
func numberOf(series, text string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(text, series+"-")
	if !ok || series == "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0
}

// find makes challenges until the context ends.
func (b *Bridge) find(ctx context.Context) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-b.finder.wake:
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		b.mu.Lock()
		b.expire()
		for b.propose() {
		}
		if s := &b.settings.Challenge; s.Enabled && s.Games > 0 && len(b.finder.done) >= int(s.Games) {
			b.draining = true
			b.checkDrained()
		}
		b.mu.Unlock()
	}
}

// expire cancels the proposals that were not answered in time.
func (b *Bridge) expire() {
	for n, p := range b.finder.pending {
		if p.challenge != "" && time.Now().After(p.expires) {
			b.spawn(&wire.Cancel{Challenge: p.challenge}, nil)
			b.finder.refused(b, n, 0)
		}
	}
}

// propose makes one challenge if there is a slot for its game, and reports whether
// it did. The caller holds the lock.
func (b *Bridge) propose() bool {
	f, s := &b.finder, &b.settings.Challenge
	if !s.Enabled || !b.connected || b.draining || time.Now().Before(f.after) ||
		b.slots() >= int(b.settings.Accept.Games) || len(f.pending)+len(f.playing) >= int(s.AtOnce) {
		return false
	}
	n, ok := b.nextNumber()
	if !ok {
		return false
	}
	m := &wire.Challenge{
		Rules: b.settings.Engine.Rules, Rated: s.Rated, Seat: s.Seat, Tag: tag(s.Tag, n),
		Clock: wire.Clock{
			Main: s.Main.Milliseconds(), Increment: s.Increment.Milliseconds(), PerMove: s.PerMove.Milliseconds(),
		},
	}
	if s.Options != "" {
		m.Options = json.RawMessage(s.Options)
	}
	if len(s.Opponents) > 0 {
		m.To = s.Opponents[f.turn%len(s.Opponents)]
		f.turn++
	}
	p := &proposal{to: m.To, expires: time.Now().Add(s.Expire)}
	f.pending[n] = p
	b.spawn(m, func(answer wire.Message, err error) { b.proposed(n, p, answer, err) })
	return true
}

// nextNumber returns the number of the next game, false if there is none.
func (b *Bridge) nextNumber() (int, bool) {
	f := &b.finder
	if len(f.retries) > 0 {
		n := f.retries[0]
		f.retries = f.retries[1:]
		return n, true
	}
	// Resumed games of the series have numbers too.
	for id, g := range b.games {
		if n, ok := numberOf(b.settings.Challenge.Tag, g.tag); ok && g.opponent != "" {
			f.playing[id] = n
		}
	}
	for f.done[f.next] || slices.Contains(slices.Collect(maps.Values(f.playing)), f.next) {
		f.next++
	}
	if limit := b.settings.Challenge.Games; limit > 0 && f.next >= int(limit) {
		return 0, false
	}
	f.next++
	return f.next - 1, true
}

// proposed handles the answer to a challenge.
func (b *Bridge) proposed(n int, p *proposal, answer wire.Message, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.forgetOver()
	f := &b.finder
	if f.pending[n] != p {
		return // canceled since, or closed before the answer came
	}
	switch e := refusalOf(err); {
	case err == nil:
		p.challenge = ackOf(answer).Challenge
		if id := ackOf(answer).Game; id != "" { // a bot of the server
			f.started(n, id)
			if b.over[id] {
				f.ended(n, id)
			}
			b.expect(id, p.to)
		}
	case e == nil: // the connection was lost
		f.retry(n)
	case e.Code == wire.Duplicate && e.Game != "":
		delete(f.pending, n)
		if b.games[e.Game] != nil || b.expected[e.Game] != "" {
			f.playing[e.Game] = n
		} else {
			f.done[n] = true
		}
		f.signal()
	case e.Code == wire.Illegal, e.Code == wire.BadMessage, e.Code == wire.NotFound && p.to == "":
		// It will be refused for ever: the bot ends when its games have.
		b.failed = fmt.Errorf("the server refuses the challenges of the settings: %w", e)
		b.draining = true
		f.retry(n)
		b.checkDrained()
	case e.Code == wire.NotFound && !b.loggedErrors[e.Error()]: // the player may come yet
		b.loggedErrors[e.Error()] = true
		b.Log.Error("challenge refused", "error", e, "to", p.to)
		f.refused(b, n, 0)
	default:
		b.Log.Info("challenge refused", "error", e, "to", p.to)
		f.refused(b, n, time.Duration(e.Retry)*time.Millisecond)
	}
}

// closed handles the end of a challenge.
func (b *Bridge) closed(m *wire.Closed) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := &b.finder
	for n, p := range f.pending {
		own, ok := numberOf(b.settings.Challenge.Tag, m.Tag)
		if p.challenge != m.Challenge && !(p.challenge == "" && ok && own == n) {
			continue
		}
		if m.Why == "accepted" {
			f.started(n, m.Game)
			b.expect(m.Game, m.By)
			return
		}
		b.Log.Info("no game", "to", p.to, "why", m.Why, "reason", m.Reason, "text", m.Text)
		f.refused(b, n, 0)
		return
	}
}
