package snake

import (
	"cmp"
	"fmt"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Algorithm is a search algorithm.
type Algorithm string

// The algorithms of this package.
const (
	NMCS       Algorithm = "nmcs" // [Run]
	NRPA       Algorithm = "nrpa" // [Run]
	BeamSearch Algorithm = "beam" // [Beam]
)

// OneOf returns an error unless the algorithm is one of some.
func (a Algorithm) OneOf(all ...Algorithm) error {
	var names []string
	for _, known := range all {
		if a == known {
			return nil
		}
		names = append(names, string(known))
	}
	return fmt.Errorf("algorithm %q is not %s", a, usererr.OneOf(string(a), names))
}

// Settings are everything that the result of a search depends on.
type Settings struct {
	Rules     cube.Rules
	Algorithm Algorithm
	Seed      uint64
	Prime     cube.Sequence // all paths begin with it

	Level      int         // NMCS, NRPA
	Leaf       int         // NMCS: playouts of a leaf
	Policy     nmcs.Policy // NMCS
	Iterations int         // NRPA: searches of the level below
	Width      int         // beam search: paths to keep
}

// The ranges of settings.
const (
	MaxLevel = 6
	MaxLeaf  = 1 << 20
	MaxWidth = 1 << 28
)

// InRange returns an error if a setting is out of its range.
func InRange(name string, value, low, high int) error {
	if value < low || value > high {
		return fmt.Errorf("%s %d is not one of %d to %d", name, value, low, high)
	}
	return nil
}

// Check returns an error if a setting is out of range, or the [*cube.Fault] of a prime that is no
// snake.
func (s Settings) Check() error {
	err := s.Rules.Check()
	if err == nil {
		err = s.Algorithm.OneOf(NMCS, NRPA, BeamSearch)
	}
	if err == nil {
		switch s.Algorithm {
		case NMCS:
			err = cmp.Or(InRange("level", s.Level, 0, MaxLevel), InRange("leaf", s.Leaf, 1, MaxLeaf))
		case NRPA:
			err = cmp.Or(InRange("level", s.Level, 1, MaxLevel), InRange("iterations", s.Iterations, 1, 1<<20))
		case BeamSearch:
			if err = InRange("width", s.Width, 1, MaxWidth); err == nil && s.Rules.Coil {
				err = fmt.Errorf("a beam search is for snakes; package records has those for coils")
			}
		}
	}
	if err == nil {
		_, err = s.Start()
	}
	return err
}

// Start returns the position after the prime.
func (s Settings) Start() (*cube.Board, error) {
	if s.Rules.Coil && len(s.Prime) > 0 {
		return nil, fmt.Errorf("a coil cannot begin with a given sequence")
	}
	b, err := cube.NewAfter(s.Rules, s.Prime)
	if err != nil && len(s.Prime) > 0 {
		err = fmt.Errorf("prime: %w", err)
	}
	return b, err
}

// Sequence returns a line as a sequence, with the prime.
func (s Settings) Sequence(l nmcs.Line) cube.Sequence { return s.Rules.Sequence(s.Prime, l.Moves) }

// String describes all settings that matter. Equal texts give equal results.
func (s Settings) String() string { return s.Describe("") }

// Describe is String with a description of further settings, which begins with ", " if there are any.
func (s Settings) Describe(further string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in dimension %d, %s", s.Rules.Kind(), s.Rules.Dimension, s.Algorithm)
	switch s.Algorithm {
	case NMCS:
		fmt.Fprintf(&b, " of level %d, leaf %d, policy %v", s.Level, s.Leaf, s.Policy)
	case NRPA:
		fmt.Fprintf(&b, " of level %d, %d iterations", s.Level, s.Iterations)
	case BeamSearch:
		fmt.Fprintf(&b, " of width %d", s.Width)
	}
	b.WriteString(further)
	if s.Rules.Free {
		b.WriteString(", all moves")
	}
	return fmt.Sprintf("%s, seed %d, prime %q", &b, s.Seed, cmp.Or(s.Prime.String(), "none"))
}
