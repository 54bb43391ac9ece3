package resolve

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"gamebots/acpc/ranges"
	"gamebots/internal/parallel"
	"gamebots/solvers/resolve/spot"
)

// A Device solves flops to the end of the hand, and turns, on a GPU. Resolvers may share it.
type Device struct {
	spots  func(turn sync.Locker) spot.Device
	memory int64
	alone  sync.RWMutex // flops are solved one at a time, and turns beside each other

	weighing sync.Mutex
	mutex    sync.Mutex // guards the speeds and sizes
	paces    [numKinds]pace
	cpu      float64 // speed of the CPU on turns
}

// kind is a kind of solutions on a device.
type kind int

const (
	wholeFlop  kind = iota
	packedFlop      // with entries of 16 bits
	wholeTurn
	numKinds
)

// pace is what solutions of a kind take.
type pace struct {
	speed    float64 // entries times iterations a second; 0 before it is measured
	bytes    float64 // least memory for an entry; 0 before it is measured
	tooLarge bool    // a trial did not fit
}

// known reports whether it is known how much memory a kind takes.
func (p pace) known() bool { return p.tooLarge || p.bytes > 0 }

// NewDevice returns what solves on a device with so many free bytes of memory. spots are solved there in turns: each
// holds the lock while it is on the device, and is laid out before.
func NewDevice(spots func(turn sync.Locker) spot.Device, memory int64) *Device {
	return &Device{spots: spots, memory: memory}
}

// A DeviceError is the error for a device that has failed.
type DeviceError struct{ Err error }

func (e *DeviceError) Error() string { return "solving on the device failed: " + e.Err.Error() }

func (e *DeviceError) Unwrap() error { return e.Err }

var (
	errHangs = errors.New("it does not answer")
	errGone  = errors.New("it has failed before")
)

// grace is how long a device may still be busy when its time is up.
const grace = time.Second

// Speed returns how many entries times iterations a second the device does on flops, 0 before that is measured.
// Every solution measures it anew.
func (d *Device) Speed() float64 {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return max(d.paces[wholeFlop].speed, d.paces[packedFlop].speed)
}

// A trial is a spot by which a device is measured.
type trial struct {
	kind
	board, hands string
}

// The last trials are flops of all hands, with 32 and 16 bits.
var trials = []trial{
	{wholeTurn, "Qs7h2c5d", "AA,KK"}, {wholeTurn, "Qs7h2c5d", "random"}, {wholeFlop, "Qs7h2c", "22+,AT+"},
	{wholeFlop, "Qs7h2c", "random"}, {packedFlop, "Qs7h2c", "random"},
}

const (
	trialIterations = 3
	trialTime       = 50 * time.Millisecond // a device that takes longer for an iteration is not measured further
)

// Measure measures the speed on turns of about 1e4 and 1e7 entries, and flops of 1e7 and 2e8, until one of them takes
// long. It takes about a second.
func (d *Device) Measure(ctx context.Context, threads int) error {
	for _, trial := range trials {
		s, o := trial.spot(threads)
		x, err := d.try(ctx, s, o, trial.kind, trialIterations)
		switch {
		case err != nil:
			return err
		case x == nil && trial.kind == wholeFlop: // 16 bits may fit
			continue
		case x == nil:
			return nil // what is solved with so little memory has been measured
		case trial.kind == wholeTurn:
			if err := d.measureCPU(ctx, s, o); err != nil {
				return err
			}
		}
		if float64(x.solver.Entries()) > x.speed*trialTime.Seconds() {
			return nil
		}
	}
	return nil
}

// weigh finds out how much memory an entry of a flop needs, where that is not known. It takes seconds once.
func (d *Device) weigh(ctx context.Context, threads int) error {
	d.weighing.Lock()
	defer d.weighing.Unlock()
	for _, trial := range trials[len(trials)-2:] {
		if d.pace(trial.kind).known() {
			continue
		}
		s, o := trial.spot(threads)
		if _, err := d.try(ctx, s, o, trial.kind, 0); err != nil {
			return err
		}
	}
	return nil
}

