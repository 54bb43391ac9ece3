package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"gamebots/hexproto/wire"
)

// maxSummary is more bytes than a summary has.
const maxSummary = 4 << 10

// Summary counts the finished games of a player in a series, as the server has them at
// /records/summary.
func (c *Client) Summary(ctx context.Context, player, series string) (s wire.Summary, err error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return s, err
	}
	u.Scheme = strings.Replace(u.Scheme, "ws", "http", 1)
	u.Path = strings.TrimSuffix(u.Path, "/ws") + "/records/summary"
	u.RawQuery = url.Values{"player": {player}, "series": {series}}.Encode()
	ctx, cancel := context.WithTimeout(ctx, defaultTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return s, err
	}
	request.Header.Set("Authorization", "Bearer "+c.Hello.Token)
	web := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := web.Do(request) // the token goes to no other address
	if err != nil {
		return s, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return s, fmt.Errorf("%s: %s", u.Redacted(), answer.Status)
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxSummary)).Decode(&s); err != nil {
		return s, fmt.Errorf("%s: %w", u.Redacted(), err)
	}
	return s, nil
}
