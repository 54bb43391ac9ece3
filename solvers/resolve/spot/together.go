package spot

import (
	"context"
	"errors"

	"gamebots/solvers/resolve/spot/internal/layout"
)

// StepTogether does iterations of solvers of the CPU side by side on a device until they have done so many, and brings
// them back with the bits that each gets alone. They have the same algorithm and have done as many iterations before.
// The error is an [ErrDeviceMemory] if they do not fit, which leaves them as they were. After another one, such as the
// cause of the end of ctx, they must not be used any more.
func StepTogether(ctx context.Context, solvers []*Solver, d Device, iterations uint64, threads int) (err error) {
	if err := startOn(d, 0, solvers...); err != nil {
		return err
	}
	b := &batch{solvers: solvers, threads: threads, passes: solvers[0].gpu.Passes}
	defer func() {
		err = errors.Join(err, solvers[0].Close())
		for _, s := range solvers {
			s.gpu = nil
		}
	}()
	for i, s := range solvers {
		b.all = append(b.all, i)
		if s.iterations > 0 { // it has started from another one
			err = errors.Join(err, s.transfer(s.gpu.Write))
		}
	}
	for err == nil && solvers[0].iterations < iterations {
		b.step()
		err = errors.Join(b.err(), context.Cause(ctx))
	}
	for _, s := range solvers {
		if err == nil {
			err = s.transfer(s.gpu.Read)
		}
	}
	return err
}

// transfer copies all entries to a device or from it.
func (s *traversal) transfer(
	one func(t layout.Table, spot int, from layout.Place, floats []float32, packed []int16, scales []float32) error,
) error {
	return errors.Join(
		one(layout.Regrets, s.gpu.spot, layout.Place{}, s.regrets.Floats, s.regrets.Packed, s.regrets.Scales),
		one(layout.Sums, s.gpu.spot, layout.Place{}, s.sums.Floats, s.sums.Packed, s.sums.Scales),
	)
}