// spot returns the spot of a trial, and how it is solved.
func (t *trial) spot(threads int) (*spot.Spot, spot.Options) {
	s := &spot.Spot{Pot: 600, Stack: 19_700, MinBet: 100, Menu: wholeFlops[len(wholeFlops)-1]}
	s.Board, _ = spot.ParseBoard(t.board)
	s.Ranges[0], _ = ranges.Parse(t.hands)
	s.Ranges[1] = s.Ranges[0]
	return s, optionsOf(s, t.kind, threads)
}

// try solves a spot and notes what its kind takes. The solution is nil if there is too little memory.
func (d *Device) try(
	ctx context.Context, s *spot.Spot, o spot.Options, k kind, iterations uint64,
) (*solution, error) {
	x, err := d.solve(ctx, s, o, k, iterations)
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if errors.Is(err, spot.ErrDeviceMemory) {
		d.paces[k].tooLarge = k != wholeTurn // smaller turns may fit
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d.paces[k] = pace{speed: x.speed, bytes: x.leastBytes / float64(x.solver.Entries())}
	if k == wholeTurn { // until flops are measured
		d.paces[wholeFlop].speed, d.paces[packedFlop].speed = x.speed, x.speed
	}
	return x, nil
}

// measureCPU measures the speed of the CPU on a turn.
func (d *Device) measureCPU(ctx context.Context, s *spot.Spot, o spot.Options) error {
	solver, err := spot.New(s, o)
	if err != nil {
		return err
	}
	start := time.Now()
	for range trialIterations {
		if !solver.StepUntil(ctx) {
			return context.Cause(ctx)
		}
	}
	speed := float64(solver.Entries()*trialIterations) / time.Since(start).Seconds()
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.cpu = speed
	return nil
}

// worthwhile reports whether the device solves turns faster than the CPU, as far as is known.
func (d *Device) worthwhile() bool {
	speed := d.pace(wholeTurn).speed
	return speed == 0 || speed > d.cpu
}

// pace returns what solutions of a kind take.
func (d *Device) pace(k kind) pace {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.paces[k]
}

// limit returns how many entries a tree may have that is to be solved in some iterations: those for which
// there is memory and time. after is how long it takes until the first one.
func (d *Device) limit(ctx context.Context, k kind, iterations uint64, after time.Duration) float64 {
	p, most := d.pace(k), math.Inf(1)
	switch {
	case p.tooLarge:
		return 0
	case p.bytes > 0:
		most = float64(d.memory) / p.bytes
	}
	deadline, timed := ctx.Deadline()
	switch {
	case !timed:
		return min(most, flopEntries)
	case k == wholeTurn && p.speed == 0:
		return most // the first turn shows how fast it is
	}
	left := time.Until(deadline) - after - reading
	return max(0, min(most, p.speed*left.Seconds()/float64(iterations+readingPasses)))
}

// flopLimit is limit for a flop, with 32 bits, or with 16 if they have been measured and allow more.
func (d *Device) flopLimit(ctx context.Context, iterations uint64, after time.Duration) (most float64, k kind) {
	most, packed := d.limit(ctx, wholeFlop, iterations, after), d.limit(ctx, packedFlop, iterations, after)
	if packed > most && d.pace(packedFlop).known() {
		return packed, packedFlop
	}
	return most, wholeFlop
}

// entries returns by menu how many entries a spot has, and how long that took: a solver takes about twice as long
// until its first iteration.
func entries(s *spot.Spot, menus []spot.Menu, threads int) (sizes []int64, took time.Duration, err error) {
	start := time.Now()
	sizes, err = s.Entries(menus, threads)
	return sizes, time.Since(start), err
}

// part returns a context that is done after a part of the time that another one has.
func part(ctx context.Context, part float64) (context.Context, context.CancelFunc) {
	deadline, timed := ctx.Deadline()
	if !timed {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Duration(part*float64(time.Until(deadline))))
}

// What a solution takes to be read after its last iteration: as long as so many more, and beyond that for
// the copies.
const (
	readingPasses = 4
	reading       = 100 * time.Millisecond
)

// solve solves a spot until the context is done. It returns an [spot.ErrDeviceMemory] if it is too large,
// and a [*DeviceError].
func (d *Device) solve(
	ctx context.Context, s *spot.Spot, o spot.Options, k kind, iterations uint64,
) (*solution, error) {
	return inTime(ctx, grace, func() (*solution, error) { return d.work(ctx, s, o, k, iterations) })
}

// inTime does work, or returns errHangs if that goes on for longer than grace after the time of the context. If
// that is cancelled, it returns the cause at once.
func inTime[T any](ctx context.Context, grace time.Duration, work func() (T, error)) (T, error) {
	waiting, giveUp := context.WithCancelCause(context.WithoutCancel(ctx))
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) { // nobody waits for the answer any more
			giveUp(context.Cause(ctx))
			return
		}
		time.AfterFunc(grace, func() { giveUp(&DeviceError{errHangs}) })
	})()
	return parallel.Await(waiting, work)
}

