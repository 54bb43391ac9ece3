package wire

import (
	"encoding/json"
	"fmt"
)

// FromServer has the messages that servers send.
var FromServer = direction(Welcome{}, Pong{}, Ack{}, Error{}, Lobby{}, LobbyChanged{}, Challenged{}, Closed{}, Game{},
	Moved{}, Offered{}, Over{}, Said{}, Ignored{}, Analysis{}, Position{}, Presence{}, Connections{}, Restart{})

// Welcome answers Hello.
type Welcome struct {
	Version int               `json:"version"`
	Server  string            `json:"server"` // the program and its version
	You     Player            `json:"you"`
	Ratings map[string]Rating `json:"ratings,omitempty"` // yours, by kind of game
	Token   string            `json:"token,omitempty"`   // token of a new account, sent this once
	Now     int64             `json:"now"`               // the server's time, Unix milliseconds
	Games   []string          `json:"games"`             // ids of the account's running games, whose states follow
	Rules   []Rules           `json:"rules"`
	Limits  Limits            `json:"limits"`
	Ignored
}

// Rules describe a game that the server offers.
type Rules struct {
	Name  string   `json:"name"`
	Title string   `json:"title"`
	Seats []string `json:"seats"`
	// Positions are the positions of the seats in the first hand of poker, such as "SB".
	Positions []string `json:"positions,omitempty"`
	Options   []Option `json:"options"`
	Bots      []string `json:"bots"` // names of the server's bots, which can be challenged
	// AboutBots describes the same bots in the same order.
	AboutBots []AboutBot `json:"about_bots,omitempty"`
	Analyse   bool       `json:"analyse,omitempty"` // whether the server rates moves
	Methods   []string   `json:"methods,omitempty"` // methods that rate moves, the default first
	// Hidden marks games in which players see different things, such as cards. They are
	// not rated, and there are no offers.
	Hidden bool `json:"hidden,omitempty"`
	// Rated lists the options of rated games; an option that one leaves out has its default.
	// Rules without a list are rated with default options, unless they are Hidden.
	Rated []json.RawMessage `json:"rated,omitempty"`
	// ByLot says that seats in rated games are drawn, because one side cannot lose.
	ByLot bool `json:"by_lot,omitempty"`
}

// AboutBot describes a bot of the server.
type AboutBot struct {
	Name   string `json:"name"`
	About  string `json:"about"`            // how it plays, a sentence
	Rating int    `json:"rating,omitempty"` // measured in an arena, 0 if it was not
}

// Option is a setting of a game, a key of a challenge's options.
type Option struct {
	Name    string          `json:"name"`
	Title   string          `json:"title"`
	Kind    string          `json:"kind"` // "int", "bool", "ints", "text" or "choice"
	Default json.RawMessage `json:"default"`
	Min     int             `json:"min,omitempty"` // least value of an int, or of each of ints
	Max     int             `json:"max,omitempty"`
	Choices []string        `json:"choices,omitempty"`
}

// Limits are the limits of the server that clients have to know.
type Limits struct {
	Message    int   `json:"message"`             // bytes
	Rate       int   `json:"rate"`                // messages a second, in the long run
	Burst      int   `json:"burst"`               // messages at once
	Games      int   `json:"games"`               // games that an account plays at a time
	BotGames   int   `json:"bot_games,omitempty"` // games with bots of the server that it plays at a time
	Challenges int   `json:"challenges"`          // challenges that an account has open
	Idle       int64 `json:"idle"`                // a connection that is silent this long is closed
}

// Pong answers Ping.
type Pong struct {
	At  int64 `json:"at"`  // time in the Ping
	Now int64 `json:"now"` // the server's time
}

// Ack acknowledges the message with the same id, once its effect is on disk.
type Ack struct {
	Game      string `json:"game,omitempty"`      // the game that began
	Challenge string `json:"challenge,omitempty"` // the challenge that began
}

// Error refuses the message with the same id, or reports a fault of the connection.
type Error struct {
	Code  string `json:"code"`
	Text  string `json:"text"`            // for people
	Game  string `json:"game,omitempty"`  // game that it is about
	Retry int64  `json:"retry,omitempty"` // try again after this time
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Text) }

// The codes of errors.
const (
	BadMessage  = "bad_message"  // broken JSON, or a wrong field
	UnknownType = "unknown_type" // a type of message that the server does not know
	BadVersion  = "version"      // another version of the protocol
	BadToken    = "token"        // wrong, or missing
	BadName     = "name"         // taken, or invalid
	Banned      = "banned"       // the host keeps the account or its address out
	HelloFirst  = "hello"        // a message before Hello, or a second Hello
	NotFound    = "not_found"    // no such game, challenge, player or rules
	NotYours    = "not_yours"    // only for the players of the game, or the maker of the challenge
	WrongTurn   = "turn"         // the move is for another turn, or the sender is not to move
	Illegal     = "illegal"      // the rules forbid it
	GameOver    = "over"         // the game has ended
	Refused     = "refused"      // not now, or not by this account
	Duplicate   = "duplicate"    // the tag is that of a game, which the error names
	TooFast     = "rate"         // too many messages: wait for Retry
	TooMany     = "limit"        // too many games, challenges or connections
	Internal    = "internal"     // a fault of the server
)

