package snake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Algorithm is a search algorithm.
type Algorithm string

// The algorithms.
const (
	NMCS Algorithm = "nmcs"
	NRPA Algorithm = "nrpa"
)

// gone are the algorithms that went with 0.3.0.
var gone = []Algorithm{"beam", "halves", "walk"}

// Settings are everything that the result of a search depends on.
type Settings struct {
	Dimension int
	Algorithm Algorithm
	Seed      uint64
	Prime     cube.Sequence // all paths begin with it

	Level      int // NMCS, NRPA
	Leaf       int // NMCS: playouts of a leaf
	Iterations int // NRPA: searches of the level below
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

// Check returns an error if a setting is out of range, or the [*cube.Fault] of a prime that is no
// snake.
func (s Settings) Check() error {
	var err error
	switch a := s.Algorithm; {
	case a == NMCS:
		err = cmp.Or(inRange("level", s.Level, 0, MaxLevel), inRange("leaf", s.Leaf, 1, MaxLeaf))
	case a == NRPA:
		err = cmp.Or(inRange("level", s.Level, 1, MaxLevel), inRange("iterations", s.Iterations, 1, 1<<20))
	case slices.Contains(gone, a):
		err = fmt.Errorf("algorithm %q went with 0.3.0 (the last commit with it is 5b68c516)", a)
	default:
		err = fmt.Errorf("algorithm %q is not %s", a, usererr.OneOf(string(a), []string{string(NMCS), string(NRPA)}))
	}
	if err == nil {
		_, err = s.Start()
	}
	return err
}

// Start returns the position after the prime.
func (s Settings) Start() (*cube.Board, error) {
	b, err := cube.NewAfter(s.Dimension, s.Prime)
	if errors.As(err, new(*cube.Fault)) {
		err = fmt.Errorf("prime: %w", err)
	}
	return b, err
}

// Sequence returns a line as a sequence, with the prime.
func (s Settings) Sequence(l nmcs.Line) cube.Sequence {
	all := slices.Clone(s.Prime)
	for _, m := range l.Moves {
		all = append(all, uint8(m))
	}
	return all
}

// String describes all settings that matter. Equal texts give equal results.
func (s Settings) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "snake in dimension %d, %s", s.Dimension, s.Algorithm)
	switch s.Algorithm {
	case NMCS:
		// Checkpoints of earlier versions name the policy of random games.
		fmt.Fprintf(&b, " of level %d, leaf %d, policy uniform", s.Level, s.Leaf)
	case NRPA:
		fmt.Fprintf(&b, " of level %d, %d iterations", s.Level, s.Iterations)
	}
	return fmt.Sprintf("%s, seed %d, prime %q", &b, s.Seed, cmp.Or(s.Prime.String(), "none"))
}
