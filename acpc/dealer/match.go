package dealer

import (
	"errors"
	"fmt"
	"math"
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
	// StrictOriginal ends the match with an error where the original server
	// would hang or abort and the dealer knows a result; see the list above.
	StrictOriginal bool
}

// Limits are the times that players have over the wire. Zero is no time at
// all.
type Limits struct {
	// Start is for all to connect; a negative one is for ever.
	Start time.Duration
	// Response is for one line of one player.
	Response time.Duration
	// Hand is for one player's answers in one hand.
	Hand time.Duration
	// PerHand, times the number of hands, is for one player's answers in the
	// whole match.
	PerHand time.Duration
}

// DefaultLimits are the original server's, which waits for the start for ever,
// however.
var DefaultLimits = Limits{
	Start:    time.Minute,
	Response: 10 * time.Minute,
	Hand:     10 * time.Minute,
	PerHand:  7 * time.Second,
}

// budget returns the time of one player in a match.
func (l *Limits) budget(hands uint32) time.Duration {
	if l.PerHand > math.MaxInt64/time.Duration(hands) {
		return math.MaxInt64
	}
	return l.PerHand * time.Duration(hands)
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
		return errors.New("match of no hands")
	case len(m.Names) != n:
		return fmt.Errorf("game of %d players with %d names", n, len(m.Names))
	case players != n:
		return fmt.Errorf("game of %d players with %d at the table", n, players)
	}
	if m.StrictOriginal {
		if s := m.Game.NewState(0); s.Finished() {
			return errors.New("all players are all-in from the blinds, where the original server hangs")
		}
	}
	return nil
}
