package wire

import "encoding/json"

// Clock is the time control of a game, in milliseconds. A turn may take PerMove
// without a charge, the rest is taken from Main, and Increment is added after the turn.
// The zero value is a game without clocks.
type Clock struct {
	Main      int64 `json:"main"`
	Increment int64 `json:"increment"`
	PerMove   int64 `json:"per_move"`
}

// None reports whether the game has no clocks.
func (c Clock) None() bool { return c == Clock{} }

// day is a day in milliseconds.
const day = 24 * 60 * 60 * 1000

// Correspondence reports whether a player has a day or more for each move: nobody has to be there just now.
func (c Clock) Correspondence() bool { return c.PerMove >= day }

// Player is an account as others see it.
type Player struct {
	Name string `json:"name"`
	Bot  bool   `json:"bot,omitempty"`
	// Rating is that in the kind of the game that the message is about, or in the kind
	// that the player plays most.
	Rating      int  `json:"rating"`
	Deviation   int  `json:"deviation,omitempty"`   // the standard error of Rating
	Provisional bool `json:"provisional,omitempty"` // Rating is little more than a guess
}

// Rating is a player's rating in one kind of game.
type Rating struct {
	Rating      int  `json:"rating"`
	Deviation   int  `json:"deviation"`
	Provisional bool `json:"provisional,omitempty"`
	Games       int  `json:"games"` // rated ones
}

// Move is one player's move in one turn.
type Move struct {
	Turn int    `json:"turn"` // from 0
	Seat int    `json:"seat"`
	Move string `json:"move"`
	Ms   int64  `json:"ms"` // how long it took, by the server's clock
}

// Time is the state of both clocks at a time of the server. Left is what each seat has
// of Main, without the charge of the running turn.
type Time struct {
	Left    []int64 `json:"left"`
	Running []bool  `json:"running"`
	Since   []int64 `json:"since"` // when the clock was started, if it runs; in the future if it stands until then
	At      int64   `json:"at"`    // the time of the message, Unix milliseconds

	Abort int64 `json:"abort,omitempty"` // when the game is aborted unless who is to move makes the first move
}

// Result is how a game ended.
type Result struct {
	Winner int       `json:"winner"`           // a seat, -1 for a draw or no result
	Score  []float64 `json:"score"`            // 1, ½, 0 or the game's own payoffs, by seat
	How    string    `json:"how"`              // a word of the rules, or one of the constants
	Reason string    `json:"reason,omitempty"` // why a game was aborted, for people
	// AbortedBy is the player who aborted a game, or did not begin in time.
	AbortedBy string `json:"aborted_by,omitempty"`
}

// WonBy returns the result of a game of some seats that one of them has won.
func WonBy(seat, seats int, how string) *Result {
	r := &Result{Winner: seat, Score: make([]float64, seats), How: how}
	r.Score[seat] = 1
	return r
}

// The ends of a game that are not of its rules.
const (
	Resigned = "resign"
	TimeOut  = "time"
	Agreed   = "agreement"
	Aborted  = "abort" // does not count
)

// Standing is an offer that stands until it is answered or the turn ends.
type Standing struct {
	Seat  int    `json:"seat"`  // seat whose offer stands
	Offer string `json:"offer"` // "draw" or "takeback"
	Turn  int    `json:"turn"`  // when it was made
}

// The offers.
const (
	OfferDraw     = "draw"
	OfferTakeback = "takeback"
)

// Board is the part of a position that never changes. A page draws the kinds of board
// that it knows, and shows View.Text and View.Legal for others.
type Board struct {
	Kind string `json:"kind"` // "hexagon", "heaps", "matrix", "poker", …

	// Of a hexagon.
	Side    int        `json:"side,omitempty"`
	Cells   []Cell     `json:"cells,omitempty"`
	Corners []string   `json:"corners,omitempty"` // names of the corners' cells, clockwise
	Edges   [][]string `json:"edges,omitempty"`   // names of the cells of each edge, without its corners

	// Of heaps.
	Heaps   []int `json:"heaps,omitempty"`    // sticks at the start
	MaxTake int   `json:"max_take,omitempty"` // most sticks in one move, 0 for no limit
	Misere  bool  `json:"misere,omitempty"`   // whoever takes the last stick loses

	// Of a match of poker.
	Hands     int `json:"hands,omitempty"`
	HoleCards int `json:"hole_cards,omitempty"` // cards that each player gets
	// Positions are what poker players call them, such as "BTN", "SB" and "BB", "" where one has no name; Streets are
	// the names of the rounds.
	Positions []string `json:"positions,omitempty"`
	Streets   []string `json:"streets,omitempty"`

	// Of a matrix game: the names of both players' actions and their payoffs,
	// which are [row][column][seat].
	Rows    []string       `json:"rows,omitempty"`
	Columns []string       `json:"columns,omitempty"`
	Payoffs [][][2]float64 `json:"payoffs,omitempty"`
	Rounds  int            `json:"rounds,omitempty"`
}

