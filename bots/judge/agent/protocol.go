package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Protocol is the name and version of the protocol, in the first question to an agent.
const Protocol = "gamebots-policy 1"

// A Question asks what a player does at a point of a game.
type Question struct {
	ID Number `json:"id"` // from 1, the line of the question

	// The first question introduces the game: its name, and the definition of a poker game.
	Protocol   string `json:"protocol,omitempty"`
	Game       string `json:"game,omitempty"`
	Definition string `json:"definition,omitempty"`

	// In poker State is a match state of the player to act. Hands are those that are asked about, as in "AsKd"; the
	// state has no hole cards then. Without them it is about the hand in the state.
	State string `json:"state,omitempty"`
	Hands Hands  `json:"hands,omitempty"`
	// RaiseTo are the smallest and the largest raise of a no-limit game, as in match states.
	RaiseTo []int32 `json:"raise_to,omitempty"`

	// In an extensive game Player is the number of the player, from 1, Set that of one of its information sets, as in
	// the .efg file, and History the actions that lead to one of its positions.
	Player  Number   `json:"player,omitempty"`
	Set     Number   `json:"set,omitempty"`
	Name    string   `json:"set_name,omitempty"`
	History []string `json:"history,omitempty"`

	Legal []string `json:"legal,omitempty"` // actions, without raises of a no-limit game
}

// A Number is a whole number, however JSON has it: some languages write 8 as 8.0.
type Number int

// UnmarshalJSON reads a number.
func (n *Number) UnmarshalJSON(text []byte) error {
	var x float64
	err := json.Unmarshal(text, &x)
	if *n = Number(x); err != nil || float64(*n) != x {
		return fmt.Errorf("%s is not a whole number", text)
	}
	return nil
}

// Hands are hands that are asked about.
type Hands []string

// AllHands stands for all hands that are possible on the board.
var AllHands = Hands{"all"}

// UnmarshalJSON reads a list, or "all".
func (h *Hands) UnmarshalJSON(text []byte) error {
	if string(text) == `"all"` {
		*h = slices.Clone(AllHands)
		return nil
	}
	var list []string
	if err := json.Unmarshal(text, &list); err != nil {
		return errors.New(`hands: want a list, as in ["AsKd","7h7c"], or "all"`)
	}
	*h = list
	return nil
}

// An Answer says with which probabilities a player acts.
type Answer struct {
	ID            Number   `json:"id"` // the question's
	Name          string   `json:"name,omitempty"`
	Hands         []string `json:"hands,omitempty"` // those of "all"
	Actions       []string `json:"actions,omitempty"`
	Probabilities Rows     `json:"probabilities,omitempty"`
	Error         string   `json:"error,omitempty"`
}

// Rows are probabilities by hand, in the order of the question, and action. A single row is for all hands. The row of a
// hand is nil if the player would not have come here with it.
type Rows [][]float64

// UnmarshalJSON reads a list of rows, or a row.
func (r *Rows) UnmarshalJSON(text []byte) error {
	var row []float64
	if json.Unmarshal(text, &row) == nil && row != nil {
		*r = Rows{row}
		return nil
	}
	var rows [][]float64
	if err := json.Unmarshal(text, &rows); err != nil {
		return errors.New("probabilities: want a list of numbers, or one such list for each hand")
	}
	*r = rows
	return nil
}

// MarshalJSON writes a single row without the list around it.
func (r Rows) MarshalJSON() ([]byte, error) {
	if len(r) == 1 && r[0] != nil {
		return json.Marshal(r[0])
	}
	return json.Marshal([][]float64(r))
}

// of returns the row of a hand.
func (r Rows) of(hand int) []float64 {
	if len(r) == 1 {
		return r[0]
	}
	return r[hand]
}

// rounding is how far from 1 the sum of probabilities may be, in 32 bits too.
const rounding = 1e-5

// readAnswer reads the answer to a question.
func readAnswer(line []byte, q *Question) (*Answer, error) {
	a := new(Answer)
	if err := json.Unmarshal(line, a); err != nil {
		return nil, fmt.Errorf("not an answer: %w: %s", err, excerpt(line))
	}
	switch {
	case a.Error != "":
		return nil, fmt.Errorf("its error: %s", excerpt([]byte(a.Error)))
	case a.ID != q.ID:
		return nil, fmt.Errorf(`its "id" is %d, that of the question %d`, a.ID, q.ID)
	case q.Protocol != "":
		return a, nil
	}
	return a, a.check(q)
}

// check returns an error unless an answer has actions, and probabilities of them for all hands.
func (a *Answer) check(q *Question) error {
	for i, action := range a.Actions {
		if slices.Contains(a.Actions[:i], action) {
			return fmt.Errorf("the action %q is there twice", action)
		}
	}
	n := len(a.Probabilities)
	switch {
	case len(a.Actions) == 0:
		return errors.New(`"actions" is missing`)
	case n != 1 && n != max(1, len(q.Hands)):
		return fmt.Errorf("probabilities of %d hands, not of %d", n, max(1, len(q.Hands)))
	}
	for i, row := range a.Probabilities {
		if row == nil && len(q.Hands) > 0 {
			continue
		}
		if err := checkRow(row, len(a.Actions)); err != nil {
			hand := ""
			if len(q.Hands) > 0 && n > 1 {
				hand = " of " + q.Hands[i]
			}
			return fmt.Errorf("probabilities%s: %w", hand, err)
		}
	}
	return nil
}

// checkRow returns an error unless a row has probabilities of actions.
func checkRow(row []float64, actions int) error {
	sum := 0.0
	for _, p := range row {
		if p < 0 {
			return fmt.Errorf("%g is negative", p)
		}
		sum += p
	}
	switch {
	case len(row) != actions:
		return fmt.Errorf("%d of them for %d actions", len(row), actions)
	case math.Abs(sum-1) > rounding:
		return fmt.Errorf("they sum to %g, not to 1", sum)
	}
	return nil
}

// excerpt quotes the beginning of a text.
func excerpt(text []byte) string {
	const most = 60
	if text = bytes.TrimSpace(text); len(text) > most {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(string(text[:most]), ""))
	}
	return fmt.Sprintf("%q", text)
}
