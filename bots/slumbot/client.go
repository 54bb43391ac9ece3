package slumbot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Site is where Slumbot plays.
const Site = "https://slumbot.com"

// Client asks the server. It has one session at a time and is used by one goroutine at a time.
type Client struct {
	Site      string // its address, as in [Site]
	Agent     string // the User-Agent of the requests
	Timeout   time.Duration
	Transport http.RoundTripper // nil is http.DefaultTransport

	token string // token of the session, "" for none
}

// maxAnswer is more bytes than any answer takes.
const maxAnswer = 1 << 16

// A busy server is asked again, after the time that it asks for and at most maxPause.
const (
	attempts = 4
	pause    = 2 * time.Second
	maxPause = time.Minute
)

// answer is the hand as the server describes it. Pointers are nil where it does not say.
type answer struct {
	Token        string   `json:"token"`
	Action       string   `json:"action"`
	Position     *int     `json:"client_pos"`
	Hole         []string `json:"hole_cards"`
	Board        []string `json:"board"`
	Winnings     *float64 `json:"winnings"`
	OpponentHole []string `json:"bot_hole_cards"`
	Error        string   `json:"error_msg"`
}

// RefusedError is the error of a request that the server refuses.
type RefusedError struct {
	Status int    // HTTP status
	Msg    string // the server's, "" for none
}

func (e *RefusedError) Error() string {
	if e.Msg == "" {
		return fmt.Sprintf("the server answers with HTTP status %d %s", e.Status, http.StatusText(e.Status))
	}
	return fmt.Sprintf("the server refuses: %.200q", e.Msg)
}

// newHand begins a hand.
func (c *Client) newHand(ctx context.Context) (*answer, error) {
	return c.ask(ctx, "new_hand", map[string]string{})
}

// act takes an action in the server's notation.
func (c *Client) act(ctx context.Context, action string) (*answer, error) {
	return c.ask(ctx, "act", map[string]string{"incr": action})
}

// forget ends the session: the next hand begins another one.
func (c *Client) forget() { c.token = "" }

// ask makes a request of the session, again if the server is busy.
func (c *Client) ask(ctx context.Context, call string, request map[string]string) (*answer, error) {
	if c.token != "" {
		request["token"] = c.token
	}
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		a, busy, err := c.post(ctx, call, body)
		if busy == 0 || attempt == attempts {
			if err == nil && a.Token != "" {
				c.token = a.Token
			}
			return a, err
		}
		if err := wait(ctx, busy); err != nil {
			return nil, err
		}
	}
}

// post makes one request. If the server did nothing because it is busy, the error has a time
// after which to ask again.
func (c *Client) post(ctx context.Context, call string, body []byte) (a *answer, busy time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost,
		strings.TrimSuffix(c.Site, "/")+"/api/"+call, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", c.Agent)
	client := http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // a hand is not begun at another place
	}}
	response, err := client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return nil, 0, err
	}
	a = new(answer)
	unread := json.Unmarshal(text, a)
	switch status := response.StatusCode; {
	case len(text) > maxAnswer:
		return nil, 0, &AnswerError{Msg: fmt.Sprintf("it has more than %d bytes", maxAnswer)}
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		return nil, retryAfter(response.Header), &RefusedError{status, a.Error}
	case status != http.StatusOK || a.Error != "":
		return nil, 0, &RefusedError{status, a.Error}
	case unread != nil:
		return nil, 0, &AnswerError{Msg: fmt.Sprintf("it is no JSON object of a hand: %v", unread)}
	}
	return a, 0, nil
}

// retryAfter returns how long a busy server asks to be left alone.
func retryAfter(h http.Header) time.Duration {
	if seconds, err := strconv.ParseUint(h.Get("Retry-After"), 10, 32); err == nil && seconds > 0 {
		return min(time.Duration(seconds)*time.Second, maxPause)
	}
	return pause
}

// wait waits unless the context ends.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
