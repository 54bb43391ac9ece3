package spot

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Solver improves the strategies of both players of a spot. Its [Solution] says what they are.
// It is used by one goroutine at a time.
type Solver struct {
	*traversal
	rotation
	iterations uint64
	onDevice   bool // a device has the entries
}

// Options are settings of a Solver.
type Options struct {
	// Algorithm is one of Algorithms. If it is Quantized, entries have 16 bits.
	Algorithm cfr.Algorithm
	Threads   int   // at least 1
	Memory    int64 // the most bytes to allocate, without those on a device
	Nodes     int   // the most nodes of the betting tree, 0 for MaxNodes
	// DeviceMemory is the most bytes to allocate on a device, 0 for those that are free.
	DeviceMemory int64
	// Device, if not nil, chooses where to solve once the size of the spot is known: on a device, which
	// has the entries then and gives results of the same bits, or by nil on the CPU.
	Device func(*Solver) (Device, error)
}

// New returns a solver of a spot. The error is an [ErrDeviceMemory] where a device has too little memory
// free.
func New(spot *Spot, o Options) (*Solver, error) {
	s, err := plan(spot, o)
	if err != nil {
		return nil, err
	}
	var device Device
	if o.Device != nil {
		if device, err = o.Device(s); err != nil {
			return nil, err
		}
	}
	s.onDevice = device != nil
	if need := s.Bytes(); need > o.Memory {
		return nil, &MemoryError{need, o.Memory}
	}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	if device != nil {
		if err := s.startOn(device, o.DeviceMemory); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// prepare gets a solver ready for the first iteration, but for what a device has.
func (s *Solver) prepare() error {
	s.setReach()
	if err := s.lock(); err != nil {
		return err
	}
	if !s.onDevice {
		s.allocate()
		s.start()
	}
	if s.pairs = s.weigh(); s.pairs == 0 {
		return s.noHands()
	}
	if s.spot.Offer != nil {
		s.gate = s.newGate()
		s.enter()
	}
	return nil
}

// Solution returns the average strategies. It follows the solver: what it says changes with each
// iteration.
func (s *Solver) Solution() *Solution { return &Solution{s.traversal} }

// noHands is ErrNoHands, with the player to blame if there is one.
func (s *Solver) noHands() error {
	for p := range s.spot.Ranges {
		if len(s.Root().Hands[p].Holes) == 0 {
			return fmt.Errorf("%w: the player %s has none", ErrNoHands, PlayerNames[p])
		}
	}
	return ErrNoHands
}

// Measure returns the memory that the solver of a spot would take, in bytes.
func Measure(spot *Spot, o Options) (int64, error) {
	s, err := plan(spot, o)
	if err != nil {
		return 0, err
	}
	return s.Bytes(), nil
}

// plan returns a solver that has no memory for its entries yet.
func plan(spot *Spot, o Options) (*Solver, error) {
	if err := spot.Check(); err != nil {
		return nil, err
	}
	threads := max(1, o.Threads)
	if spot.first() == layout.River {
		threads = 1 // threads share the cards that come next
	}
	table, err := newTable(spot, layout.River, cmp.Or(o.Nodes, MaxNodes), threads)
	if err != nil {
		return nil, err
	}
	t := &traversal{
		table: table, threads: threads, quantized: o.Algorithm.Quantized,
		ones: slices.Repeat([]float32{1}, table.Widest),
	}
	return &Solver{traversal: t, rotation: rotation{o.Algorithm, rotated}}, nil
}

// Algorithms returns the names of the algorithms of package cfr that a Solver has.
func Algorithms() (names []string) {
	for _, a := range cfr.Algorithms {
		if !a.Predictive {
			names = append(names, a.Name)
		}
	}
	return names
}

// A MemoryError is the error for a spot that needs more memory than there may be, in bytes.
type MemoryError struct{ Need, Limit int64 }

func (e *MemoryError) Error() string { return memory.Enough("the spot", e.Need, e.Limit).Error() }

// Bytes returns the memory that the solver takes, in bytes, without that on a device.
func (s *Solver) Bytes() int64 {
	entries := 8 * float64(s.Size.At)
	switch {
	case s.onDevice:
		entries = 0
	case s.quantized:
		entries = 4*float64(s.Size.At) + 8*float64(s.Size.Scale)
	}
	tree, hands, vectors := 0, 0, 0
	for k := s.First; k < layout.NumStreets; k++ {
		st := &s.Streets[k]
		tree += len(st.Nodes) * int(nodeBytes+2*unsafe.Sizeof(layout.Ending{}))
		slots, nodes := st.LargestBatch()
		vectors += s.threads * (slots[0] + slots[1] + max(slots[0], slots[1]) + nodes)
		for _, b := range s.Boards[k] {
			for p := range b.Hands {
				h := &b.Hands[p]
				hands += len(h.Holes)*(4+2*len(h.From)) + 4*len(b.Groups[p]) + 2*len(h.Canonical)
			}
		}
	}
	vectors += len(s.Root().Deals) * len(s.Streets[s.First].Batches[0].Deals)
	return memory.Saturate(entries + float64(tree+hands) + 4*float64(vectors)*float64(len(s.ones)))
}

// nodeBytes is the size of a node, with the action that leads there and its payoffs.
const nodeBytes = unsafe.Sizeof(struct {
	layout.Node
	Action
}{}) + unsafe.Sizeof(layout.Payoffs{})

// Entries returns the number of entries: actions of hands at decisions.
func (s *Solver) Entries() int64 { return s.Size.At }

// Iterations returns the number of iterations so far.
func (s *Solver) Iterations() uint64 { return s.iterations }

// Step does an iteration, which improves the strategy of one player and then that of the
// other.
func (s *Solver) Step() { s.StepUntil(context.Background()) }

// StepUntil is Step, unless the context is done before. It reports whether it was not. An
// iteration that ends early does not count: it has improved a part of the decisions, and the
// next one improves them again.
func (s *Solver) StepUntil(ctx context.Context) bool {
	for part := range s.parts(s.iterations) {
		for player := range 2 {
			p := s.improve(s.iterations, part, player)
			if p.Skips(s.First, 0) {
				continue
			}
			if ctx.Err() != nil {
				return false
			}
			values := s.traverse(&pass{Pass: p, ctx: ctx})
			if values == nil {
				return false
			}
			if s.chooses(player) {
				s.accept(&p, values)
			}
		}
	}
	s.iterations++
	return true
}

// accept lets the player who has an offer choose, from the values of its hands after a pass.
func (s *Solver) accept(p *layout.Pass, values []float32) {
	s.gate.Average(float64(p.Visits[s.First].Discounts.Average))
	s.gate.Choose(values)
	s.enter()
}

// Limits say when Solve ends.
type Limits struct {
	Iterations     uint64
	Exploitability float64 // chips
	// Abort, if not nil, may end an iteration at work, of which some changes remain.
	Abort context.Context
	Each  func() // is called after each iteration, if it is not nil
}

// Solve iterates until one of the limits is reached or the context is done, or Limits.Abort, and returns the
// exploitability, or NaN if it was stopped before that was computed again. It computes that now and then, and calls
// report with it.
func (s *Solver) Solve(ctx context.Context, limits Limits, report func(exploitability float64)) float64 {
	abort := cmp.Or(limits.Abort, context.Background())
	if limits.Exploitability < fine*float64(s.spot.Pot) {
		s.rotated = min(s.rotated, s.iterations)
	}
	for wait := uint64(firstWait); ; {
		until := min(limits.Iterations, s.iterations+wait)
		for s.iterations < until && ctx.Err() == nil && s.Err() == nil {
			if !s.StepUntil(abort) && s.Err() == nil {
				return math.NaN()
			}
			if limits.Each != nil {
				limits.Each()
			}
		}
		if ctx.Err() != nil {
			return math.NaN()
		}
		x := s.Solution().Exploitability()
		report(x)
		if s.ended(limits, x) || ctx.Err() != nil {
			return x
		}
		wait = s.wait(x / limits.Exploitability)
	}
}

// firstWait is the number of iterations before exploitability is computed first.
const firstWait = 8

// ended reports whether limits are reached, given the exploitability.
func (s *Solver) ended(l Limits, x float64) bool {
	return s.iterations >= l.Iterations || x <= l.Exploitability || s.Err() != nil
}

// wait returns how many iterations to do before exploitability is computed again, given how
// many times the target it is. It falls about as the square of the iterations rises. At least
// a thirty-second and at most half of the iterations so far are done.
func (s *Solver) wait(left float64) uint64 {
	n := float64(s.iterations)
	return uint64(max(1, n/32, min(n*(math.Sqrt(left)-1), n/2)))
}
