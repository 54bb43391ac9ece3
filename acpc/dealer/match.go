package dealer

import (
	"errors"
	"fmt"
	"math"
	"time"

	"gamebots/acpc"
)

// Match has the game, the players and the limits of a match. Playing does not change it.
type Match struct {
	// Name and GameFile are copied to the log's header.
	Name     string
	GameFile string

	Game  *acpc.Game
	Hands uint32 // at least 1; their ids are 0 to Hands-1
	Seed  uint32
	Names []string // names of the players by seat
	// Fixed keeps every seat at the position of the same number.
	Fixed  bool
	Limits Limits
	// StrictOriginal ends the match with an error where the original server would
	// hang or abort and the dealer has a result; see the package comment.
	StrictOriginal bool
}

// Limits are the times of players over the wire. Zero is no time at all.
type Limits struct {
	// Start is for all players to connect; negative is forever.
	Start time.Duration
	// Response is for one line of a player.
	Response time.Duration
	// Hand is for all answers of a player in one hand.
	Hand time.Duration
	// PerHand, times the number of hands, is for all answers of a player in the match.
	PerHand time.Duration
}

// DefaultLimits are those of the original server, except for Start: the original waits
// forever.
var DefaultLimits = Limits{
	Start:    time.Minute,
	Response: 10 * time.Minute,
	Hand:     10 * time.Minute,
	PerHand:  7 * time.Second,
}

// budget returns the time of a player in a match.
func (l *Limits) budget(hands uint32) time.Duration {
	if l.PerHand > math.MaxInt64/time.Duration(hands) {
		return math.MaxInt64
	}
	return l.PerHand * time.Duration(hands)
}

// Seat returns the seat at a position in a hand.
func (m *Match) Seat(hand uint32, position int) int {
	if m.Fixed {
		return position
	}
	n := m.Game.NumPlayers
	return (position + int(hand%uint32(n))) % n
}

// Position returns the position of a seat in a hand.
func (m *Match) Position(hand uint32, seat int) int {
	if m.Fixed {
		return seat
	}
	n := m.Game.NumPlayers
	return (seat + n - int(hand%uint32(n))) % n
}

// check returns an error if the match cannot be played by this number of players.
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
