package spot

import (
	"errors"
	"fmt"
	"slices"

	"gamebots/acpc/card"
	"gamebots/solvers/internal/vectors"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Device puts a spot on another processor, which does the passes of its solver: package ondevice has
// that of a GPU. The limit is the most bytes to allocate, 0 for those that are free. The error is an
// [ErrDeviceMemory] where it has too little memory.
type Device func(start *layout.Start, limit int64) (layout.Passes, error)

// ErrDeviceMemory is the error for a spot that is too large for a device.
var ErrDeviceMemory = errors.New("too little memory on the device")

// ErrLeft is the error for what has been lost of a solution since its solver left its device.
var ErrLeft = errors.New("only the first street of the solution was kept")

// gpu is what a solver has on a device.
type gpu struct {
	layout.Passes
	values []float32 // at the root
	err    error     // the first one
}

// DeviceWorthwhile reports whether a GPU is likely to be faster than the CPU, and why it is not: a river has too few
// hands to keep one busy.
func (s *Solver) DeviceWorthwhile() (worthwhile bool, reason string) {
	const minEntries = 1 << 20
	return s.First < layout.River && s.Size.At >= minEntries,
		fmt.Sprintf("a GPU gains from %d entries on, before the river", minEntries)
}

// startOn puts a solver on a device.
func (s *Solver) startOn(d Device, limit int64) error {
	start := &layout.Start{
		Layout: s.Layout, Reach: s.reach, Locks: map[layout.NodeKey][]float32{},
		Packed: s.quantized, Unweighted: s.quantized && s.gate == nil, Threads: s.threads,
	}
	for key, l := range s.locks {
		start.Locks[key] = l
	}
	passes, err := d(start, limit)
	if err == nil {
		s.gpu = &gpu{Passes: passes, values: make([]float32, len(s.ones))}
	}
	return err
}

// DeviceBytes returns the memory that the solver takes on its device, in bytes.
func (s *Solver) DeviceBytes() int64 {
	if s.gpu == nil {
		return 0
	}
	return s.gpu.Bytes()
}

// LeastDeviceBytes returns the memory with which a device could solve the spot, in bytes: with more it is faster, by a
// gigabyte at most.
func (s *Solver) LeastDeviceBytes() int64 {
	if s.gpu == nil {
		return 0
	}
	return s.gpu.Least()
}

// Sync waits for the device, which does iterations later than Step returns.
func (s *Solver) Sync() error {
	if s.gpu == nil {
		return nil
	}
	return errors.Join(s.gpu.err, s.gpu.Sync())
}

// LeaveDevice frees the memory on a device. Of the solution its first street stays, which takes a
// thousandth of the memory: [Solution.Strategy] there, and [Solution.Dealt]. All else is an [ErrLeft],
// and the solver must do no more iterations.
func (s *Solver) LeaveDevice() error {
	if s.gpu == nil {
		return nil
	}
	err := errors.Join(s.gpu.err, s.keep(), s.gpu.Close())
	s.gpu, s.onDevice = nil, false
	return err
}

// Close frees the memory on a device. The solver must not be used any more.
func (s *Solver) Close() error {
	if s.gpu == nil {
		return nil
	}
	return s.gpu.Close()
}

// Err returns the error of the device. Results since then are invalid.
func (s *Solver) Err() error { return s.err() }

func (s *traversal) err() error {
	switch {
	case s.gpu != nil:
		return s.gpu.err
	case s.dealt != nil:
		return ErrLeft
	}
	return nil
}

// traverse does a pass. One that improves is waited for only if a player may take an offer instead
// of its values.
func (g *gpu) traverse(s *traversal, p *pass) []float32 {
	if g.err == nil {
		g.err = g.Traverse(p.Pass)
	}
	if p.Purpose == layout.Improve && !s.chooses(p.Player) {
		return g.values
	}
	return g.rootValues(s, p.Player)
}

// rootValues returns the values of a player's hands at the root that the last pass has left.
func (g *gpu) rootValues(s *traversal, player int) []float32 {
	root := &s.Root().Hands[player]
	clear(g.values)
	if g.err == nil {
		g.err = g.Values(layout.NodeKey{Street: s.First}, player, g.values[:len(root.Holes)])
	}
	return g.values[:root.Width]
}

// averages returns the sums of strategies at a decision.
func (s *traversal) averages(at layout.NodeKey, d layout.Place) ([]float32, error) {
	sums := make([]float32, d.Actions*d.Width)
	if s.dealt != nil && at.Street > s.First {
		return nil, ErrLeft
	}
	if s.saved != nil {
		return sums, s.saved.probabilities(at, sums)
	}
	if s.gpu == nil {
		return s.load(&s.sums, d, at, sums), nil
	}
	e := layout.NewEntries(int64(len(sums)), int64(d.Width/layout.Block), s.quantized)
	err := errors.Join(s.gpu.err, s.gpu.Read(layout.Sums, d, e.Floats, e.Packed, e.Scales))
	d.At, d.Scale = 0, 0
	return s.load(&e, d, at, sums), err
}

// captures returns what traversals for both players find at a decision on a board.
func (s *traversal) captures(p *point) (both [2]*capture, err error) {
	if s.dealt != nil {
		return both, ErrLeft
	}
	if s.saved != nil {
		return s.saved.captures(s, p)
	}
	for q := range both {
		err = errors.Join(err, s.capture(q, []layout.NodeKey{p.key()}, func(c *capture) { both[q] = c }))
	}
	if err != nil {
		return both, err
	}
	if s.gpu != nil {
		for q, c := range both { // the pass for a player has the reach of the other one only
			c.reach[q] = both[1-q].reach[q]
		}
	}
	return both, s.err()
}

// capture calls found with what a traversal for a player finds at some decisions, on several goroutines at once.
func (s *traversal) capture(player int, at []layout.NodeKey, found func(*capture)) (err error) {
	wanted, boards := map[layout.NodeKey]bool{}, map[int]bool{}
	for _, key := range at {
		wanted[key], boards[key.Board] = true, true
	}
	if slices.ContainsFunc(at, func(key layout.NodeKey) bool { return key.Street != s.First+1 }) {
		boards = nil
	}
	s.traverse(&pass{
		Pass:   layout.Pass{Purpose: layout.Average, Player: player},
		wanted: func(key layout.NodeKey) bool { return wanted[key] }, found: found, boards: boards,
	})
	for i := 0; s.gpu != nil && i < len(at) && err == nil; i++ {
		c := &capture{NodeKey: at[i]}
		if err = s.gpu.keep(s, c, player); err == nil {
			found(c)
		}
	}
	return err
}

// keep copies the vectors of a decision that the last pass has left on the device.
func (g *gpu) keep(s *traversal, c *capture, player int) error {
	if g.err != nil {
		return g.err
	}
	n := &s.Streets[c.Street].Nodes[c.Node]
	hands := &s.Boards[c.Street][c.Board].Hands
	vector := func(q int) []float32 { return make([]float32, hands[q].Width) }
	c.reach[1-player], c.value = vector(1-player), vector(player)
	err := errors.Join(
		g.Reach(c.NodeKey, 1-player, c.reach[1-player]),
		g.Values(c.NodeKey, player, c.value),
	)
	for a := range int32(n.Actions) {
		child := vector(player)
		at := c.NodeKey
		at.Node = n.First + a
		err = errors.Join(err, g.Values(at, player, child))
		c.children = append(c.children, child)
	}
	if int(n.Actor) != player {
		return err
	}
	d := s.Decision(c.Street, c.Board, n)
	sums, failed := s.averages(c.NodeKey, d)
	sigma := make([]float32, len(sums))
	vectors.MatchOther(sums, s.ones[:d.Width], sigma, d.Actions, d.Width, d.Width)
	for row := range slices.Chunk(sigma, d.Width) {
		c.sigma = append(c.sigma, row)
	}
	return errors.Join(err, failed)
}

// Dealt returns what the hands of a player win after a line that leads to a decision at the start of
// the second street: their part of the pot less what they still put in, in chips. It leaves out hands
// to which the other player can hold none.
func (s *Solution) Dealt(line string, player int) (map[card.Set]float64, error) {
	p, _, err := s.findDecision(line)
	if err != nil {
		return nil, err
	}
	key := p.key()
	both, ok := s.dealt[key]
	if !ok {
		if both, err = s.captures(&p); err != nil {
			return nil, err
		}
	}
	values := map[card.Set]float64{}
	for _, h := range s.hands(p, player, both[player], false) {
		if h.Opposing > 0 {
			values[h.Hole] = h.Value
		}
	}
	return values, nil
}

// keep brings the sums of strategies of the first street back from the device, and what the average
// strategies lead to on all boards of the next one.
func (s *traversal) keep() error {
	kept, next := s.Size, s.First+1
	if next < layout.NumStreets {
		kept = s.Base[next][0][0]
	}
	s.sums = layout.NewEntries(kept.At, kept.Scale, s.quantized)
	err := s.gpu.Read(layout.Sums, layout.Place{}, s.sums.Floats, s.sums.Packed, s.sums.Scales)
	s.dealt = map[layout.NodeKey][2]*capture{}
	for q := 0; q < 2 && next < layout.NumStreets; q++ {
		s.traverse(&pass{Pass: layout.Pass{Purpose: layout.Average, Player: q}})
		for board, b := range s.Boards[next] {
			for i := range s.Streets[next].Batches {
				for _, root := range s.Streets[next].Batches[i].Roots {
					key := layout.NodeKey{Street: next, Board: board, Node: root}
					both := s.dealt[key]
					if q == 0 {
						both = [2]*capture{{NodeKey: key}, {NodeKey: key}}
						s.dealt[key] = both
					}
					value, reach := make([]float32, b.Hands[q].Width), make([]float32, b.Hands[1-q].Width)
					err = errors.Join(err, s.gpu.Values(key, q, value), s.gpu.Reach(key, 1-q, reach))
					both[q].value = value
					both[0].reach[1-q], both[1].reach[1-q] = reach, reach
				}
			}
		}
	}
	return errors.Join(s.gpu.err, err)
}
