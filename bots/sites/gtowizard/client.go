package gtowizard

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"gamebots/bots/sites"
	"gamebots/internal/stats"
)

// Site is where the interface of GTO Wizard Benchmark is.
const Site = "https://researcher.gtowizard.com"

// KeyVariable is the variable of the environment in which the site's own client looks for a key, too.
const KeyVariable = "GTOW_API_KEY"

// MaxConcurrent is how many hands the site lets a key have open.
const MaxConcurrent = 20

// attempts is how often a request is tried until the match ends: for about seven minutes.
const attempts = 12

// query is that of requests for one game.
var query = "?" + url.Values{"game_name": {gameName}}.Encode()

// NewClient returns a client of a site with a key.
func NewClient(site, agent string, key sites.Key, timeout time.Duration) *sites.Client {
	return &sites.Client{
		URL: site, Agent: agent, Key: key, KeyHeader: "X-API-Key", Timeout: timeout, Attempts: attempts,
		Busy: []int{http.StatusTooManyRequests}, // a hand may have gone on before a 503
	}
}

// Results sums all hands of a key, in big blinds per 100 hands.
type Results struct {
	Bot   string  `json:"bot_name"`
	Hands int     `json:"total_hands"`
	Won   float64 `json:"bb_per_100"`
	Score float64 `json:"aivat_score_bb_per_100"`
	Error float64 `json:"aivat_std_bb_per_100"` // standard error of Score
}

// FetchResults returns the results of the client's key.
func FetchResults(ctx context.Context, c *sites.Client) (r Results, err error) {
	return r, c.Get(ctx, "/results"+query, &r)
}

// Without returns the results without hands whose winnings are known, in chips a hand.
func (r Results) Without(known stats.Sample) Results {
	others := Results{Hands: r.Hands - known.N}
	if others.Hands > 0 { // big blinds per 100 hands are chips a hand, as the big blind has 100 chips
		others.Won = (r.Won*float64(r.Hands) - known.Mean()*float64(known.N)) / float64(others.Hands)
	}
	return others
}

// inProgress returns the hands of the key that are not over.
func (m *Match) inProgress(ctx context.Context) (all []*answer, err error) {
	return all, m.Client.Get(ctx, "/hands/in-progress"+query, &all)
}

// begin begins a hand, or returns one that it has begun without an answer.
func (m *Match) begin(ctx context.Context) (*answer, error) {
	for failures := 1; ; failures++ {
		a := new(answer)
		err := m.Client.Post(ctx, "/hands", map[string]string{"game_name": gameName}, a)
		if err == nil {
			if a.ID > 0 && m.claim(a.ID) {
				return a, nil
			}
			// Another goroutine may have found the hand among those in progress.
			err = sites.Wrong("%d is no number of a new hand", a.ID)
		}
		if !sites.Unsettled(err) && !sites.Refused(err, http.StatusConflict) || failures == attempts {
			return nil, err
		}
		if err := m.Client.Pause(ctx, err, sites.Backoff(time.Second, failures)); err != nil {
			return nil, err
		}
		open, err := m.inProgress(ctx)
		if err != nil {
			return nil, err
		}
		for _, a := range open {
			if m.claim(a.ID) {
				return a, nil
			}
		}
	}
}

// act takes an action in a hand, once, and returns what it comes to.
func (m *Match) act(ctx context.Context, a *answer, h *sites.Hand, text string) (*answer, *sites.Hand, error) {
	request := action{Kind: text[:1], Amount: json.Number(text[1:])}
	for failures := 1; ; failures++ {
		next := new(answer)
		err := m.Client.Post(ctx, fmt.Sprintf("/hands/%d/act", a.ID), request, next)
		if err == nil {
			var after *sites.Hand
			if after, err = next.read(m.Game); err == nil {
				err = after.Follows(h, text)
			}
			if err == nil {
				return next, after, nil
			}
		}
		unknown := sites.Unsettled(err) || sites.Refused(err, http.StatusConflict) ||
			sites.Refused(err, http.StatusNotFound)
		if !unknown || failures == attempts {
			return nil, nil, err
		}
		if err := m.Client.Pause(ctx, err, sites.Backoff(time.Second, failures)); err != nil {
			return nil, nil, err
		}
		next, after, err := m.find(ctx, a.ID)
		if err != nil {
			return nil, nil, err
		}
		if len(after.Actions) > len(h.Actions) {
			return next, after, after.Follows(h, text)
		}
	}
}

// find returns how a hand stands that is not over, or errUnread.
func (m *Match) find(ctx context.Context, id int64) (*answer, *sites.Hand, error) {
	open, err := m.inProgress(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range open {
		if a.ID == id {
			h, err := a.read(m.Game)
			return a, h, err
		}
	}
	return nil, nil, errUnread
}
