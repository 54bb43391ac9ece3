package abstractplay

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"gamebots/bots/sites"
	"gamebots/configs"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
)

// Site makes moves at Abstract Play. Several goroutines may use it at once.
type Site struct {
	sites.OAuth
	settings configs.AbstractPlaySite
}

// NewSite returns the site as settings describe it, with the bot's secret and the User-Agent of its requests.
func NewSite(s configs.AbstractPlaySite, secret sites.Key, agent string) *Site {
	return &Site{settings: s, OAuth: sites.OAuth{
		TokenURL: s.TokenURL, Scope: s.Scope, ID: s.ClientID, Secret: secret, URL: s.QueryURL,
		Client: func(address string, key sites.Key) *sites.Client { // answers have the whole history, with all boards
			return &sites.Client{URL: address, Key: key, Agent: agent, Timeout: 30 * time.Second, MaxAnswer: 32 << 20}
		},
	}}
}

// refusedMoveError is the error of a move that the site has read and does not take.
type refusedMoveError struct{ Reason string }

func (e *refusedMoveError) Error() string {
	return fmt.Sprintf("the site refuses the move: %.200q", e.Reason)
}

// Move makes a move, or resigns by the move "resign".
func (s *Site) Move(ctx context.Context, gameID, move string) error {
	// The gateway answers 200 with what the function behind it has returned, even if that has failed. By the site's
	// documents the answer is the game itself, which has none of these keys.
	var answer struct {
		StatusCode   int    `json:"statusCode"`
		Body         string `json:"body"`
		ErrorMessage string `json:"errorMessage"`
	}
	err := s.Post(ctx, "",
		map[string]string{"verb": "move", "gameid": gameID, "metaGame": metaGame, "move": move}, &answer)
	refusal, ok := errors.AsType[*sites.RefusedError](err)
	switch {
	case ok && refusal.Status/100 == 4 && !errors.As(err, new(*sites.NoTokenError)) &&
		refusal.Status != http.StatusUnauthorized && refusal.Status != http.StatusTooManyRequests:
		return &refusedMoveError{refusal.Error()}
	case err != nil:
		return err
	case answer.ErrorMessage != "" || answer.StatusCode != 0 && answer.StatusCode != http.StatusOK:
		return &refusedMoveError{answer.ErrorMessage + answer.Body}
	}
	return nil
}

// PublicKey returns the key in the file of the settings. If there is none it is fetched from the site, once, and kept
// there: who can change later what the site is seen to publish changes nothing.
func (s *Site) PublicKey(ctx context.Context) (key ed25519.PublicKey, fetched bool, err error) {
	from := s.settings.KeyFile
	text, err := configs.ReadFileAtMost(from, 1<<12)
	if fetched = errors.Is(err, fs.ErrNotExist); fetched {
		from = s.settings.KeyURL
		err = s.Client(from, sites.Key{}).Get(ctx, "", &text)
	}
	if err == nil {
		key, err = sites.ParsePublicKey(string(text))
	}
	if err == nil && fetched {
		err = atomicfile.Write(s.settings.KeyFile, text)
	}
	if err != nil {
		err = usererr.WithHint(fmt.Errorf("the site's public key, %s: %w", from, err),
			"put it into the file that site.key_file names, in a format of SSH")
	}
	return key, fetched, err
}
