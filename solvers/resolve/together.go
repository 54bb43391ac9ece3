package resolve

import (
	"context"
	"errors"
	"slices"

	"gamebots/solvers/resolve/spot"
)

const (
	// AtOnce is how many resolvers keep a device busy with their rivers, or their turns.
	AtOnce = 1 << 10
	// batchesAtOnce are solved at a time: while one is laid out, brought back or waits for choices, a device passes
	// another.
	batchesAtOnce = 4
)

// waiting is a spot that waits for a device.
type waiting struct {
	batchKind
	solver *spot.Solver
	done   chan struct{}
	err    error
}

// batchKind is what spots have in common that are solved side by side.
type batchKind struct {
	round       int
	algorithm   string
	from, until uint64 // iterations
}

// together does the iterations of a solver, side by side with those of other resolvers that wait, too, and with some
// threads. It is an [spot.ErrDeviceMemory] if the spot does not fit alone.
func (d *Device) together(ctx context.Context, s *spot.Solver, k batchKind, threads int) error {
	x := &waiting{batchKind: k, solver: s, done: make(chan struct{})}
	d.mutex.Lock()
	d.waiting = append(d.waiting, x)
	if d.batches < batchesAtOnce {
		d.batches++
		go d.solveWaiting(ctx, threads)
	}
	d.mutex.Unlock()
	<-x.done
	return x.err
}

// solveWaiting solves one batch after the other until none waits.
func (d *Device) solveWaiting(ctx context.Context, threads int) {
	for batch := d.nextBatch(); batch != nil; batch = d.nextBatch() {
		d.solveBatch(ctx, batch, threads)
	}
}

// nextBatch returns the first spot that waits, and those of its kind. If there is none, it counts as the end of its
// caller's batches.
func (d *Device) nextBatch() (next []*waiting) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if len(d.waiting) == 0 {
		d.batches--
	}
	d.waiting = slices.DeleteFunc(d.waiting, func(x *waiting) bool {
		taken := len(next) < AtOnce/batchesAtOnce && (len(next) == 0 || next[0].batchKind == x.batchKind)
		if taken {
			next = append(next, x)
		}
		return taken
	})
	return next
}

// solveBatch solves spots of a kind at once, or half of them if they do not fit.
func (d *Device) solveBatch(ctx context.Context, batch []*waiting, threads int) {
	var solvers []*spot.Solver
	for _, x := range batch {
		solvers = append(solvers, x.solver)
	}
	err := spot.StepTogether(ctx, solvers, d.spots(d.alone.RLocker()), batch[0].until, threads)
	if half := len(batch) / 2; half > 0 && errors.Is(err, spot.ErrDeviceMemory) {
		d.solveBatch(ctx, batch[:half], threads)
		d.solveBatch(ctx, batch[half:], threads)
		return
	}
	if ctx.Err() == nil {
		err = d.failure(err)
	}
	for _, x := range batch {
		x.err = err
		close(x.done)
	}
}
