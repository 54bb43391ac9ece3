package spot

import (
	"context"
	"errors"

	"gamebots/internal/parallel"
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

// batch are solvers whose spots share the passes of a device. Each gets the bits that it gets alone.
type batch struct {
	solvers []*Solver
	all     []int // numbers of all spots
	threads int
	passes  layout.Passes
}

// err returns the error of the device.
func (b *batch) err() error {
	for _, s := range b.solvers {
		if err := s.Err(); err != nil {
			return err
		}
	}
	return nil
}

// step does an iteration of all spots, which have done as many.
func (b *batch) step() {
	first := b.solvers[0]
	for part := range first.parts(first.iterations) {
		for player := range 2 {
			p := first.improve(first.iterations, part, player)
			b.improve(p)
			b.accept(&p)
		}
	}
	for _, s := range b.solvers {
		s.iterations++
	}
}

// accept lets those players choose who have an offer, after a pass.
func (b *batch) accept(p *layout.Pass) {
	var choosing []int
	for i, s := range b.solvers {
		if s.chooses(p.Player) && !p.Skips(s.First, 0) {
			choosing = append(choosing, i)
		}
	}
	if len(choosing) == 0 || b.err() != nil {
		return
	}
	values, err := b.passes.Roots(choosing, p.Player)
	if err != nil {
		b.solvers[choosing[0]].gpu.err = err
		return
	}
	parallel.For(b.threads, len(choosing), func(_, j int) { b.solvers[choosing[j]].accept(p, values[j]) })
}

// improve does a pass.
func (b *batch) improve(p layout.Pass) {
	if b.err() != nil {
		return
	}
	err := b.passes.Traverse(p, b.all)
	for _, s := range b.solvers {
		s.gpu.err = err
	}
}
