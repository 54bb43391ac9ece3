package configs

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// AbstractPlay has the settings of a bot at Abstract Play. The file abstractplay.toml explains
// them.
type AbstractPlay struct {
	Site    AbstractPlaySite    `toml:"site"`
	Webhook Webhook             `toml:"webhook"`
	Engine  Engine              `toml:"engine"`
	Think   Think               `toml:"think"`
	Accept  AbstractPlayAccept  `toml:"accept"`
	Conduct AbstractPlayConduct `toml:"conduct"`
	Log     Log                 `toml:"log"`
}

// AbstractPlaySite is the table [site]: the bot's account, and where the site is.
type AbstractPlaySite struct {
	ClientID   string `toml:"client_id"`
	SecretFile string `toml:"secret_file"` // "" for the environment
	TokenURL   string `toml:"token_url"`
	Scope      string `toml:"scope"`
	QueryURL   string `toml:"query_url"`
	KeyURL     string `toml:"key_url"`  // has the public key
	KeyFile    string `toml:"key_file"` // where it is kept
}

// Webhook is the table [webhook]: where the site's requests come in, and what is kept of them.
type Webhook struct {
	Listen string `toml:"listen"`
	State  string `toml:"state"` // a file
}

// Think is the table [think].
type Think struct {
	Most time.Duration `toml:"most"` // for a move
}

// AbstractPlayAccept is the table [accept]: the challenges that the bot accepts.
type AbstractPlayAccept struct {
	Enabled   bool          `toml:"enabled"`
	Games     uint64        `toml:"games"`      // at a time
	PerPlayer uint64        `toml:"per_player"` // at a time
	Sides     []uint64      `toml:"sides"`      // [] is all
	MinClock  time.Duration `toml:"min_clock"`  // at the start of a game
	MaxClock  time.Duration `toml:"max_clock"`  // most that a clock may ever have; 0 for no limit
	Allow     []string      `toml:"allow"`      // ids; if not empty, only these
	Block     []string      `toml:"block"`
}

// AbstractPlayConduct is the table [conduct].
type AbstractPlayConduct struct {
	ResignBelow float64 `toml:"resign_below"`
	ResignAfter uint64  `toml:"resign_after"` // moves in a row
}

// DefaultAbstractPlay returns the default settings.
func DefaultAbstractPlay() AbstractPlay {
	board := DefaultBoardBot()
	return AbstractPlay{
		Site: AbstractPlaySite{
			TokenURL: "https://botauth.abstractplay.com/oauth2/token",
			Scope:    "default-m2m-resource-server-zssvzy/communicate",
			QueryURL: "https://7n1lziet28.execute-api.us-east-1.amazonaws.com/prod/botQuery",
			KeyURL:   "https://play.abstractplay.com/ap-public-key.txt",
			KeyFile:  "abstractplay.key",
		},
		Webhook: Webhook{Listen: "127.0.0.1:8090", State: "abstractplay.json"},
		Engine:  board.Engine,
		Think:   Think{Most: 30 * time.Second},
		Accept: AbstractPlayAccept{
			Enabled: true, Games: 10, PerPlayer: 2, MinClock: time.Hour, MaxClock: 60 * 24 * time.Hour,
		},
		Conduct: AbstractPlayConduct{ResignAfter: board.Conduct.ResignAfter},
		Log:     board.Log,
	}
}

// abstractPlaySides are the sides of Havannah's boards at Abstract Play.
var abstractPlaySides = []uint64{4, 6, 8, 10}

// Sides returns the sides of the boards on which the bot plays.
func (s *AbstractPlay) Sides() []uint64 {
	if len(s.Accept.Sides) > 0 {
		return s.Accept.Sides
	}
	return abstractPlaySides
}

// Validate returns an [Error] if a value is invalid. It does not know the kinds of engines.
func (s *AbstractPlay) Validate() error {
	board := DefaultBoardBot()
	board.Engine, board.Log = s.Engine, s.Log
	board.Conduct.ResignBelow = s.Conduct.ResignBelow
	if err := board.Validate(); err != nil {
		return err
	}
	for _, f := range fieldsOf(s) {
		if !strings.HasSuffix(f.key, "_url") {
			continue
		}
		u, err := url.Parse(f.value.String())
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return &Error{Key: f.key, Msg: fmt.Sprintf("%q is not an address, as in https://example.org/path", f.value)}
		}
	}
	for _, side := range s.Accept.Sides {
		if !slices.Contains(abstractPlaySides, side) {
			return &Error{Key: "accept.sides", Msg: fmt.Sprintf("Abstract Play has no board of side %d, only of %v",
				side, abstractPlaySides)}
		}
	}
	switch {
	case s.Site.KeyFile == "":
		return &Error{Key: "site.key_file", Msg: "is needed, to know the site's requests from others"}
	case s.Webhook.State == "":
		return &Error{Key: "webhook.state", Msg: "is needed, so that a restarted bot goes on with its games"}
	case s.Engine.Rules != "havannah":
		return &Error{Key: "engine.rules", Msg: fmt.Sprintf("%q: this bot plays havannah only", s.Engine.Rules)}
	case s.Engine.Ponder:
		return &Error{Key: "engine.ponder", Msg: "is for play hex: here nobody says when an opponent begins to think"}
	case s.Think.Most == 0:
		return &Error{Key: "think.most", Msg: "is 0: the bot would not think"}
	case s.Accept.Games == 0 || s.Accept.Games > 500:
		return &Error{Key: "accept.games", Msg: fmt.Sprintf("%d is not from 1 to 500", s.Accept.Games)}
	case s.Accept.PerPlayer == 0:
		return &Error{Key: "accept.per_player", Msg: "is 0: the bot would never play"}
	}
	return nil
}
