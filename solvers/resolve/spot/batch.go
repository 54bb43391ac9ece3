package spot

import (
	"gamebots/internal/parallel"
	"gamebots/solvers/resolve/spot/internal/layout"
)

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
	for p := range 2 {
		b.improve(p)
		b.accept(p)
	}
	for _, s := range b.solvers {
		s.iterations++
	}
}

// accept lets those players choose who have an offer.
func (b *batch) accept(player int) {
	var choosing []int
	for i, s := range b.solvers {
		if s.chooses(player) {
			choosing = append(choosing, i)
		}
	}
	if len(choosing) == 0 || b.err() != nil {
		return
	}
	values, err := b.passes.Roots(choosing, player)
	if err != nil {
		b.solvers[choosing[0]].gpu.err = err
		return
	}
	parallel.For(b.threads, len(choosing), func(_, j int) { b.solvers[choosing[j]].accept(values[j]) })
}

// improve does the pass of the next iteration for a player.
func (b *batch) improve(player int) {
	if b.err() != nil {
		return
	}
	err := b.passes.Traverse(b.solvers[0].improve(player), b.all)
	for _, s := range b.solvers {
		s.gpu.err = err
	}
}
