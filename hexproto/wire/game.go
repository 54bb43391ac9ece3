package wire

import "encoding/json"

// Clock is how much time players have. A turn may take PerMove without a charge;
// what it takes longer is taken from Main, and Increment is added after it. All
// zero is a game without clocks.
type Clock struct {
	Main      int64 `json:"main"`
	Increment int64 `json:"increment"`
	PerMove   int64 `json:"per_move"`
}

// None says whether the game has no clocks.
func (c Clock) None() bool { return c == Clock{} }

// Player is an account as others see it.
type Player struct {
	Name   string `json:"name"`
	Bot    bool   `json:"bot,omitempty"`
	Rating int    `json:"rating"`
}

// Move is one player's move in one turn.
type Move struct {
	Turn int    `json:"turn"` // from 0
	Seat int    `json:"seat"`
	Move string `json:"move"`
	Ms   int64  `json:"ms"` // how long it took, by the server's clock
}

// Time is both clocks as the server has them at a time of its own: what is left
// of Main by seat, without the turn that goes on.
type Time struct {
	Left    [2]int64 `json:"left"`
	Running [2]bool  `json:"running"`
	Since   [2]int64 `json:"since"` // when the clock was started, if it runs
	At      int64    `json:"at"`    // the time of the message, Unix milliseconds
}

// Result is how a game ended.
type Result struct {
	Winner int        `json:"winner"` // a seat, -1 for nobody
	Score  [2]float64 `json:"score"`  // by seat: 1, ½, 0 or the game's own payoffs
	How    string     `json:"how"`    // a word of the rules, or one of the constants
}

// How a game can end whatever its rules.
const (
	Resigned = "resign"
	TimeOut  = "time"
	Agreed   = "agreement"
	Aborted  = "abort" // counts for nobody
)

// Standing is an offer that waits for an answer.
type Standing struct {
	Seat  int    `json:"seat"`  // whose offer
	Offer string `json:"offer"` // "draw" or "takeback"
	Turn  int    `json:"turn"`  // when it was made
}

// The offers.
const (
	OfferDraw     = "draw"
	OfferTakeback = "takeback"
)

// Board is what does not change of a game's picture; Kind says which picture.
// A page draws the kinds that it knows, and View.Text and View.Legal of others.
type Board struct {
	Kind string `json:"kind"` // "hexagon", "heaps", "matrix", …

	// Of a hexagon.
	Side  int    `json:"side,omitempty"`
	Cells []Cell `json:"cells,omitempty"`

	// Of heaps.
	Heaps   []int `json:"heaps,omitempty"`    // sticks at the start
	MaxTake int   `json:"max_take,omitempty"` // the most in one move, 0 for no limit
	Misere  bool  `json:"misere,omitempty"`   // who takes the last stick loses

	// Of a matrix game: the names of both players' actions and their payoffs,
	// which are [row][column][seat].
	Rows    []string         `json:"rows,omitempty"`
	Columns []string         `json:"columns,omitempty"`
	Payoffs [][][2]float64   `json:"payoffs,omitempty"`
	Rounds  int              `json:"rounds,omitempty"`
	Extra   *json.RawMessage `json:"extra,omitempty"` // of kinds that a game brings itself
}

// Cell is a cell of a board. X and Y are its middle, in units of the distance
// of neighbours, with Y down.
type Cell struct {
	Name string  `json:"name"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

// View is what a move changes of a game's picture.
type View struct {
	Text        string   `json:"text"`                   // the position in words, for all kinds
	Legal       []string `json:"legal"`                  // the moves of who is to move; of the first where both are
	LegalSecond []string `json:"legal_second,omitempty"` // the moves of the second where both are to move
	Last        []string `json:"last,omitempty"`         // names of what the last move touched
	Won         []string `json:"won,omitempty"`          // names of the winning cells
	Cells       string   `json:"cells,omitempty"`        // of a hexagon: a letter a cell, "." empty, "0" and "1" the seats' stones
	Heaps       []int    `json:"heaps,omitempty"`        // of heaps: sticks now

	Extra *json.RawMessage `json:"extra,omitempty"`
}

// Moves returns the legal moves of a seat that is to move.
func (v *View) Moves(seat int) []string {
	if seat == 1 && v.LegalSecond != nil {
		return v.LegalSecond
	}
	return v.Legal
}

// Game is a game as it stands: all that a client needs to go on with it.
type Game struct {
	Game    string          `json:"game"` // its id
	Tag     string          `json:"tag,omitempty"`
	Rules   string          `json:"rules"`
	Options json.RawMessage `json:"options"` // all of them, as the rules have them
	Rated   bool            `json:"rated"`
	Seats   [2]Player       `json:"seats"`
	Names   [2]string       `json:"names"` // what the rules call the seats, as in white and black
	You     int             `json:"you"`   // the reader's seat, -1 for a spectator
	Started int64           `json:"started"`

	Clock  Clock      `json:"clock"`
	Time   Time       `json:"time"`
	Turn   int        `json:"turn"`    // how many turns were played
	ToMove []int      `json:"to_move"` // the seats whose moves the turn waits for
	Swap   bool       `json:"swap"`    // whether "swap" is a legal move now
	Moves  []Move     `json:"moves"`
	Mine   string     `json:"mine,omitempty"` // the reader's move of this turn, while another's is awaited
	Offers []Standing `json:"offers,omitempty"`
	Result *Result    `json:"result,omitempty"` // of a game that is over

	Present  [2]bool `json:"present"` // who of the players is connected
	Watchers int     `json:"watchers"`
	Said     []Line  `json:"said,omitempty"` // the last of the chat

	Board *Board `json:"board,omitempty"` // for clients that asked for views
	View  *View  `json:"view,omitempty"`
}

// Line is a line of chat.
type Line struct {
	From string `json:"from"`
	Text string `json:"text"`
	At   int64  `json:"at"`
}

// Brief is a game as a list shows it.
type Brief struct {
	Game    string          `json:"game"`
	Tag     string          `json:"tag,omitempty"`
	Rules   string          `json:"rules"`
	Options json.RawMessage `json:"options"`
	Rated   bool            `json:"rated"`
	Seats   [2]Player       `json:"seats"`
	Clock   Clock           `json:"clock"`
	Turn    int             `json:"turn"`
	Started int64           `json:"started"`
	Result  *Result         `json:"result,omitempty"`
}
