package sites

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// OAuth asks a site with tokens that it gets for an id and a secret, and that expire ("client credentials", section 4.4
// of RFC 6749). Several goroutines may use it at once.
type OAuth struct {
	TokenURL, Scope string
	ID              string
	Secret          Key
	Client          func(url string, key Key) *Client // makes the clients
	URL             string                            // where a token is wanted

	mu      sync.Mutex
	client  *Client // with a token; nil without one
	expires time.Time
}

// NoTokenError is the error of a request for a token.
type NoTokenError struct{ error }

func (e *NoTokenError) Error() string { return "no token: " + e.error.Error() }

// Unwrap returns the cause.
func (e *NoTokenError) Unwrap() error { return e.error }

// Post is [Client.Post] with a token. If that is refused, it is renewed once.
func (o *OAuth) Post(ctx context.Context, path string, request, answer any) error {
	client, err := o.authorized(ctx, nil)
	if err != nil {
		return err
	}
	if err = client.Post(ctx, path, request, answer); !Refused(err, http.StatusUnauthorized) {
		return err
	}
	if client, err = o.authorized(ctx, client); err != nil {
		return err
	}
	return client.Post(ctx, path, request, answer)
}

// Check returns why the site gives no token, unless that may pass.
func (o *OAuth) Check(ctx context.Context) error {
	if _, err := o.authorized(ctx, nil); !Unsettled(err) {
		return err
	}
	return nil
}

// authorized returns a client with a token that is valid for a minute at least, and is not that of a refused client.
func (o *OAuth) authorized(ctx context.Context, refused *Client) (*Client, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.client != nil && o.client != refused && time.Now().Before(o.expires) {
		return o.client, nil
	}
	var answer struct {
		Token   string  `json:"access_token"`
		Expires float64 `json:"expires_in"` // seconds
	}
	err := o.Client(o.TokenURL, o.Secret).Post(ctx, "", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {o.ID}, "client_secret": {o.Secret.reveal()},
		"scope": {o.Scope},
	}, &answer)
	if err != nil {
		return nil, &NoTokenError{err}
	}
	token, err := NewKey(answer.Token)
	if err != nil {
		return nil, &NoTokenError{Wrong("access_token: %v", err)}
	}
	o.client = o.Client(o.URL, token)
	o.client.KeyHeader = "Authorization"
	o.expires = time.Now().Add(time.Duration(min(max(answer.Expires, 120), 86400)-60) * time.Second)
	return o.client, nil
}
