package spot

import (
	"errors"

	"gamebots/solvers/resolve/spot/internal/loops"
)

// What the tests of package spot_test use, which imports ondevice.
var (
	SpotOf      = testSpot
	SolverOf    = testSolver
	LargeTurn   = largeTurn
	SameEntries = sameEntries
)

// Fetch copies all entries from a device.
func (s *Solver) Fetch() error {
	device := s.gpu.Passes.(interface{ Regrets(to []float32) error })
	s.regrets, s.sums = loops.NewEntries(s.Size.At, 0, false), loops.NewEntries(s.Size.At, 0, false)
	return errors.Join(device.Regrets(s.regrets.Floats), s.gpu.Sums(0, s.sums.Floats), s.Err())
}