// work is solve as long as the device answers.
func (d *Device) work(
	ctx context.Context, s *spot.Spot, o spot.Options, k kind, iterations uint64,
) (*solution, error) {
	o.DeviceMemory = d.memory
	turn := sync.Locker(&d.alone)
	if k == wholeTurn {
		turn = d.alone.RLocker()
	}
	o.Device = func(*spot.Solver) (spot.Device, error) { return d.spots(turn), nil }
	solver, err := spot.New(s, o)
	if err != nil {
		return nil, d.failure(err)
	}
	x := &solution{spot: s, solver: solver, onDevice: true, leastBytes: float64(solver.LeastDeviceBytes())}
	err = d.iterate(ctx, x, k, iterations)
	if err == nil && solver.Iterations() > 0 {
		x.exploitability = solver.Solution().Exploitability()
		err = solver.Err()
	}
	if left := solver.LeaveDevice(); err == nil {
		err = left
	}
	return x, d.failure(err)
}

// failure returns an error of a solver as one of the device, unless it lacks memory.
func (d *Device) failure(err error) error {
	if err == nil || errors.Is(err, spot.ErrDeviceMemory) {
		return err
	}
	return &DeviceError{err}
}

// iterate does iterations until so much time is left as it takes to read the solution.
func (d *Device) iterate(ctx context.Context, x *solution, k kind, iterations uint64) error {
	entries, start := float64(x.solver.Entries()), time.Now()
	pass := time.Duration(math.MaxInt64) // time of an iteration
	if speed := d.pace(k).speed; speed > 0 {
		pass = time.Duration(entries / speed * float64(time.Second))
	}
	lead := min(max(1, uint64(deviceLead/max(1, pass))), mostLead)
	deadline, timed := ctx.Deadline()
	for x.solver.Iterations() < iterations && x.solver.StepUntil(ctx) {
		n := x.solver.Iterations()
		if n%lead != 0 {
			continue
		}
		if err := x.solver.Sync(); err != nil {
			return err
		}
		pass = time.Since(start) / time.Duration(n)
		if timed && time.Until(deadline) < reading+readingPasses*pass {
			break
		}
	}
	if err := x.solver.Sync(); err != nil {
		return err
	}
	took := max(time.Since(start), 1)
	x.speed = entries * float64(x.solver.Iterations()) / took.Seconds()
	if x.solver.Iterations() > mostLead {
		d.mutex.Lock()
		d.paces[k].speed = x.speed
		d.mutex.Unlock()
	}
	return nil
}

// deviceLead is how far a device may be behind, and mostLead by how many iterations.
const (
	deviceLead = 50 * time.Millisecond
	mostLead   = 8
)
