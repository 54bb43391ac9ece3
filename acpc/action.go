package acpc

import (
	"errors"
	"fmt"
	"strconv"
)

// ActionType is a fold, a call (or check) or a raise (or bet).
type ActionType uint8

const (
	Fold ActionType = iota
	Call
	Raise
)

// Action is a player's move. Size is 0 except for a raise in a no-limit game, where it is
// the total that the player has put in over the whole hand after it.
type Action struct {
	Type ActionType
	Size int32
}

// The two errors of an action's text. The original dealer turns both into a call, but
// prints a different warning for each.
var (
	ErrUnknownAction = errors.New("unknown action")
	ErrNoRaiseSize   = errors.New("no-limit raise without a size")
)

// ParseAction reads the action at the start of text, in the game's notation,
// and returns how many bytes it took. Letters may be of either case; b (bet)
// stands for a raise and k (check) for a call. In a limit game nothing after
// the letter is read. The error wraps ErrUnknownAction or ErrNoRaiseSize.
func (g *Game) ParseAction(text string) (Action, int, error) {
	if text == "" {
		return Action{}, 0, fmt.Errorf("%w: none given", ErrUnknownAction)
	}
	switch text[0] {
	case 'f', 'F':
		return Action{Type: Fold}, 1, nil
	case 'c', 'C', 'k', 'K':
		return Action{Type: Call}, 1, nil
	case 'r', 'R', 'b', 'B':
		if g.Betting == Limit {
			return Action{Type: Raise}, 1, nil
		}
		size, n := scanInt(text[1:])
		if n == 0 {
			return Action{}, 0, fmt.Errorf("%w: %q", ErrNoRaiseSize, text)
		}
		return Action{Type: Raise, Size: int32(size)}, 1 + n, nil
	}
	return Action{}, 0, fmt.Errorf("%w %q", ErrUnknownAction, text[0])
}

// Append appends the action in the protocol's notation: "f", "c", and "r" in a limit
// game or "r200" in a no-limit game.
func (a Action) Append(dst []byte) []byte {
	dst = append(dst, "fcr"[a.Type])
	if a.Size != 0 {
		dst = strconv.AppendInt(dst, int64(a.Size), 10)
	}
	return dst
}

// String returns the action in the notation of Append.
func (a Action) String() string { return string(a.Append(nil)) }

// Describe returns a legal action in the words of poker players: "fold", "check", "call 2", "bet 4",
// "raise to 12" or "raise to 200 all-in". A call names the chips that it costs, a bet or raise what
// the player has then put in in this round: see [State.InRound].
func (s *State) Describe(a Action) string {
	t := s.Turn()
	return t.Name(s.Choice(a))
}
