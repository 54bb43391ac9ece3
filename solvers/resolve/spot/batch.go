package spot

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gamebots/internal/parallel"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Batch solves spots side by side. Each gets the bits that it gets alone. On the CPU a spot is solved by one thread;
// on a device all spots share the passes, so that thousands of rivers keep it busy. A Batch is used by
// one goroutine at a time.
type Batch struct {
	// Solvers are by spot. They say what the solutions are, and must be neither stepped nor closed.
	Solvers []*Solver

	threads int
	passes  layout.Passes // passes of all spots on a device, or nil
}

// NewBatch returns a batch of spots. Threads and memory are for all of them together. The device is chosen once, for
// the first solver. Errors are those of [New], with the number of the spot.
func NewBatch(spots []*Spot, o Options) (*Batch, error) {
	if len(spots) == 0 {
		return nil, errors.New("a batch of no spots")
	}
	b := &Batch{Solvers: make([]*Solver, len(spots)), threads: max(1, o.Threads)}
	o.Threads = 1
	err := b.each(func(i int) (err error) {
		b.Solvers[i], err = plan(spots[i], o)
		return err
	})
	if err != nil {
		return nil, err
	}
	device, err := b.Solvers[0].choose(&o)
	if err != nil {
		return nil, err
	}
	for _, s := range b.Solvers {
		s.onDevice = device != nil
	}
	if need := b.Bytes(); need > o.Memory {
		return nil, &MemoryError{need, o.Memory}
	}
	if err := b.each(func(i int) error { return b.Solvers[i].prepare() }); err != nil {
		return nil, err
	}
	if device == nil {
		return b, nil
	}
	if err := startOn(device, o.DeviceMemory, b.Solvers...); err != nil {
		return nil, err
	}
	b.passes = b.Solvers[0].gpu.Passes
	return b, nil
}

// each calls f for each spot, and returns the first error.
func (b *Batch) each(f func(i int) error) error {
	return parallel.Try(b.threads, len(b.Solvers), func(i int) error {
		if err := f(i); err != nil {
			return fmt.Errorf("spot %d: %w", i, err)
		}
		return nil
	})
}

// Bytes returns the memory that the batch takes, in bytes, without that on a device.
func (b *Batch) Bytes() (sum int64) {
	for _, s := range b.Solvers {
		sum += s.Bytes()
	}
	return sum
}

// DeviceBytes returns the memory that the batch takes on its device, in bytes.
func (b *Batch) DeviceBytes() int64 { return b.Solvers[0].DeviceBytes() }

// Err returns the error of the device. Results since then are invalid.
func (b *Batch) Err() error {
	for _, s := range b.Solvers {
		if err := s.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Close frees the memory on a device. The batch must not be used any more.
func (b *Batch) Close() error { return b.Solvers[0].Close() }

// all returns the numbers of all spots.
func (b *Batch) all() []int {
	spots := make([]int, len(b.Solvers))
	for i := range spots {
		spots[i] = i
	}
	return spots
}

// Step does an iteration of every spot.
func (b *Batch) Step() {
	if b.passes != nil {
		b.step(b.all())
		return
	}
	parallel.For(b.threads, len(b.Solvers), func(_, i int) { b.Solvers[i].Step() })
}

// step does an iteration of some spots on the device, which have done as many.
func (b *Batch) step(spots []int) {
	first := b.Solvers[spots[0]]
	for p := range 2 {
		b.traverse(first.improve(p), spots)
		b.accept(p, spots)
	}
	for _, i := range spots {
		b.Solvers[i].iterations++
	}
}

// accept lets those players choose who have an offer in some spots.
func (b *Batch) accept(player int, spots []int) {
	var choosing []int
	for _, i := range spots {
		if b.Solvers[i].chooses(player) {
			choosing = append(choosing, i)
		}
	}
	if len(choosing) == 0 || b.Err() != nil {
		return
	}
	values, err := b.passes.Roots(choosing, player)
	if err != nil {
		b.Solvers[choosing[0]].gpu.err = err
		return
	}
	parallel.For(b.threads, len(choosing), func(_, j int) { b.Solvers[choosing[j]].accept(values[j]) })
}

// traverse does a pass of some spots on the device.
func (b *Batch) traverse(p layout.Pass, spots []int) {
	if b.Err() != nil {
		return
	}
	err := b.passes.Traverse(p, spots)
	for _, i := range spots {
		b.Solvers[i].gpu.err = err
	}
}

// Solve solves each spot as [Solver.Solve] does, until its limits or the context end it; those that are done take no
// more time. It calls done with the number of each spot and its exploitability, which is NaN if the context was done
// before that was computed, one call at a time.
func (b *Batch) Solve(ctx context.Context, limits func(i int) Limits, done func(i int, exploitability float64)) {
	if b.passes != nil {
		b.solveOnDevice(ctx, limits, done)
		return
	}
	var one sync.Mutex
	parallel.For(b.threads, len(b.Solvers), func(_, i int) {
		x := b.Solvers[i].Solve(ctx, limits(i), func(float64) {})
		one.Lock()
		defer one.Unlock()
		done(i, x)
	})
}

func (b *Batch) solveOnDevice(ctx context.Context, limits func(i int) Limits, done func(i int, x float64)) {
	spots, until := b.all(), make([]uint64, len(b.Solvers)) // iterations after which to evaluate
	for i, s := range b.Solvers {
		until[i] = min(limits(i).Iterations, s.iterations+firstWait)
	}
	for len(spots) > 0 {
		due := func(i int) bool { return b.Solvers[i].iterations >= until[i] || b.Solvers[i].Err() != nil }
		for !slices.ContainsFunc(spots, due) && ctx.Err() == nil {
			b.step(spots)
		}
		if ctx.Err() != nil {
			for _, i := range spots {
				done(i, math.NaN())
			}
			return
		}
		var evaluated []int
		for _, i := range spots {
			if due(i) {
				evaluated = append(evaluated, i)
			}
		}
		for j, x := range b.exploitability(evaluated) {
			i := evaluated[j]
			s, l := b.Solvers[i], limits(i)
			if s.ended(l, x) {
				done(i, x)
				spots = slices.DeleteFunc(spots, func(k int) bool { return k == i })
				continue
			}
			until[i] = min(l.Iterations, s.iterations+s.wait(x/l.Exploitability))
		}
	}
}

// exploitability returns those of some spots on the device. Those with offers or rake are evaluated one after
// the other.
func (b *Batch) exploitability(spots []int) []float64 {
	all := make([]float64, len(spots))
	var places, together []int
	for j, i := range spots {
		if s := b.Solvers[i]; s.gate != nil || s.spot.Rake != (Rake{}) {
			all[j] = s.Solution().Exploitability()
		} else {
			places, together = append(places, j), append(together, i)
		}
	}
	for p := 0; p < 2 && len(together) > 0; p++ {
		b.traverse(layout.Pass{Purpose: layout.Respond, Player: p}, together)
		for j, i := range together {
			s := b.Solvers[i]
			all[places[j]] += s.weighted(s.gpu.rootValues(s.traversal, p), p) / s.pairs / 2 // they win zero together
		}
	}
	return all
}
