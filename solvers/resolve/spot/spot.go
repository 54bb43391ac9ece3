package spot

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Spot is a point of a hand at which a betting round begins.
type Spot struct {
	// Board has the three cards of the flop, then those of the turn and the river as far
	// as they are dealt.
	Board Board
	// Pot is what is in the middle, and Stack what each player still has. The larger of two
	// stacks counts as the smaller one.
	Pot, Stack int
	// Ranges are those of the player out of position, who acts first in every round, and of
	// the player in position.
	Ranges [2]*ranges.Range
	Menu   Menu
	// MinBet is the least bet, and the least by which a raise is more than a bet, except
	// all-in. 0 is one chip.
	MinBet int
	// Lines are betting sequences of the first street that may be played whatever the menu
	// says.
	Lines [][]Action
	Rake  Rake
	// Locks are parts of the strategies that are given.
	Locks []Lock
	// Offer, if not nil, is what one player may take instead of playing on.
	Offer *Offer
}

// A Board has cards in the order in which they are dealt. Its text is as in "QsJh2h".
type Board []card.Card

// Text returns the text.
func (b Board) Text() string {
	var text []byte
	for _, c := range b {
		text = c.Append(text)
	}
	return string(text)
}

// MarshalText returns the text.
func (b Board) MarshalText() ([]byte, error) { return []byte(b.Text()), nil }

// UnmarshalText is [ParseBoard].
func (b *Board) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBoard(string(text))
	return err
}

// Rake is what the house takes from every pot.
type Rake struct {
	Part float64 // fraction of the pot
	Cap  float64 // the most that it takes, in chips; 0 is no limit
}

// of returns the rake of a pot.
func (r Rake) of(pot int) float64 {
	rake := r.Part * float64(pot)
	if r.Cap > 0 {
		rake = min(rake, r.Cap)
	}
	return rake
}

// streetNames are the streets as menus and errors name them.
var streetNames = [layout.NumStreets]string{"flop", "turn", "river"}

// MaxChips bounds the pot and the stacks, so that sums of them are exact in 32-bit floats.
const MaxChips = 1 << 22

// ErrNoHands is the error for ranges of which no two hands can be held at the same time.
var ErrNoHands = errors.New("the ranges leave no two hands on this board")

// first returns the street that the spot begins with.
func (s *Spot) first() int { return len(s.Board) - 3 }

// A FieldError is the error for a spot that cannot be.
type FieldError struct {
	Field string // board, pot, stack, least bet, rake, ranges or offer
	Msg   string
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Msg }

// ParseBoard reads cards in the order in which they are dealt, as in "Qs Jh 2h", "QsJh2h" or "Q♠J♥2♥".
func ParseBoard(text string) (cards Board, err error) {
	text = strings.NewReplacer(" ", "", ",", "").Replace(card.Plain(text))
	for ; text != ""; text = text[2:] {
		c, err := card.Parse(text)
		if err != nil {
			return nil, &FieldError{"board", err.Error()}
		}
		cards = append(cards, c)
	}
	return cards, nil
}

// Check returns a FieldError if a spot cannot be.
func (s *Spot) Check() error {
	refuse := func(field, format string, args ...any) error { return &FieldError{field, fmt.Sprintf(format, args...)} }
	switch {
	case len(s.Board) < 3 || len(s.Board) > 5:
		return refuse("board", "%d cards are neither a flop (3) nor a turn (4) nor a river (5)", len(s.Board))
	case card.SetOf(s.Board...).Len() < len(s.Board):
		return refuse("board", "a card is there twice")
	case s.Pot < 1 || s.Pot > MaxChips:
		return refuse("pot", "%d is not from 1 to %d chips", s.Pot, MaxChips)
	case s.Stack < 0 || s.Stack > MaxChips:
		return refuse("stack", "%d is not from 0 to %d chips", s.Stack, MaxChips)
	case s.MinBet < 0 || s.MinBet > MaxChips:
		return refuse("least bet", "%d is not from 0 to %d chips", s.MinBet, MaxChips)
	case !(s.Rake.Part >= 0 && s.Rake.Part <= 1):
		return refuse("rake", "%g is not from 0 to 1", s.Rake.Part)
	case !(s.Rake.Cap >= 0):
		return refuse("rake", "the cap %g is negative", s.Rake.Cap)
	}
	for p, r := range s.Ranges {
		if r == nil {
			return refuse("ranges", "the player %s has none", PlayerNames[p])
		}
	}
	return s.Offer.check()
}

// PlayerNames are the players in the order in which they act.
var PlayerNames = [2]string{"out of position", "in position"}

// spotText is a spot in its file, as JSON.
type spotText struct {
	Board  Board      `json:"board"`
	Pot    int        `json:"pot"`
	Stack  int        `json:"stack"`
	Ranges [2]string  `json:"ranges"`
	Menu   Menu       `json:"menu"`
	MinBet int        `json:"min_bet,omitempty"`
	Rake   Rake       `json:"rake"`
	Locks  []lockText `json:"locks,omitempty"`
}

// lockText is a Lock.
type lockText struct {
	Line  string                        `json:"line"`
	Hands map[string]map[string]float64 `json:"hands"`
}

// MarshalText returns the spot as a JSON object. One with an offer or lines, which are for solving at the
// table, has none.
func (s *Spot) MarshalText() ([]byte, error) {
	if s.Offer != nil || s.Lines != nil {
		return nil, fmt.Errorf("a file of a spot with an offer or lines: %w", errors.ErrUnsupported)
	}
	t := spotText{Board: s.Board, Pot: s.Pot, Stack: s.Stack, Menu: s.Menu, MinBet: s.MinBet, Rake: s.Rake}
	for p, r := range s.Ranges {
		t.Ranges[p] = r.String()
	}
	for _, l := range s.Locks {
		hands := map[string]map[string]float64{}
		for hole, probabilities := range l.Hands {
			hands[hole.String()] = probabilities
		}
		t.Locks = append(t.Locks, lockText{l.Line, hands})
	}
	return json.Marshal(t)
}

// UnmarshalText reads the text of a spot.
func (s *Spot) UnmarshalText(text []byte) (err error) {
	var t spotText
	if err = json.Unmarshal(text, &t); err != nil {
		return err
	}
	*s = Spot{Board: t.Board, Pot: t.Pot, Stack: t.Stack, Menu: t.Menu, MinBet: t.MinBet, Rake: t.Rake}
	for p, r := range t.Ranges {
		if s.Ranges[p], err = ranges.Parse(r); err != nil {
			return err
		}
	}
	for _, l := range t.Locks {
		lock := Lock{Line: l.Line, Hands: map[card.Set]map[string]float64{}}
		for text, probabilities := range l.Hands {
			hole, err := card.ParseSet(text)
			if err != nil || hole.Len() != 2 {
				return fmt.Errorf("lock: %q is not two cards", text)
			}
			lock.Hands[hole] = probabilities
		}
		s.Locks = append(s.Locks, lock)
	}
	return s.Check()
}
