package slumbot

import (
	"context"

	"gamebots/bots/sites"
)

// Site is where Slumbot plays.
const Site = "https://slumbot.com"

// session is that of a client at the site. It is used by one goroutine at a time.
type session struct {
	client *sites.Client
	token  string // "" for none
}

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

// ask makes a request of the session, or of a new one.
func (s *session) ask(ctx context.Context, path string, request map[string]string) (*answer, error) {
	if s.token != "" {
		request["token"] = s.token
	}
	a := new(answer)
	if err := s.client.Post(ctx, path, request, a); err != nil {
		return nil, err
	}
	if a.Error != "" {
		return nil, &sites.RefusedError{Msg: a.Error}
	}
	if a.Token != "" {
		s.token = a.Token
	}
	return a, nil
}
