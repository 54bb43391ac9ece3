package sites

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Client asks a site over HTTP. It may be used by several goroutines at once.
type Client struct {
	URL       string        // address of the site, to which the paths of requests are added
	Agent     string        // User-Agent of the requests
	Key       Key           // sent in KeyHeader, and to no address that others on the way could read
	KeyHeader string        // "" sends no key; "Authorization" sends it as a bearer token
	Timeout   time.Duration // for an answer, 0 for a minute
	// Attempts is how often a request is tried that the site did not answer, 0 for 4.
	Attempts int
	// Busy are the statuses by which the site says that it did nothing and may be asked again; nil is 429 and 503.
	Busy []int
	// OnWait, if not nil, is called before a request is repeated.
	OnWait    func(err error, wait time.Duration)
	MaxAnswer int64             // bytes, 0 for a MiB
	Transport http.RoundTripper // nil is http.DefaultTransport

	mu   sync.Mutex
	next time.Time // no request starts before
}

// maxAnswer is the usual MaxAnswer.
const maxAnswer = 1 << 20

// lastMoment is how long a request in flight may still take when its context has ended.
const lastMoment = 400 * time.Millisecond

// RefusedError is the error of a request that the site does not fulfil.
type RefusedError struct {
	Status int    // HTTP status, or 0 if the refusal is in the answer of a request that succeeded
	Msg    string // the site's, "" for none
}

func (e *RefusedError) Error() string {
	if e.Msg == "" {
		return fmt.Sprintf("the server answers with HTTP status %d %s", e.Status, http.StatusText(e.Status))
	}
	if e.Status == 0 {
		return fmt.Sprintf("the server refuses: %.200q", e.Msg)
	}
	return fmt.Sprintf("the server refuses: %.200q (HTTP status %d)", e.Msg, e.Status)
}

// Refused reports whether an error is a refusal with a status.
func Refused(err error, status int) bool {
	refused := (*RefusedError)(nil)
	return errors.As(err, &refused) && refused.Status == status
}

// AnswerError is the error of an answer that cannot be right.
type AnswerError struct{ Msg string }

func (e *AnswerError) Error() string { return "the server's answer cannot be right: " + e.Msg }

// Wrong returns an [AnswerError].
func Wrong(format string, args ...any) error { return &AnswerError{fmt.Sprintf(format, args...)} }

// errPlainKey is the error of a key that everybody on the way could read.
var errPlainKey = errors.New("a key is sent over https only, or over http to this machine")

// Unsettled reports whether the site may have done what a request asked it to do, though the request failed: the
// connection broke, a gateway or the site failed (5xx), or the answer could not be read.
func Unsettled(err error) bool {
	if refused := (*RefusedError)(nil); errors.As(err, &refused) {
		return refused.Status >= 500
	}
	return err != nil && !errors.Is(err, errPlainKey) && !errors.Is(err, errNotAsked)
}

// errNotAsked is the error of a request that was not made.
var errNotAsked = errors.New("not asked")

// Get asks for something and decodes the answer, unless that is *[]byte. It asks again after every failure that may
// pass.
func (c *Client) Get(ctx context.Context, path string, answer any) error {
	return c.repeat(ctx, http.MethodGet, path, content{}, answer, func(err error) bool {
		return Unsettled(err) || Refused(err, http.StatusConflict) || Refused(err, http.StatusTooManyRequests)
	})
}

// Post asks the site to do something and decodes the answer. It asks again only if the site is busy and did nothing.
// A request of [url.Values] is sent as a form, any other as JSON.
func (c *Client) Post(ctx context.Context, path string, request, answer any) error {
	body := content{kind: "application/json"}
	if form, ok := request.(url.Values); ok {
		body = content{"application/x-www-form-urlencoded", []byte(form.Encode())}
	} else {
		var err error
		if body.text, err = json.Marshal(request); err != nil {
			return err
		}
	}
	return c.repeat(ctx, http.MethodPost, path, body, answer, func(error) bool { return false })
}

// content is the body of a request.
type content struct {
	kind string // its Content-Type, "" for none
	text []byte
}

