package resolve

import (
	"context"
	"errors"
	"slices"

	"gamebots/solvers/resolve/spot"
)

const (
	// RiversAtOnce is how many resolvers keep a device busy with their rivers. Each takes at most RiverBytes.
	RiversAtOnce = 1 << 10
	RiverBytes   = 8 << 20
	// riverBatches are solved at a time: while a device waits for the choices of one it passes the other.
	riverBatches = 2
)

// waitingRiver is a river that waits for a device.
type waitingRiver struct {
	riverKind
	solver *spot.Solver
	done   chan struct{}
	err    error
}

// riverKind is what rivers have in common that are solved side by side.
type riverKind struct {
	algorithm   string
	from, until uint64 // iterations
}

// river does the iterations of a river, together with those of other resolvers that wait, too, and with some threads.
// It is an [spot.ErrDeviceMemory] if it does not fit alone.
func (d *Device) river(ctx context.Context, s *spot.Solver, algorithm string, until uint64, threads int) error {
	x := &waitingRiver{riverKind: riverKind{algorithm, s.Iterations(), until}, solver: s, done: make(chan struct{})}
	d.mutex.Lock()
	d.rivers = append(d.rivers, x)
	d.mutex.Unlock()
	for {
		select {
		case <-x.done:
			return x.err
		case d.busy <- struct{}{}:
			d.solveRivers(ctx, d.nextRivers(), threads)
			<-d.busy
		}
	}
}

// nextRivers returns the first river that waits, and those of its kind.
func (d *Device) nextRivers() (next []*waitingRiver) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.rivers = slices.DeleteFunc(d.rivers, func(x *waitingRiver) bool {
		taken := len(next) < RiversAtOnce/riverBatches && (len(next) == 0 || next[0].riverKind == x.riverKind)
		if taken {
			next = append(next, x)
		}
		return taken
	})
	return next
}

// solveRivers solves rivers of a kind at once, or half of them if they do not fit.
func (d *Device) solveRivers(ctx context.Context, rivers []*waitingRiver, threads int) {
	if len(rivers) == 0 {
		return
	}
	var solvers []*spot.Solver
	for _, x := range rivers {
		solvers = append(solvers, x.solver)
	}
	err := spot.StepTogether(ctx, solvers, d.spots(d.alone.RLocker()), rivers[0].until, threads)
	if half := len(rivers) / 2; half > 0 && errors.Is(err, spot.ErrDeviceMemory) {
		d.solveRivers(ctx, rivers[:half], threads)
		d.solveRivers(ctx, rivers[half:], threads)
		return
	}
	if ctx.Err() == nil {
		err = d.failure(err)
	}
	for _, x := range rivers {
		x.err = err
		close(x.done)
	}
}
