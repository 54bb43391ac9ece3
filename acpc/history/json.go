package history

import (
	"encoding/json"

	"gamebots/acpc"
)

// JSONHand is a hand in the form that [Hand.AppendJSON] writes and the server's page
// shows. Positions count from 0; lists are by position.
type JSONHand struct {
	Match   string       `json:"match,omitempty"`
	Hand    uint32       `json:"hand"`
	Betting string       `json:"betting"` // "limit" or "nolimit"
	Players []string     `json:"players"`
	Stacks  []int32      `json:"stacks"` // null where a game has no limit
	Blinds  []int32      `json:"blinds"` // forced bets: blinds and antes
	Holes   []string     `json:"holes"`  // "" where they are not known
	Board   []string     `json:"board"`  // the cards of each round, "" where it has none
	Actions []JSONAction `json:"actions"`
	Values  []float64    `json:"values"`
	// Showdown reports whether cards were compared, Folded which positions had folded.
	Showdown bool   `json:"showdown"`
	Folded   []bool `json:"folded"`
	// Made is what the hands make that a showdown compares, as in "two pair, kings and eights"; "" where a hand is not
	// known or folded. It is left out without a showdown.
	Made []string `json:"made,omitempty"`
}

// JSONAction is an action: "fold", "call" (which is a check if To stays the same) or
// "raise" (or bet). To is the number of chips that the position has put in over the
// whole hand, and Pot that of all positions, both after the action. Name is the action in the words
// of poker players, as [acpc.State.Describe] has it: "raise to 400", counted in the round.
type JSONAction struct {
	Round    int    `json:"round"`
	Position int    `json:"position"`
	Action   string `json:"action"`
	Name     string `json:"name"`
	To       int32  `json:"to"`
	Pot      int64  `json:"pot"`
}

// JSON returns the hand in the form of [JSONHand]; match may be "".
func (h *Hand) JSON(match string) JSONHand {
	g := h.Game()
	n := g.NumPlayers
	out := JSONHand{Match: match, Hand: h.HandID, Betting: g.Betting.String(), Players: h.Names,
		Blinds: g.Blind[:n], Values: h.Values, Showdown: h.AtShowdown(), Actions: []JSONAction{}}
	for r := range h.Round() + 1 {
		out.Board = append(out.Board, h.dealt(r))
	}
	limited := true
	for p := range n {
		out.Holes = append(out.Holes, h.hole(p))
		if out.Showdown {
			made := ""
			if !h.Hidden[p] && !h.Folded(p) {
				made = h.HandName(p)
			}
			out.Made = append(out.Made, made)
		}
		out.Folded = append(out.Folded, h.Folded(p))
		limited = limited && g.Stack[p] < acpc.NoStackLimit
	}
	if limited {
		out.Stacks = g.Stack[:n]
	}
	now := g.NewState(h.HandID)
	for _, s := range h.Steps() {
		out.Actions = append(out.Actions, JSONAction{Round: s.Round, Position: s.Position,
			Action: [...]string{"fold", "call", "raise"}[s.Action.Type], Name: now.Describe(s.Action), To: s.To,
			Pot: s.Pot})
		now.Apply(s.Action)
	}
	return out
}

// AppendJSON appends the hand as one line of JSON, a [JSONHand].
func (h *Hand) AppendJSON(dst []byte, match string) ([]byte, error) {
	line, err := json.Marshal(h.JSON(match))
	if err != nil {
		return dst, err
	}
	return append(append(dst, line...), '\n'), nil
}
