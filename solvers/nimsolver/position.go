package nimsolver

import (
	"errors"
	"fmt"

	"gamebots/hexproto/nim"
)

// Position is what is solved.
type Position struct {
	Rules nim.Rules
	Heaps nim.Heaps
}

// Value is what a position is for the player to move.
type Value int8

// The values. Unknown is that of a limited depth.
const (
	Loss    Value = -1
	Unknown Value = 0
	Win     Value = 1
)

func (v Value) String() string { return [...]string{"loss", "unknown", "win"}[v+1] }

// Result is what a search has found.
type Result struct {
	Move  nim.Move // the first of the best; takes nothing if the game is over
	Value Value
	Nodes uint64
}

// MaxDepth is how many plies a search can look ahead.
const MaxDepth = 63

// DefaultDepth is how many plies Fiorella's program looks ahead.
const DefaultDepth = 7

// ErrInput is wrapped by the errors of what cannot be searched or solved. They
// name the field.
var ErrInput = errors.New("nim")

// check returns what is wrong with a position and a depth.
func (p Position) check(depth int) error {
	if err := p.Rules.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if depth < 1 || depth > MaxDepth {
		return fmt.Errorf("%w: depth: %d is not from 1 to %d", ErrInput, depth, MaxDepth)
	}
	return nil
}

// over is the value of a position without sticks.
func over(r nim.Rules) Value {
	if r.Misere {
		return Win
	}
	return Loss
}