// repeat makes a request until it succeeds, or an error is neither the site's being busy nor one to repeat after.
func (c *Client) repeat(
	ctx context.Context, method, path string, body content, answer any, again func(error) bool,
) error {
	for attempt := 1; ; attempt++ {
		if err := c.turn(ctx); err != nil {
			return fmt.Errorf("%w: %w", errNotAsked, err)
		}
		wait, err := c.once(ctx, method, path, body, answer)
		if err == nil || attempt == cmp.Or(c.Attempts, 4) || !c.busy(err) && !again(err) {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if wait > 0 {
			c.rest(wait)
		} else {
			wait = Backoff(2*time.Second, attempt)
		}
		if err := c.Pause(ctx, err, wait); err != nil {
			return err
		}
	}
}

// Pause waits after an error and before the site is asked again, and tells OnWait.
func (c *Client) Pause(ctx context.Context, err error, wait time.Duration) error {
	if c.OnWait != nil && ctx.Err() == nil {
		c.OnWait(err, wait)
	}
	return Wait(ctx, wait)
}

// busy reports whether the site did nothing and may be asked again.
func (c *Client) busy(err error) bool {
	busy := c.Busy
	if busy == nil {
		busy = []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}
	}
	return slices.ContainsFunc(busy, func(status int) bool { return Refused(err, status) })
}

// turn waits until a request may start.
func (c *Client) turn(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	c.mu.Lock()
	wait := time.Until(c.next)
	c.mu.Unlock()
	return Wait(ctx, wait)
}

// rest lets no request start for some time.
func (c *Client) rest(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if until := time.Now().Add(d); until.After(c.next) {
		c.next = until
	}
}

// once makes one request. wait is how long a busy site asks to be left alone, 0 if it does not say.
func (c *Client) once(
	ctx context.Context, method, path string, body content, answer any,
) (wait time.Duration, err error) {
	ctx, cancel := lingering(ctx, cmp.Or(c.Timeout, time.Minute))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path,
		bytes.NewReader(body.text))
	if err != nil {
		return 0, err
	}
	request.Header.Set("User-Agent", c.Agent)
	request.Header.Set("Accept", "application/json")
	if body.kind != "" {
		request.Header.Set("Content-Type", body.kind)
	}
	if c.Key != (Key{}) && !private(request.URL) {
		return 0, errPlainKey
	}
	if c.KeyHeader != "" {
		c.Key.set(request.Header, c.KeyHeader)
	}
	client := http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // nothing is done at another place, and no key goes there
	}}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	most := cmp.Or(c.MaxAnswer, maxAnswer)
	text, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case response.StatusCode/100 != 2:
		return retryAfter(response.Header), &RefusedError{response.StatusCode, c.Key.hide(message(text))}
	case err != nil:
		return 0, err
	case int64(len(text)) > most:
		return 0, Wrong("it has more than %d bytes", most)
	}
	if plain, ok := answer.(*[]byte); ok {
		*plain = text
		return 0, nil
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return 0, Wrong("it is no JSON object of this interface: %s", c.Key.hide(err.Error()))
	}
	return 0, nil
}

// private reports whether nobody on the way can read what is sent to an address.
func private(address *url.URL) bool {
	host := address.Hostname()
	return address.Scheme == "https" || host == "localhost" || net.ParseIP(host).IsLoopback()
}

// message returns the reason that a refusal gives in one of the usual keys, or "".
func message(text []byte) string {
	var answer map[string]json.RawMessage
	_ = json.Unmarshal(text, &answer) // many refusals are pages of gateways
	for _, key := range []string{"error_msg", "detail", "message", "error"} {
		if raw, ok := answer[key]; ok {
			var reason string
			if json.Unmarshal(raw, &reason) != nil {
				reason = string(raw)
			}
			return reason
		}
	}
	return ""
}

// lingering returns a context that ends after a time, or a moment after its parent.
func lingering(parent context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(parent), timeout)
	stop := context.AfterFunc(parent, func() {
		if Wait(ctx, lastMoment) == nil {
			cancel()
		}
	})
	return ctx, func() {
		stop()
		cancel()
	}
}
