package wire

import "encoding/json"

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
