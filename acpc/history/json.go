package history

import (
	"encoding/json"

	"gamebots/acpc"
)

// Told is a hand for other programs, as AppendJSON writes it and a page shows
// it. Positions count from 0; lists are by position.
type Told struct {
	Match   string     `json:"match,omitempty"`
	Hand    uint32     `json:"hand"`
	Betting string     `json:"betting"` // "limit" or "nolimit"
	Players []string   `json:"players"`
	Stacks  []int32    `json:"stacks"` // null where a game has no limit
	Blinds  []int32    `json:"blinds"` // and antes
	Holes   []string   `json:"holes"`  // "" where they are not known
	Board   []string   `json:"board"`  // the cards of each round, "" where it has none
	Actions []ToldStep `json:"actions"`
	Values  []float64  `json:"values"`
	// Showdown says whether cards were compared, Folded who was no part of it.
	Showdown bool   `json:"showdown"`
	Folded   []bool `json:"folded"`
}

// ToldStep is an action: "fold", "call" (or check, where To stays) or "raise"
// (or bet). To is what the position has put in after it, over the whole hand,
// and Pot what all have.
type ToldStep struct {
	Round    int    `json:"round"`
	Position int    `json:"position"`
	Action   string `json:"action"`
	To       int32  `json:"to"`
	Pot      int64  `json:"pot"`
}

// Tell returns the hand for other programs; match may be "".
func (h *Hand) Tell(match string) Told {
	g := h.Game()
	n := g.NumPlayers
	told := Told{Match: match, Hand: h.HandID, Betting: g.Betting.String(), Players: h.Names,
		Blinds: g.Blind[:n], Values: h.Values, Showdown: h.AtShowdown(), Actions: []ToldStep{}}
	at := 0
	for _, k := range g.NumBoardCards[:h.Round()+1] {
		told.Board = append(told.Board, cardText(h.Board[at:at+int(k)]))
		at += int(k)
	}
	limited := true
	for p := range n {
		hole := ""
		if !h.Hidden[p] {
			hole = cardText(h.Holes[p][:g.NumHoleCards])
		}
		told.Holes = append(told.Holes, hole)
		told.Folded = append(told.Folded, h.Folded(p))
		limited = limited && g.Stack[p] < acpc.NoStackLimit
	}
	if limited {
		told.Stacks = g.Stack[:n]
	}
	for _, s := range h.Steps() {
		told.Actions = append(told.Actions, ToldStep{Round: s.Round, Position: s.Position,
			Action: [...]string{"fold", "call", "raise"}[s.Action.Type], To: s.To, Pot: s.Pot})
	}
	return told
}

// AppendJSON appends the hand as one line of JSON, of type Told.
func (h *Hand) AppendJSON(dst []byte, match string) ([]byte, error) {
	line, err := json.Marshal(h.Tell(match))
	if err != nil {
		return dst, err
	}
	return append(append(dst, line...), '\n'), nil
}