// Challenged is an open challenge, a challenge to the reader, or the answer to
// ViewChallenge.
type Challenged struct {
	Challenge string          `json:"challenge"` // its id
	From      Player          `json:"from"`
	To        string          `json:"to,omitempty"`
	Rules     string          `json:"rules"`
	Options   json.RawMessage `json:"options"`
	Cut       bool            `json:"cut,omitempty"` // long Options are shortened: ViewChallenge shows them whole
	Kind      string          `json:"kind,omitempty"`
	Clock     Clock           `json:"clock"`
	Rated     bool            `json:"rated,omitempty"`
	Seat      string          `json:"seat,omitempty"` // the challenger's
	Only      *Only           `json:"only,omitempty"`
	Private   bool            `json:"private,omitempty"` // not in the lobby
	Players   int             `json:"players,omitempty"` // 0 is two
	Joined    []Player        `json:"joined,omitempty"`  // who has accepted, of more than two
	Fill      string          `json:"fill,omitempty"`    // who takes the seats beyond those of players, if one does
	Bots      []string        `json:"bots,omitempty"`    // who takes them in their order, if several do
	Tag       string          `json:"tag,omitempty"`
}

// Closed ends a challenge. It goes to both sides.
type Closed struct {
	Challenge string `json:"challenge"`
	Why       string `json:"why"` // "accepted", "declined", "cancelled" or "gone" with its maker
	By        string `json:"by,omitempty"`
	Reason    string `json:"reason,omitempty"` // one of Reasons, if declined
	Text      string `json:"text,omitempty"`
	Game      string `json:"game,omitempty"` // if accepted
	Tag       string `json:"tag,omitempty"`
}

// Moved is a turn that was played. A client that has played another number of turns has
// missed a message, and sends Watch.
type Moved struct {
	Game   string `json:"game"`
	Turn   int    `json:"turn"` // the turn that was played
	Moves  []Move `json:"moves"`
	Time   Time   `json:"time"`
	ToMove []int  `json:"to_move"` // seats to move in the next turn
	Swap   bool   `json:"swap"`
	View   *View  `json:"view,omitempty"`
}

// Offered is an offer that was made or refused. Every offer ends with its turn.
type Offered struct {
	Game  string `json:"game"`
	Seat  int    `json:"seat"` // seat that made or refused it
	Offer string `json:"offer"`
	No    bool   `json:"no,omitempty"`
}

// Over ends a game.
type Over struct {
	Game    string `json:"game"`
	Result  Result `json:"result"`
	Ratings []int  `json:"ratings"` // the players' ratings in the kind of the game, after it
	Changes []int  `json:"changes"` // changes of the ratings by the game
	Time    Time   `json:"time"`
}

// Said is a line of chat.
type Said struct {
	Game string `json:"game,omitempty"`
	Line
}

// Ignored lists the players whom the reader ignores. All connections of the account are sent it
// after each change.
type Ignored struct {
	Muted   []string `json:"muted,omitempty"`
	Blocked []string `json:"blocked,omitempty"`
}

// Analysis rates the moves of a position. A server sends it as the answer to Analyse. A
// player may send it too, and the spectators see it.
type Analysis struct {
	Game  string   `json:"game"`
	Turn  int      `json:"turn"`
	Line  []string `json:"line,omitempty"` // as in Analyse
	By    string   `json:"by,omitempty"`
	Moves []Rated  `json:"moves"` // the best first
}

// Position is a position of a game, or one that a variation leads to. It answers Explore.
type Position struct {
	Game   string   `json:"game"`
	Turn   int      `json:"turn"`
	Line   []string `json:"line,omitempty"`
	ToMove []int    `json:"to_move"` // none if the variation has ended the game
	Swap   bool     `json:"swap"`    // whether "swap" is a legal move
	Result *Result  `json:"result,omitempty"`
	View   *View    `json:"view"`
}

// Rated is a move with its value for the player who makes it. Where both players move
// at once, Seat is whose move it is, and Share how often the player's equilibrium
// strategy makes it.
type Rated struct {
	Move  string  `json:"move"`
	Value float64 `json:"value"`          // from 0, lost, to 1, won
	Work  int64   `json:"work,omitempty"` // playouts or nodes behind the value

	Proof string   `json:"proof,omitempty"` // ProvedWin, ProvedLoss or ProvedDraw; "" if nothing is proved
	Plies int      `json:"plies,omitempty"` // moves of both until the proved end, this one included, if known
	Line  []string `json:"line,omitempty"`  // the moves that are expected, beginning with this one

	Seat      int     `json:"seat,omitempty"`
	Share     float64 `json:"share,omitempty"`     // from 0 to 1
	Payoff    float64 `json:"payoff,omitempty"`    // expected against the opponent's equilibrium strategy
	Dominated string  `json:"dominated,omitempty"` // an action of the player that always pays more
}

// The proved results of a move.
const (
	ProvedWin  = "win"
	ProvedLoss = "loss"
	ProvedDraw = "draw"
)

// Presence reports which players of a game are connected, who is away, and who has left it.
type Presence struct {
	Game     string `json:"game"`
	Present  []bool `json:"present"`
	Gone     []int  `json:"gone,omitempty"` // as in Game
	Away     []int  `json:"away,omitempty"` // likewise
	Time     *Time  `json:"time,omitempty"` // clocks of poker, which may begin earlier than was told before
	Watchers int    `json:"watchers"`
}

// Connections reports how many connections the reader's account has. All of them hear
// of a change. The only connection of an account does not hear that it is.
type Connections struct {
	Count int `json:"count"`
}

// Restart announces that the server restarts. Clocks stand until the players are back.
type Restart struct {
	Retry int64 `json:"retry"` // milliseconds until the first attempt to reconnect
}
