package wire

import (
	"encoding/json"
	"fmt"
)

// FromServer is what servers send.
var FromServer = direction(Welcome{}, Pong{}, Ack{}, Error{}, Lobby{}, Challenged{}, Closed{}, Game{}, Moved{}, Offered{},
	Over{}, Said{}, Analysis{}, Presence{}, Restart{})

// Welcome answers Hello.
type Welcome struct {
	Version int      `json:"version"`
	Server  string   `json:"server"` // the program and its version
	You     Player   `json:"you"`
	Token   string   `json:"token,omitempty"` // of a new account, shown this once
	Now     int64    `json:"now"`             // the server's time, Unix milliseconds
	Games   []string `json:"games"`           // the account's running games, whose states follow
	Rules   []Rules  `json:"rules"`
	Limits  Limits   `json:"limits"`
}

// Rules are a game that the server knows.
type Rules struct {
	Name    string    `json:"name"`
	Title   string    `json:"title"`
	Seats   [2]string `json:"seats"`
	Options []Option  `json:"options"`
	Bots    []string  `json:"bots"` // of the server; challenge them by name
	Analyse bool      `json:"analyse,omitempty"`
}

// Option is a setting of a game, a key of a challenge's options.
type Option struct {
	Name    string          `json:"name"`
	Title   string          `json:"title"`
	Kind    string          `json:"kind"` // "int", "bool", "ints", "text" or "choice"
	Default json.RawMessage `json:"default"`
	Min     int             `json:"min,omitempty"` // of an int, or of each of ints
	Max     int             `json:"max,omitempty"`
	Choices []string        `json:"choices,omitempty"`
}

// Limits are the server's.
type Limits struct {
	Message    int   `json:"message"`    // bytes
	Rate       int   `json:"rate"`       // messages a second, in the long run
	Burst      int   `json:"burst"`      // messages at once
	Games      int   `json:"games"`      // that an account plays at a time
	Challenges int   `json:"challenges"` // that an account has open
	Idle       int64 `json:"idle"`       // a connection that is silent so long is closed
}

// Pong answers Ping.
type Pong struct {
	At  int64 `json:"at"`  // as it came
	Now int64 `json:"now"` // the server's time
}

// Ack says that the message with the same id was done, and is on disk where
// there is something to keep.
type Ack struct {
	Game      string `json:"game,omitempty"`      // the game that began
	Challenge string `json:"challenge,omitempty"` // the challenge that began
}

// Error says that the message with the same id was not done, or what is wrong
// with the connection.
type Error struct {
	Code  string `json:"code"`
	Text  string `json:"text"`            // for people
	Game  string `json:"game,omitempty"`  // which game it is about
	Retry int64  `json:"retry,omitempty"` // after so long it may be tried again
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Text) }

// The codes of errors.
const (
	BadMessage  = "bad_message"  // no message: broken JSON, a wrong field
	UnknownType = "unknown_type" // a type of message that the server does not know
	BadVersion  = "version"      // of the protocol
	BadToken    = "token"        // wrong, or needed
	BadName     = "name"         // taken, or not possible
	HelloFirst  = "hello"        // something came before Hello, or a second one
	NotFound    = "not_found"    // no such game, challenge, player or rules
	NotYours    = "not_yours"    // for players of the game, or the owner
	WrongTurn   = "turn"         // the move is for another turn, or it is not the sender's
	Illegal     = "illegal"      // the rules forbid it
	GameOver    = "over"         // the game has ended
	Refused     = "refused"      // not now, or not by this account
	Duplicate   = "duplicate"    // the tag has a game, which is named
	TooFast     = "rate"         // too many messages: wait for Retry
	TooMany     = "limit"        // of games, challenges or connections
	Internal    = "internal"     // the server's own fault
)

// Lobby is what there is to play and to watch. It always is the whole; a client
// forgets what it was told before.
type Lobby struct {
	Challenges []Challenged `json:"challenges"`
	Games      []Brief      `json:"games"`
	Players    []Player     `json:"players"` // who is connected
	Connected  int          `json:"connected"`
	Running    int          `json:"running"`
}

// Challenged is an open challenge, or one to the reader.
type Challenged struct {
	Challenge string          `json:"challenge"` // its id
	From      Player          `json:"from"`
	To        string          `json:"to,omitempty"`
	Rules     string          `json:"rules"`
	Options   json.RawMessage `json:"options"`
	Clock     Clock           `json:"clock"`
	Rated     bool            `json:"rated,omitempty"`
	Seat      string          `json:"seat,omitempty"` // the challenger's
	Only      *Only           `json:"only,omitempty"`
	Tag       string          `json:"tag,omitempty"`
}

// Closed says that a challenge is no more, to who made it and to whom it was
// made.
type Closed struct {
	Challenge string `json:"challenge"`
	Why       string `json:"why"` // "accepted", "declined", "cancelled" or "gone" with its maker
	By        string `json:"by,omitempty"`
	Reason    string `json:"reason,omitempty"` // of Reasons, if declined
	Text      string `json:"text,omitempty"`
	Game      string `json:"game,omitempty"` // if accepted
	Tag       string `json:"tag,omitempty"`
}

// Moved is a turn that was played. A client whose number of turns is not Turn
// has missed something and watches the game again.
type Moved struct {
	Game   string `json:"game"`
	Turn   int    `json:"turn"` // the turn that was played
	Moves  []Move `json:"moves"`
	Time   Time   `json:"time"`
	ToMove []int  `json:"to_move"` // in the next turn
	Swap   bool   `json:"swap"`
	View   *View  `json:"view,omitempty"`
}

// Offered is an offer that was made or refused; all offers end with a turn.
type Offered struct {
	Game  string `json:"game"`
	Seat  int    `json:"seat"` // whose words they are
	Offer string `json:"offer"`
	No    bool   `json:"no,omitempty"`
}

// Over is the end of a game.
type Over struct {
	Game    string `json:"game"`
	Result  Result `json:"result"`
	Ratings [2]int `json:"ratings"` // the players', after it
	Time    Time   `json:"time"`
}

// Said is a line of chat.
type Said struct {
	Game string `json:"game,omitempty"`
	Line
}

// Analysis rates the moves of a position. A server sends what it was asked for;
// a player's client may send its own, which spectators see.
type Analysis struct {
	Game  string  `json:"game"`
	Turn  int     `json:"turn"`
	By    string  `json:"by,omitempty"`
	Moves []Rated `json:"moves"` // the best first
}

// Rated is a move and what it is worth to who makes it.
type Rated struct {
	Move  string  `json:"move"`
	Value float64 `json:"value"`          // from 0, lost, to 1, won
	Work  int64   `json:"work,omitempty"` // games or nodes behind it
}

// Presence says who of a game's players is connected.
type Presence struct {
	Game     string  `json:"game"`
	Present  [2]bool `json:"present"`
	Watchers int     `json:"watchers"`
}

// Restart says that the server goes down and comes back; clocks stand still
// until the players are back.
type Restart struct {
	Retry int64 `json:"retry"` // when to try first
}
