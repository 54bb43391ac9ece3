package nimsolver

import (
	"errors"
	"fmt"

	"gamebots/hexproto/nim"
)

// A Position is heaps under rules. It does not have the player to move.
type Position struct {
	Rules nim.Rules
	Heaps nim.Heaps
}

// Value is the result of a position for the player to move.
type Value int8

// The values.
const (
	Loss    Value = -1
	Unknown Value = 0 // the depth is not enough
	Win     Value = 1
)

func (v Value) String() string { return [...]string{"loss", "unknown", "win"}[v+1] }

// A Result is the value of a position and a best move.
type Result struct {
	Move  nim.Move // the first of the best; takes nothing if the game is over
	Value Value
	Nodes uint64
}

// MaxDepth is the largest depth of a search, in plies.
const MaxDepth = 63

// DefaultDepth is the depth of Fiorella's program, in plies.
const DefaultDepth = 7

// ErrInput is wrapped by errors about a position, a depth or a version, which name
// the field.
var ErrInput = errors.New("nim")

// check returns an error for a position or depth that cannot be searched.
func (p Position) check(depth int) error {
	if err := p.Rules.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if depth < 1 || depth > MaxDepth {
		return fmt.Errorf("%w: depth: %d is not from 1 to %d", ErrInput, depth, MaxDepth)
	}
	return nil
}

// terminalValue is the value of a position without sticks.
func terminalValue(r nim.Rules) Value {
	if r.Misere {
		return Win
	}
	return Loss
}
