package gtowizard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/bots/sites"
	"gamebots/internal/usererr"

	"golang.org/x/sync/errgroup"
)

// Match plays hands against GTO Wizard AI.
type Match struct {
	Client *sites.Client // see NewClient
	Game   *acpc.Game    // heads-up no-limit hold'em, see the package comment
	// Players play one hand at a time each, and as many at once as they are.
	Players []acpc.Player
	Name    string // the player's
	// Opponent is the name of the opponent in the log, "" for that of GTO Wizard AI.
	Opponent string
	Hands    int // wanted, with those that the log has already
	// Log gets the finished hands. Those of an earlier run count, and the match goes on after them.
	Log sites.Log
	// OnOpen, if not nil, is called with the number of hands that an earlier run left open, if that or the log has any.
	// They are finished first.
	OnOpen func(hands int)
	// OnHand, if not nil, is called with every finished hand and the player's position in it.
	OnHand func(h *history.Hand, position int)
	// OnFailure, if not nil, is called with what went wrong with a hand: it is left as it stands, or its result was
	// lost.
	OnFailure func(err error)

	sites.Winnings

	mu       sync.Mutex
	claimed  map[int64]bool // hands that somebody plays or has played
	open     []*answer      // hands to finish first
	running  int
	failures int // hands in a row that were not played to their end
	thinking sync.Mutex
}

// errUnread is the error of a hand that was over before its last answer could be read.
var errUnread = errors.New("the hand is over, and the answer with its result was lost")

// maxFailures is how many hands in a row end a match that could not be played to their end.
const maxFailures = 5

// Play plays the match. First it finishes the hands that an earlier run left open. It leaves a hand in which an answer
// cannot be right, or an action is refused, as it stands; a hand whose last answer was lost is [sites.Winnings.Lost].
// When the context ends, hands stay open for a later run. One that was finished counts.
func (m *Match) Play(ctx context.Context) (err error) {
	m.claimed, m.Opponent = map[int64]bool{}, cmp.Or(m.Opponent, Name)
	defer func() { err = errors.Join(err, m.Log.Close()) }()
	err = m.Log.Continue(m.Game, m.Name, m.Opponent, func(h *history.Hand, position int) {
		m.claimed[int64(h.HandID)] = true
		m.Count(h, position)
	})
	if err != nil {
		return err
	}
	for first := true; ; first = false {
		open, err := m.inProgress(ctx)
		if err != nil {
			return m.explained(err)
		}
		m.open = slices.DeleteFunc(open, func(a *answer) bool { return m.claimed[a.ID] })
		if first && len(m.open)+m.Won.N > 0 && m.OnOpen != nil {
			m.OnOpen(len(m.open))
		}
		// A hand that was begun without an answer is found here, too.
		if len(m.open) == 0 && m.Won.N >= m.Hands {
			return nil
		}
		group, ctx := errgroup.WithContext(ctx)
		for _, player := range m.Players {
			group.Go(func() error { return m.work(ctx, player) })
		}
		if err := group.Wait(); err != nil {
			return m.explained(err)
		}
	}
}

// explained adds what to do about an error.
func (m *Match) explained(err error) error {
	switch {
	case sites.Refused(err, 401), sites.Refused(err, 403):
		return usererr.WithHint(err, "is the key right? A new one may take a day until the site knows it")
	case sites.Refused(err, 409):
		return usererr.WithHint(err, "does another program play with this key?")
	case errors.As(err, new(*sites.PlayerError)), m.Opponent != Name: // a stand-in ends with its run
		return err
	}
	return usererr.WithHint(err, "the next run finishes the hands that are still open, and continues the file of --log")
}

// work plays hands one after the other until there are enough.
func (m *Match) work(ctx context.Context, player acpc.Player) error {
	for {
		a, err := m.next(ctx)
		if a == nil || err != nil {
			return err
		}
		h, a, err := m.hand(ctx, player, a)
		if err == nil {
			err = m.finished(h, a)
		} else {
			err = m.failed(ctx, err)
		}
		if err != nil {
			return err
		}
	}
}

// next returns a hand to play: one that was left open, or a new one; nil if there are enough.
func (m *Match) next(ctx context.Context) (*answer, error) {
	m.mu.Lock()
	var a *answer
	if len(m.open) > 0 {
		a, m.open = m.open[0], m.open[1:]
		m.claimed[a.ID] = true
	}
	begins := a == nil && m.Won.N+m.running < m.Hands
	if a != nil || begins {
		m.running++
	}
	m.mu.Unlock()
	if begins {
		return m.begin(ctx)
	}
	return a, nil
}

// claim reports whether nobody else plays a hand or has played it.
func (m *Match) claim(id int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	claimed := m.claimed[id]
	m.claimed[id] = true
	return !claimed
}

// hand plays a hand to its end.
func (m *Match) hand(ctx context.Context, player acpc.Player, a *answer) (*sites.Hand, *answer, error) {
	h, err := a.read(m.Game)
	if err != nil {
		a, h, err = m.find(ctx, a.ID)
	}
	for err == nil && !h.Finished() {
		var text string
		if text, err = m.decide(ctx, player, h); err == nil {
			text, err = a.allowed(text)
		}
		if err == nil {
			a, h, err = m.act(ctx, a, h, text)
		}
	}
	return h, a, err
}

// decide returns the player's action. One player at a time thinks, because it may use the whole machine.
func (m *Match) decide(ctx context.Context, player acpc.Player, h *sites.Hand) (string, error) {
	m.thinking.Lock()
	defer m.thinking.Unlock()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return h.Decide(ctx, player)
}

// failed counts a hand that was not played to its end, or returns an error that ends the match.
func (m *Match) failed(ctx context.Context, err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running--
	answer, refusal := (*sites.AnswerError)(nil), (*sites.RefusedError)(nil)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, errUnread):
		m.Lost++
	case !errors.As(err, &answer) && !(errors.As(err, &refusal) && refusal.Status < 500):
		return err
	}
	if m.failures++; m.failures == maxFailures {
		return fmt.Errorf("%d hands in a row cannot be played to their end, the last: %w", m.failures, err)
	}
	if m.OnFailure != nil {
		m.OnFailure(err)
	}
	return nil
}

// finished counts and logs a finished hand.
func (m *Match) finished(h *sites.Hand, a *answer) error {
	record := h.Record(m.Name, m.Opponent)
	if a.State.Score != nil {
		record.Before = append(record.Before, sites.SiteScore(*a.State.Score))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running--
	m.failures = 0
	m.Count(record, h.Position)
	if m.OnHand != nil {
		m.OnHand(record, h.Position)
	}
	return m.Log.Add(record)
}