// Cell is a cell of a board. X and Y are its centre, with Y down, in units of the
// distance between neighbours.
type Cell struct {
	Name string  `json:"name"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

// View is the part of a position that moves change.
type View struct {
	Text        string   `json:"text"`                   // the position in words, for all kinds
	Legal       []string `json:"legal"`                  // the moves of who is to move; of the first where both are
	LegalSecond []string `json:"legal_second,omitempty"` // the moves of the second where both are to move
	Last        []string `json:"last,omitempty"`         // names of what the last move touched
	Won         []string `json:"won,omitempty"`          // names of the winning cells
	Cells       string   `json:"cells,omitempty"`        // on a hexagon: a letter a cell, "." or its stone's seat
	Heaps       []int    `json:"heaps,omitempty"`        // sticks left in each heap

	Poker *Poker `json:"poker,omitempty"` // what a seat sees of a game of poker
}

// Moves returns the legal moves of a seat that is to move.
func (v *View) Moves(seat int) []string {
	if seat == 1 && v.LegalSecond != nil {
		return v.LegalSecond
	}
	return v.Legal
}

// Game is the full state of a game: all that a client needs to continue it.
type Game struct {
	Game    string          `json:"game"` // its id
	Tag     string          `json:"tag,omitempty"`
	Rules   string          `json:"rules"`
	Options json.RawMessage `json:"options"`        // complete, as the rules define them
	Kind    string          `json:"kind,omitempty"` // for which players have a rating: "nim", "havannah-8"
	Rated   bool            `json:"rated"`
	Seats   []Player        `json:"seats"`
	Names   []string        `json:"names"` // names of the seats in the rules, as white and black
	You     int             `json:"you"`   // the reader's seat, -1 for a spectator
	Started int64           `json:"started"`

	Clock  Clock      `json:"clock"`
	Time   Time       `json:"time"`
	Turn   int        `json:"turn"`    // turns played so far
	ToMove []int      `json:"to_move"` // the seats for which the turn waits
	Swap   bool       `json:"swap"`    // whether "swap" is a legal move now
	Moves  []Move     `json:"moves"`
	Mine   string     `json:"mine,omitempty"` // the reader's move of this turn, while it waits for another
	Offers []Standing `json:"offers,omitempty"`
	Result *Result    `json:"result,omitempty"` // nil while the game goes on

	Present []bool `json:"present"`        // whether the player of each seat is connected
	Gone    []int  `json:"gone,omitempty"` // seats that have left, in that order
	// Away are the seats for which the server plays, because their time was up, until the players say that they are
	// Here. So may those who have left by that.
	Away     []int  `json:"away,omitempty"`
	Watchers int    `json:"watchers"`
	Said     []Line `json:"said,omitempty"` // the end of the chat
	// Record is one line that Import reads, of a game that was played elsewhere: its players have no accounts.
	Record string `json:"record,omitempty"`

	Board *Board `json:"board,omitempty"` // for clients that asked for views
	View  *View  `json:"view,omitempty"`
}

// Line is a line of chat.
type Line struct {
	From string `json:"from"`
	Text string `json:"text"`
	At   int64  `json:"at"`
	// Spectator marks a line of somebody who did not play in the game. Players of a running game
	// are not sent it.
	Spectator bool `json:"spectator,omitempty"`
}

// Brief is a game as a list shows it.
type Brief struct {
	Game    string          `json:"game"`
	Tag     string          `json:"tag,omitempty"`
	Rules   string          `json:"rules"`
	Options json.RawMessage `json:"options"`
	Cut     bool            `json:"cut,omitempty"` // long Options are shortened: a Game has them whole
	Kind    string          `json:"kind,omitempty"`
	Rated   bool            `json:"rated"`
	Seats   []Player        `json:"seats"`
	Clock   Clock           `json:"clock"`
	Turn    int             `json:"turn"`
	Started int64           `json:"started"`
	Result  *Result         `json:"result,omitempty"`

	// Of a running game in the lobby.
	Idle bool       `json:"idle,omitempty"` // no player is connected, or nobody has moved for a while
	Hand *PokerHand `json:"hand,omitempty"`

	// Of a finished game in a list.
	Ended   int64  `json:"ended,omitempty"`
	Changes []int  `json:"changes,omitempty"` // changes of the players' ratings, if it changed them
	Outcome string `json:"outcome,omitempty"` // for the player of the list: won, lost, drawn or aborted
}

// Poker is a match of poker as a seat sees it, or a spectator. Its hands are JSON objects
// in the form of gamebots/acpc/history.JSONHand, in which lists are by position: in hand
// h, counted from 0, position p is that of seat (p+h) mod n. Cards that the reader does not
// see are "".
type Poker struct {
	Hand json.RawMessage `json:"hand"` // hand that is played, or the last one of the match
	// Match is the hand as an ACPC dealer sends it to the reader, such as
	// "MATCHSTATE:0:7:cr:Ks|"; "" for spectators.
	Match string `json:"match,omitempty"`
	Call  int    `json:"call,omitempty"` // chips to call, for who is to move
	// RaiseTo are the smallest and the largest total of a raise in a no-limit game, for
	// who is to move; absent if there is none.
	RaiseTo []int `json:"raise_to,omitempty"`
	// Before is how much of a raise's total was put in before this round, with antes: what a player
	// calls the raise is the rest.
	Before int `json:"before,omitempty"`
	// Names are the legal moves in the words of poker players, such as "raise to 400", in their order.
	Names []string  `json:"names,omitempty"`
	Won   []float64 `json:"won"` // chips by seat in the hands that are over
	// Finished are the hands that are over: in a Game all of them, in a Moved the one that
	// the turn has ended.
	Finished []json.RawMessage `json:"finished,omitempty"`
}
