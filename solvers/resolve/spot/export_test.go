package spot

import (
	"errors"

	"gamebots/solvers/resolve/spot/internal/layout"
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
	s.regrets, s.sums = s.newEntries(), s.newEntries()
	read := s.gpu.Read
	return errors.Join(
		read(layout.Regrets, layout.Place{}, s.regrets.Floats, s.regrets.Packed, s.regrets.Scales),
		read(layout.Sums, layout.Place{}, s.sums.Floats, s.sums.Packed, s.sums.Scales), s.Err())
}

// Rotate sets the number of iterations in rotation.
func (s *Solver) Rotate(iterations uint64) { s.rotated = iterations }

// Dealt returns lines to the starts of the second street: checks, and every card.
func Dealt(s *Solver) (lines []string) {
	if s.First == layout.River {
		return nil
	}
	for _, d := range s.Root().Deals {
		for _, r := range d.Renamings {
			lines = append(lines, "x x "+r.Of(s.Boards[s.First+1][d.Board].Cards&^s.Root().Cards).String())
		}
	}
	return lines
}
