package wire

import (
	"encoding/json"
	"errors"
)

// FromClient has the messages that clients send.
var FromClient = direction(Hello{}, Ping{}, EnterLobby{}, Challenge{}, ViewChallenge{}, Accept{}, Decline{}, Cancel{},
	Watch{}, Unwatch{}, Play{}, Resign{}, Abort{}, Offer{}, Here{}, Chat{}, Ignore{}, Analyse{}, Analysis{},
	Explore{}, Import{})

// Hello is a client's first message. A token names the account. Without a token an open
// server makes an account called Name, and the answer has its token.
type Hello struct {
	Version int    `json:"version"`
	Token   string `json:"token,omitempty"`
	Name    string `json:"name,omitempty"`
	Bot     bool   `json:"bot,omitempty"`   // for a new account: a program plays
	Agent   string `json:"agent,omitempty"` // the program and its version
	Views   bool   `json:"views,omitempty"` // send boards and views of games
}

// Ping asks for a Pong, which returns At.
type Ping struct {
	At int64 `json:"at"`
}

// EnterLobby asks for the Lobby now, and then for each change, or with On false for no more.
type EnterLobby struct {
	On bool `json:"on"`
	// Changes asks for changes as LobbyChanged. Without it each change is another Lobby, which comes
	// less often.
	Changes bool `json:"changes,omitempty"`
}

// Challenge proposes a game to one player, or to everyone.
type Challenge struct {
	Rules   string          `json:"rules"`
	Options json.RawMessage `json:"options,omitempty"`
	Clock   Clock           `json:"clock"`
	Rated   bool            `json:"rated,omitempty"`
	Seat    string          `json:"seat,omitempty"` // the challenger's: "first" or "second"; others are random
	To      string          `json:"to,omitempty"`   // a player or a bot of the server, "" for everyone
	Only    *Only           `json:"only,omitempty"`
	// Players is how many players a challenge to everyone is for, the challenger among
	// them: the game begins when the last of them accepts. 0 is two.
	Players int `json:"players,omitempty"`
	// Fill are the bots of the server that take the seats beyond those: one for each, or one for all.
	// It may be empty if To is such a bot, which then takes them all.
	Fill Names `json:"fill,omitempty"`
	// Private keeps a challenge to everyone out of the lobby. Whoever is given its id can
	// accept it, so the id can be sent as a link.
	Private bool `json:"private,omitempty"`

	// Tag is the challenger's own name for the game. A second challenge with the tag
	// of a game is refused with the game's id, so a challenge whose answer was lost
	// can be sent again.
	Tag string `json:"tag,omitempty"`
}

// Names are names of players. A single one is a text in JSON, several are a list.
type Names []string

func (n Names) MarshalJSON() ([]byte, error) {
	if len(n) == 1 {
		return json.Marshal(n[0])
	}
	return json.Marshal([]string(n))
}

func (n *Names) UnmarshalJSON(text []byte) error {
	if one := ""; json.Unmarshal(text, &one) == nil {
		*n = nil
		if one != "" {
			*n = Names{one}
		}
		return nil
	}
	if json.Unmarshal(text, (*[]string)(n)) != nil {
		return errors.New("bots are a name or a list of names")
	}
	return nil
}

// Only limits who may accept an open challenge.
type Only struct {
	Bots      bool `json:"bots,omitempty"`
	Humans    bool `json:"humans,omitempty"`
	MinRating int  `json:"min_rating,omitempty"`
	MaxRating int  `json:"max_rating,omitempty"`
}

// ViewChallenge asks for an open challenge by its id. The answer is Challenged.
type ViewChallenge struct {
	Challenge string `json:"challenge"`
}

// Accept accepts a challenge. The game starts unless the challenge is for more players.
type Accept struct {
	Challenge string `json:"challenge"`
}

// Decline refuses a challenge, with one of Reasons and a text for people.
type Decline struct {
	Challenge string `json:"challenge"`
	Reason    string `json:"reason"`
	Text      string `json:"text,omitempty"`
}

// Reasons are the reasons to decline a challenge.
var Reasons = []string{
	"later", "busy", "too_fast", "too_slow", "rules", "options", "rated", "casual", "no_bots", "only_bots", "rating",
	"blocked", "generic",
}

// Cancel withdraws a challenge, or the acceptance of one that waits for more players.
type Cancel struct {
	Challenge string `json:"challenge"`
}

// Watch asks for a game's state and its further messages. Players get those of their
// games without it, and send it to get a full state.
type Watch struct {
	Game string `json:"game"`
}

// Unwatch ends the messages of a watched game.
type Unwatch struct {
	Game string `json:"game"`
}

// Play makes a move in a turn. It is refused in any other turn, except that a move that
// was made already is acknowledged again.
type Play struct {
	Game string `json:"game"`
	Turn int    `json:"turn"`
	Move string `json:"move"`
	// Until is a time of the server after which it refuses the move, 0 for none: a client that
	// hears nothing until then may choose another move.
	Until int64 `json:"until,omitempty"`
}

// Resign resigns a game, or leaves one that the others go on with.
type Resign struct {
	Game string `json:"game"`
}

// Abort ends a game without a result, before all players have moved and before a hand of
// poker is over.
type Abort struct {
	Game string `json:"game"`
}

// Offer makes an offer, or accepts the opponent's; with No it refuses one.
type Offer struct {
	Game  string `json:"game"`
	Offer string `json:"offer"` // OfferDraw or OfferTakeback
	No    bool   `json:"no,omitempty"`
}

// Here says that the player is at a table of poker: back at it, if the player was away, and ready for a hand. After a
// hand the clocks of people stand until all of them are ready for the next one, or for a few seconds.
type Here struct {
	Game string `json:"game"`
	Hand int    `json:"hand"` // from 0, as in Poker.Hand
}

// Chat sends a line to a game or to the lobby.
type Chat struct {
	Game string `json:"game,omitempty"` // "" for the lobby
	Text string `json:"text"`
}

// Ignore keeps a player from the reader's chat, and on request from challenging the reader. The
// answer is Ignored.
type Ignore struct {
	Name string `json:"name"`
	How  string `json:"how"` // IgnoreChat, IgnoreAll, or "" to end it
}

// The ways to ignore a player.
const (
	IgnoreChat = "mute"  // show no lines of the player
	IgnoreAll  = "block" // nor be challenged by, or sit down with, the player
)

// Analyse asks the server to rate the moves of a position of a game.
type Analyse struct {
	Game string `json:"game"`
	Turn int    `json:"turn"` // the position before this turn
	// Line are moves that are played in that position, one after the other: a variation.
	Line []string `json:"line,omitempty"`
	By   string   `json:"by,omitempty"` // one of Rules.Methods; "" is the first
}

// Import asks for a game that was played elsewhere, as one that is over: to replay it, and to have it rated. The answer
// is Game.
type Import struct {
	Text string `json:"text"` // a record of the game, in a format of one of the server's rules
}

// Explore asks for a position of a game, or for one that a variation leads to. The answer is
// Position.
type Explore struct {
	Game string   `json:"game"`
	Turn int      `json:"turn"`           // the position before this turn
	Line []string `json:"line,omitempty"` // moves of the variation from there
}
