package spot

import (
	"errors"
	"fmt"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
)

// A Spot is a point of a hand at which a betting round begins.
type Spot struct {
	// Board has the three cards of the flop, then those of the turn and the river as far
	// as they are dealt.
	Board []card.Card
	// Pot is what is in the middle, and Stack what each player still has. The larger of two
	// stacks counts as the smaller one.
	Pot, Stack int
	// Ranges are those of the player out of position, who acts first in every round, and of
	// the player in position.
	Ranges [2]*ranges.Range
	Menu   Menu
	Rake   Rake
}

// Rake is what the house takes from every pot.
type Rake struct {
	Part float64 // of the pot, from 0 to 1
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

// The streets that a spot may begin with.
const (
	flop = iota
	turn
	river
	numStreets
)

// streetNames are the streets as menus and errors name them.
var streetNames = [numStreets]string{"flop", "turn", "river"}

// MaxChips bounds the pot and the stacks, so that sums of them are exact in 32-bit floats.
const MaxChips = 1 << 22

// ErrNoHands is the error for ranges of which no two hands can be held at the same time.
var ErrNoHands = errors.New("the ranges leave no two hands on this board")

// first returns the street that the spot begins with.
func (s *Spot) first() int { return len(s.Board) - 3 }

// boardSet returns the board, or an error.
func (s *Spot) boardSet() (set card.Set, err error) {
	if len(s.Board) < 3 || len(s.Board) > 5 {
		return 0, fmt.Errorf("board: %d cards are neither a flop (3) nor a turn (4) nor a river (5)", len(s.Board))
	}
	for _, c := range s.Board {
		if set.Has(c) {
			return 0, fmt.Errorf("board: %v is there twice", c)
		}
		set |= c.Bit()
	}
	return set, nil
}

// check returns an error for a spot that cannot be.
func (s *Spot) check() error {
	switch {
	case s.Pot < 1 || s.Pot > MaxChips:
		return fmt.Errorf("pot: %d is not from 1 to %d", s.Pot, MaxChips)
	case s.Stack < 0 || s.Stack > MaxChips:
		return fmt.Errorf("stack: %d is not from 0 to %d", s.Stack, MaxChips)
	case !(s.Rake.Part >= 0 && s.Rake.Part <= 1):
		return fmt.Errorf("rake: %g is not from 0 to 1", s.Rake.Part)
	case !(s.Rake.Cap >= 0):
		return fmt.Errorf("rake: the cap %g is negative", s.Rake.Cap)
	}
	for p, r := range s.Ranges {
		if r == nil {
			return fmt.Errorf("the player %s has no range", PlayerNames[p])
		}
	}
	_, err := s.boardSet()
	return err
}

// PlayerNames are the players in the order in which they act.
var PlayerNames = [2]string{"out of position", "in position"}
