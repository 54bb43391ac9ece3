package spot

import (
	"encoding/json"
	"errors"
	"fmt"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
)

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

// MarshalText returns the spot as a JSON object. One with an offer, lines or leaves, which are for solving at the
// table, has none.
func (s *Spot) MarshalText() ([]byte, error) {
	if s.Offer != nil || s.Leaves != nil || s.Lines != nil {
		return nil, fmt.Errorf("a file of a spot with an offer, lines or leaves: %w", errors.ErrUnsupported)
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
