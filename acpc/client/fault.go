package client

import (
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// inspect reports how the dealer recorded the last action that was sent, and the first fault of a hand.
func (m *match) inspect(next *acpc.MatchState) {
	last := &m.state
	if !m.started || next.HandID != last.HandID {
		m.faulty = false
	}
	err, answered := m.fault(next), m.answered
	m.answered = false // the dealer records an action in the next state, or loses it
	if err == nil && answered && next.HandID == last.HandID && next.NumActions() > last.NumActions() {
		if r := last.Round(); m.client.OnRecorded != nil {
			m.client.OnRecorded(next.HandID, m.sent, next.Actions(r)[len(last.Actions(r))])
		}
	}
	if err != nil && !m.faulty {
		m.faulty = true
		if m.client.OnFault != nil {
			m.client.OnFault(next.HandID, err)
		}
	}
}

// fault returns an error for a state that cannot follow the last one, or in which a card is dealt twice.
func (m *match) fault(next *acpc.MatchState) error {
	last, v := &m.state, next.Viewer
	switch {
	case !m.started:
	case next.HandID != last.HandID && !last.Finished():
		return fmt.Errorf("hand %d was not finished", last.HandID)
	case next.HandID != last.HandID && next.HandID != last.HandID+1:
		return fmt.Errorf("the hand before was %d", last.HandID)
	case next.HandID != last.HandID:
	case v != last.Viewer:
		return fmt.Errorf("the position changed from %d to %d", last.Viewer+1, v+1)
	case !continues(last, next):
		return fmt.Errorf("the betting %q became %q", last.AppendBetting(nil), next.AppendBetting(nil))
	case last.Holes[v] != next.Holes[v]:
		return fmt.Errorf("the hole cards %v became %v", holeCards(last), holeCards(next))
	default:
		n := last.Game().BoardCards(last.Round())
		if before, now := last.Board[:n], next.Board[:n]; !slices.Equal(before, now) {
			return fmt.Errorf("the board %v became %v", card.SetOf(before...), card.SetOf(now...))
		}
	}
	return dealtTwice(next)
}

func holeCards(s *acpc.MatchState) card.Set {
	return card.SetOf(s.Holes[s.Viewer][:s.Game().NumHoleCards]...)
}

// continues reports whether the betting of a state begins with that of the last one.
func continues(last, next *acpc.MatchState) bool {
	if next.Round() < last.Round() {
		return false
	}
	for r := range last.Round() + 1 {
		before, now := last.Actions(r), next.Actions(r)
		if len(now) < len(before) || !slices.Equal(before, now[:len(before)]) {
			return false
		}
	}
	return true
}

// dealtTwice returns an error if two of the cards that the viewer sees are the same.
func dealtTwice(s *acpc.MatchState) error {
	g, seen := s.Game(), card.Set(0)
	look := func(cards []card.Card) error {
		for _, c := range cards {
			if seen.Has(c) {
				return fmt.Errorf("%v is dealt twice", c)
			}
			seen |= c.Bit()
		}
		return nil
	}
	for p := range g.NumPlayers {
		if s.Shows(p) {
			if err := look(s.Holes[p][:g.NumHoleCards]); err != nil {
				return err
			}
		}
	}
	return look(s.Board[:g.BoardCards(s.Round())])
}
