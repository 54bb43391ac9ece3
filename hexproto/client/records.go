package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"gamebots/hexproto/wire"
)

// recordsPage is how many games a server is asked for at a time, and maxRecords more bytes
// than their list has.
const (
	recordsPage = 1000
	maxRecords  = 16 << 20
)

// Records yields the finished games of a player, newest first, as the server lists them at
// /records/. It ends with the first error.
func (c *Client) Records(ctx context.Context, player string) iter.Seq2[*wire.Brief, error] {
	return func(yield func(*wire.Brief, error) bool) {
		before := ""
		for {
			games, err := c.records(ctx, player, before)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range games {
				if !yield(&games[i], nil) {
					return
				}
				before = games[i].Game
			}
			if len(games) < recordsPage {
				return
			}
		}
	}
}

// records returns a page of a player's games: those before a game, or the last.
func (c *Client) records(ctx context.Context, player, before string) ([]wire.Brief, error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, err
	}
	u.Scheme = strings.Replace(u.Scheme, "ws", "http", 1)
	u.Path = strings.TrimSuffix(u.Path, "/ws") + "/records/"
	q := url.Values{"player": {player}, "limit": {fmt.Sprint(recordsPage)}}
	if before != "" {
		q.Set("before", before)
	}
	u.RawQuery = q.Encode()
	ctx, cancel := context.WithTimeout(ctx, defaultTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.Hello.Token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", u.Redacted(), answer.Status)
	}
	var games []wire.Brief
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxRecords)).Decode(&games); err != nil {
		return nil, fmt.Errorf("%s: %w", u.Redacted(), err)
	}
	return games, nil
}
