package slumbot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/bots/sites"
)

// Name is Slumbot's name in the hands of a match.
const Name = "Slumbot"

// Match plays hands against Slumbot.
type Match struct {
	Client *sites.Client
	Game   *acpc.Game // heads-up no-limit hold'em, see the package comment
	Player acpc.Player
	Name   string // the player's
	Hands  int
	Log    sites.Log // gets the finished hands
	// OnHand, if not nil, is called with every finished hand and the player's position in it.
	OnHand func(h *history.Hand, position int)
	// OnFailure, if not nil, is called with the error of a hand that could not be played to
	// its end, and whether its cards had been dealt.
	OnFailure func(err error, dealt bool)

	sites.Winnings
	session session
}

// A match ends after so many failures in a row. After each it waits, twice as long as after
// the one before.
const (
	maxFailures  = 5
	firstFailure = 2 * time.Second
)

// Play plays the match. A hand whose request or answer fails is lost, for it is not known
// whether the server took the action: another session begins. A hand that was finished when
// the context ended counts.
func (m *Match) Play(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, m.Log.Close()) }()
	m.session.client = m.Client
	for failures := 0; m.Won.N < m.Hands; {
		h, err := m.hand(ctx, uint32(m.Won.N))
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.As(err, new(*sites.PlayerError)) {
			return err
		}
		if err != nil {
			if h != nil {
				m.Lost++
			}
			if m.OnFailure != nil {
				m.OnFailure(err, h != nil)
			}
			if sites.Refused(err, http.StatusUnauthorized) || sites.Refused(err, http.StatusForbidden) {
				return err // waiting does not help
			}
			if failures++; failures == maxFailures {
				return fmt.Errorf("%d failures in a row, the last: %w", failures, err)
			}
			m.session.token = ""
			if err := sites.Wait(ctx, sites.Backoff(firstFailure, failures)); err != nil {
				return err
			}
			continue
		}
		failures = 0
		record := h.Record(m.Name, Name)
		m.Count(record, h.Position)
		if m.OnHand != nil {
			m.OnHand(record, h.Position)
		}
		if err := m.Log.Add(record); err != nil {
			return err
		}
	}
	return nil
}

// hand plays one hand. After an error it returns the hand as far as it was dealt, or nil.
func (m *Match) hand(ctx context.Context, id uint32) (*sites.Hand, error) {
	a, err := m.session.ask(ctx, "/api/new_hand", map[string]string{})
	if err != nil {
		return nil, err
	}
	h, err := readHand(m.Game, id, a)
	for err == nil && !h.Finished() {
		var text string
		if text, err = h.Decide(ctx, m.Player); err != nil {
			break
		}
		if a, err = m.session.ask(ctx, "/api/act", map[string]string{"incr": text}); err != nil {
			break
		}
		var next *sites.Hand
		if next, err = readHand(m.Game, id, a); err != nil {
			break
		}
		if err = next.Follows(h, text); err == nil {
			h = next
		}
	}
	return h, err
}
