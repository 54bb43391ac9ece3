package dealer

import (
	"fmt"
	"time"

	"gamebots/acpc"
)

// Match is what is played, by whom, and within which times. It is not changed
// by playing it.
type Match struct {
	// Name and GameFile are written into the log's header as they are.
	Name     string
	GameFile string

	Game  *acpc.Game
	Hands uint32 // at least 1; their ids are 0 to Hands-1
	Seed  uint32
	Names []string // by seat
	// Fixed keeps every seat at the position of its number.
	Fixed  bool
	Limits Limits
}

// Limits are the times that players have over the wire. Zero is no time at
// all, but for Start.
type Limits struct {
	// Start is for all to connect, and then for all to state their version;
	// 0 waits for as long as the context lets it.
	Start time.Duration
	// Response is for one line of one player.
	Response time.Duration
	// Hand is for one player's answers in one hand.
	Hand time.Duration
	// PerHand, times the number of hands, is for one player's answers in the
	// whole match.
	PerHand time.Duration
}

// DefaultLimits are the original server's, which waits for the start without
// end, however.
var DefaultLimits = Limits{
	Start:    time.Minute,
	Response: 10 * time.Minute,
	Hand:     10 * time.Minute,
	PerHand:  7 * time.Second,
}

// Seat returns who plays a position in a hand.
func (m *Match) Seat(hand uint32, position int) int {
	if m.Fixed {
		return position
	}
	n := m.Game.NumPlayers
	return (position + int(hand%uint32(n))) % n
}

// Position returns where a seat plays in a hand.
func (m *Match) Position(hand uint32, seat int) int {
	if m.Fixed {
		return seat
	}
	n := m.Game.NumPlayers
	return (seat + n - int(hand%uint32(n))) % n
}

// check returns why the match cannot be played by so many players, or nil.
func (m *Match) check(players int) error {
	switch n := m.Game.NumPlayers; {
	case m.Hands == 0:
		return fmt.Errorf("match of no hands")
	case len(m.Names) != n:
		return fmt.Errorf("game of %d players with %d names", n, len(m.Names))
	case players != n:
		return fmt.Errorf("game of %d players with %d at the table", n, players)
	}
	return nil
}

// table is where a match is played.
type table interface {
	// act returns a legal action of the player whose turn it is.
	act(s *acpc.State) (acpc.Action, error)
	// end takes every finished hand.
	end(s *acpc.State) error
}

// play plays the match at a table and returns the chips won by each seat; with
// an error those of the hands before it.
func (m *Match) play(t table) (score []float64, err error) {
	score = make([]float64, m.Game.NumPlayers)
	shuffler := acpc.NewShuffler(m.Seed)
	var s acpc.State
	for hand := range m.Hands {
		s = m.Game.NewState(hand)
		shuffler.Deal(&s)
		for !s.Finished() {
			action, err := t.act(&s)
			if err != nil {
				return score, err
			}
			s.Apply(action)
		}
		if err := t.end(&s); err != nil {
			return score, err
		}
		for p := range m.Game.NumPlayers {
			score[m.Seat(hand, p)] += s.Value(p)
		}
	}
	return score, nil
}
