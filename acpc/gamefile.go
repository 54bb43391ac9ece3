package acpc

import "errors"

// GameError is what is wrong with a game definition.
type GameError struct {
	File string
	Line int
	Key  string
	Msg  string
}

func (e *GameError) Error() string { return e.Msg }

// Warning is what the original server would silently accept.
type Warning struct {
	File string
	Line int
	Key  string
	Msg  string
}

// ParseGame reads a game definition.
func ParseGame(name, text string) (*Game, error) { return nil, errors.ErrUnsupported }

// CheckGame is ParseGame with warnings.
func CheckGame(name, text string) (*Game, []Warning, error) { return nil, nil, errors.ErrUnsupported }

// String returns the canonical text of the definition.
func (g *Game) String() string { return "" }
