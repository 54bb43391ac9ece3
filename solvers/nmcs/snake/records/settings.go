package records

import (
	"errors"
	"fmt"
	"slices"

	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// The algorithms of this package. Those of package snake can be searched by, too.
const (
	HalfByHalf snake.Algorithm = "halves" // [Halves]
	Walking    snake.Algorithm = "walk"   // [Walk]
)

// UsesBeams reports whether an algorithm makes beam searches.
func UsesBeams(a snake.Algorithm) bool { return a == snake.BeamSearch || a == HalfByHalf }

// Settings are everything that the result of a search depends on.
type Settings struct {
	snake.Settings          // Width is that of halves, too; walks begin at Prime
	Symmetry       Symmetry // beam search, halves, walk
	Walks          int      // walk, halves; beam search: 0 for none
}

// MaxWalks is the largest number of walks.
const MaxWalks = 1 << 20

// NeedsWalks reports whether an algorithm cannot do without walks.
func NeedsWalks(a snake.Algorithm) bool { return a == HalfByHalf || a == Walking }

// The usual numbers of walks on a CPU and on a GPU.
const (
	CPUWalks = 64
	GPUWalks = 4096
)

// Check returns an error if a setting is out of range, or the [*cube.Fault] of a prime that is no
// snake.
func (s Settings) Check() error {
	if err := s.Rules.Check(); err != nil {
		return err
	}
	all := []snake.Algorithm{snake.NMCS, snake.NRPA, snake.BeamSearch, HalfByHalf, Walking}
	if err := s.Algorithm.OneOf(all...); err != nil {
		return err
	}
	if err := s.checkSymmetry(); err != nil {
		return err
	}
	switch s.Algorithm {
	case snake.NMCS, snake.NRPA:
		return s.Settings.Check()
	case snake.BeamSearch:
		if err := s.checkNumbers(0); err != nil {
			return err
		}
		_, err := s.Start()
		return err
	case HalfByHalf:
		if err := s.checkNumbers(1); err != nil {
			return err
		}
		return s.checkHalves()
	}
	if err := snake.InRange("walks", s.Walks, 1, MaxWalks); err != nil {
		return err
	}
	return s.checkWalk()
}

// checkNumbers returns an error if a search by beams and walks has too few or too many of them.
func (s Settings) checkNumbers(fewestWalks int) error {
	if err := snake.InRange("width", s.Width, 1, snake.MaxWidth); err != nil {
		return err
	}
	return snake.InRange("walks", s.Walks, fewestWalks, MaxWalks)
}

// checkHalves returns an error if the settings are not for [Halves].
func (s Settings) checkHalves() error {
	if s.Rules.Dimension == cube.MinDimension {
		return fmt.Errorf("algorithm %s needs dimension %d or higher", HalfByHalf, cube.MinDimension+1)
	}
	used := slices.Max(append(cube.Sequence{0}, s.Prime...))
	if len(s.Prime) > 0 && int(used) >= s.Rules.Dimension-1 {
		return fmt.Errorf("algorithm %s takes a prime of dimension %d or lower, not %d",
			HalfByHalf, s.Rules.Dimension-1, used+1)
	}
	_, err := s.Start()
	return err
}

// checkWalk returns an error if a walk cannot begin at the prime.
func (s Settings) checkWalk() error {
	if len(s.Prime) == 0 {
		return nil
	}
	if err := cube.Check(s.Rules, s.Prime); err != nil {
		return fmt.Errorf("prime: %w", err)
	}
	if _, ok := rotationOf(s.Rules, s.Prime, s.Symmetry.Copies); !ok {
		return fmt.Errorf("prime: it does not have symmetry %v", s.Symmetry)
	}
	return nil
}

// CheckDevice returns an error that wraps [errors.ErrUnsupported] if a GPU cannot make a search
// with these settings.
func (s Settings) CheckDevice() error {
	plain := s.Settings
	switch {
	case s.Algorithm == HalfByHalf, s.Algorithm == Walking:
		plain.Rules.Coil = false
	case s.Symmetry.Copies > 0:
		return fmt.Errorf("symmetry %v: %w on a GPU", s.Symmetry, errors.ErrUnsupported)
	}
	return plain.CheckDevice()
}

// DeviceWorthwhile reports whether a GPU is likely to be faster than the CPU for maxRuns runs, 0
// for no limit: it gives each run, or each path of a beam, one of many threads, which are each
// slower than one of the CPU.
func (s Settings) DeviceWorthwhile(maxRuns uint64) bool {
	const minRuns, minWidth = 1000, 5000
	switch {
	case s.Algorithm == Walking:
		return s.Walks >= minRuns
	case UsesBeams(s.Algorithm):
		return s.Width >= minWidth
	}
	return maxRuns == 0 || maxRuns >= minRuns
}

// String describes all settings that matter. Equal texts give equal results.
func (s Settings) String() string {
	further := ""
	if s.Algorithm == HalfByHalf {
		further = fmt.Sprintf(" of width %d", s.Width)
	}
	if s.Walks > 0 && s.Algorithm != snake.NMCS && s.Algorithm != snake.NRPA {
		further += fmt.Sprintf(", %d walks", s.Walks)
	}
	if s.Symmetry != (Symmetry{}) {
		further += fmt.Sprintf(", symmetry %v", s.Symmetry)
	}
	return s.Describe(further)
}
