package snake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Settings are everything that the result of a search depends on.
type Settings struct {
	Dimension int
	Seed      uint64
	Prime     Sequence // all paths begin with it

	Level int
	Leaf  int // playouts of a leaf
}

// The ranges of settings.
const (
	MaxLevel = 6
	MaxLeaf  = 1 << 20
)

// inRange returns an error if a setting is out of its range.
func inRange(name string, value, low, high int) error {
	if value < low || value > high {
		return fmt.Errorf("%s %d is not one of %d to %d", name, value, low, high)
	}
	return nil
}

// Check returns an error if a setting is out of range, or the [*Fault] of a prime that is no
// snake.
func (s Settings) Check() error {
	err := cmp.Or(inRange("level", s.Level, 0, MaxLevel), inRange("leaf", s.Leaf, 1, MaxLeaf))
	if err == nil {
		_, err = s.Start()
	}
	return err
}

// Start returns the position after the prime.
func (s Settings) Start() (*Board, error) {
	b, err := NewBoardAfter(s.Dimension, s.Prime)
	if errors.As(err, new(*Fault)) {
		err = fmt.Errorf("prime: %w", err)
	}
	return b, err
}

// Sequence returns a line as a sequence, with the prime.
func (s Settings) Sequence(l Line) Sequence {
	all := slices.Clone(s.Prime)
	for _, m := range l.Moves {
		all = append(all, uint8(m))
	}
	return all
}

// String describes all settings that matter. Equal texts give equal results.
func (s Settings) String() string {
	// Checkpoints of earlier versions name the policy of random games.
	return fmt.Sprintf("snake in dimension %d, nmcs of level %d, leaf %d, policy uniform, seed %d, prime %q",
		s.Dimension, s.Level, s.Leaf, s.Seed, cmp.Or(s.Prime.String(), "none"))
}
