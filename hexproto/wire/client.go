package wire

import "encoding/json"

// FromClient is what clients send.
var FromClient = direction(Hello{}, Ping{}, EnterLobby{}, Challenge{}, Accept{}, Decline{}, Cancel{}, Watch{}, Unwatch{},
	Play{}, Resign{}, Abort{}, Offer{}, Chat{}, Analyse{}, Analysis{})

// Hello is a client's first message. With a token it is the account's; without
// one, and where the server lets anybody in, Name becomes an account, whose token
// comes with the answer.
type Hello struct {
	Version int    `json:"version"`
	Token   string `json:"token,omitempty"`
	Name    string `json:"name,omitempty"`
	Bot     bool   `json:"bot,omitempty"`   // of a new account: a program plays
	Agent   string `json:"agent,omitempty"` // the program and its version
	Views   bool   `json:"views,omitempty"` // wants the pictures of games
}

// Ping asks for a Pong. At is given back as it is.
type Ping struct {
	At int64 `json:"at"`
}

// EnterLobby asks for the lobby now and whenever it changes, or for no more.
type EnterLobby struct {
	On bool `json:"on"`
}

// Challenge proposes a game to one player or to all.
type Challenge struct {
	Rules   string          `json:"rules"`
	Options json.RawMessage `json:"options,omitempty"`
	Clock   Clock           `json:"clock"`
	Rated   bool            `json:"rated,omitempty"`
	Seat    string          `json:"seat,omitempty"` // the challenger's: "first", "second", else by chance
	To      string          `json:"to,omitempty"`   // a player or a bot of the server, "" for all
	Only    *Only           `json:"only,omitempty"`

	// Tag is the challenger's own name for the game. A second challenge with a
	// tag of a game that was started is refused with the game's id, so that a
	// challenge whose answer was lost can be sent again.
	Tag string `json:"tag,omitempty"`
}

// Only says who may accept an open challenge.
type Only struct {
	Bots      bool `json:"bots,omitempty"`
	Humans    bool `json:"humans,omitempty"`
	MinRating int  `json:"min_rating,omitempty"`
	MaxRating int  `json:"max_rating,omitempty"`
}

// Accept accepts a challenge; the game starts.
type Accept struct {
	Challenge string `json:"challenge"`
}

// Decline refuses a challenge. Reason is one of Reasons; Text is for people.
type Decline struct {
	Challenge string `json:"challenge"`
	Reason    string `json:"reason"`
	Text      string `json:"text,omitempty"`
}

// Reasons are why a challenge can be declined.
var Reasons = []string{"later", "busy", "too_fast", "too_slow", "rules", "options", "rated", "casual", "no_bots", "only_bots", "rating", "blocked", "generic"}

// Cancel takes a challenge back.
type Cancel struct {
	Challenge string `json:"challenge"`
}

// Watch asks for a game's state, and for what follows. Players are sent their
// games unasked, and ask when they missed something.
type Watch struct {
	Game string `json:"game"`
}

// Unwatch ends that.
type Unwatch struct {
	Game string `json:"game"`
}

// Play makes a move in a turn; in any other turn it is refused. A move that was
// made already is acknowledged again.
type Play struct {
	Game string `json:"game"`
	Turn int    `json:"turn"`
	Move string `json:"move"`
}

// Resign gives a game up.
type Resign struct {
	Game string `json:"game"`
}

// Abort ends a game that counts for nobody, before its second turn.
type Abort struct {
	Game string `json:"game"`
}

// Offer makes an offer, accepts the other's where there is one, or refuses it.
type Offer struct {
	Game  string `json:"game"`
	Offer string `json:"offer"` // OfferDraw or OfferTakeback
	No    bool   `json:"no,omitempty"`
}

// Chat says something, in a game or in the lobby.
type Chat struct {
	Game string `json:"game,omitempty"` // "" for the lobby
	Text string `json:"text"`
}

// Analyse asks the server to rate the moves of a position of a game.
type Analyse struct {
	Game string `json:"game"`
	Turn int    `json:"turn"` // before which move
}
