package spot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot/internal/layout"
	"gamebots/solvers/strategy"
)

// saved is a solution that is read from its file.
type saved struct {
	*points
	file  *strategy.File
	meta  strategy.Meta
	start [2][]float32 // weights of the ranges
	river *river       // the last one that was solved

	riverMemory int64           // for one, in bytes
	until       context.Context // given by [Solution.Until], or nil

	evaluation Evaluation
}

// river is a river after a line, which was solved on its own.
type river struct {
	*Solver
	line   string
	solved bool // to its target
}

// riverTarget is the exploitability to which rivers are solved, as a part of the pot there, and riverIterations the
// most iterations.
const (
	riverTarget     = 1e-4
	riverIterations = 2000
	// absent is the part of its weight with which a hand is on a river where its player never has it.
	absent = 1e-9
)

// IsSaved reports whether a file is one of [Solver.Save].
func IsSaved(path string) bool {
	f, err := strategy.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Meta().Game == savedGame
}

// OpenSaved opens a file of [Solver.Save]. Nothing is solved: points before the river are read, and a river is
// solved when it is asked for, in so many bytes of memory, to a ten-thousandth of its pot. A [*MemoryError] is that of
// a file with more numbers than that. [Solution.Close] closes the file.
func OpenSaved(path string, threads int, memory int64) (*Solution, error) {
	f, err := strategy.Open(path)
	if err != nil {
		return nil, err
	}
	var s *Solution
	if f.Len() > uint64(memory)/4 {
		err = &MemoryError{4 * int64(f.Len()), memory}
	} else {
		s, err = newSaved(f, threads)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	} else {
		s.saved.riverMemory = memory
		err = s.evaluate() // its errors name the file
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// A StrategyError is the error for a file that is no spot, but the strategy of a game.
type StrategyError struct{ Game string }

func (e *StrategyError) Error() string {
	return "it is a strategy for " + e.Game + ", not a solved spot"
}

func newSaved(f *strategy.File, threads int) (*Solution, error) {
	m := f.Meta()
	if m.Game != savedGame {
		return nil, &StrategyError{m.Game}
	}
	corrupt := func(err error) error { return fmt.Errorf("%w: %w", strategy.ErrCorrupt, err) }
	s := new(Spot)
	if err := s.UnmarshalText([]byte(m.GameText)); err != nil {
		return nil, corrupt(err)
	}
	if s.Stack == 0 {
		return nil, corrupt(&LineError{})
	}
	// A node has several numbers in the file on each board, but for the roots of streets, and for some cards. Else
	// a small file would take much memory.
	most := int(f.Len()/4 + 1<<18)
	t, err := newTable(s, s.kept(), min(most, MaxNodes), threads)
	if err != nil {
		return nil, corrupt(err)
	}
	for k, st := range t.Streets {
		most -= len(t.Boards[k]) * len(st.Nodes)
	}
	if most < 0 {
		return nil, corrupt(ErrTooManyNodes)
	}
	p := newPoints(t, s.kept())
	if uint64(p.size) != f.Len() {
		return nil, corrupt(fmt.Errorf("%d numbers, its spot has %d", f.Len(), p.size))
	}
	x := &traversal{
		table: t, threads: threads, quantized: m.Params["bits"] == 16,
		ones: slices.Repeat([]float32{1}, t.Widest), saved: &saved{points: p, file: f, meta: m},
	}
	x.setReach()
	if x.pairs = x.weigh(); x.pairs == 0 {
		return nil, corrupt(ErrNoHands)
	}
	x.saved.start = x.reach
	return &Solution{x}, nil
}

// read reads numbers of the file.
func (s *saved) read(at, n int) ([]float32, error) {
	values := make([]float32, n)
	return values, s.file.Read(uint64(at), values)
}

// probabilities sets the probabilities of the actions at a decision, over vectors of hands.
func (s *saved) probabilities(key layout.NodeKey, to []float32) error {
	at, actions, own, _ := s.at(key)
	values, err := s.read(at, actions*own)
	width := len(to) / actions
	for i := range own {
		sum := float32(0)
		for a := range actions {
			sum += values[a*own+i]
		}
		for a := range actions {
			if to[a*width+i] = 1 / float32(actions); sum > 0 {
				to[a*width+i] = values[a*own+i] / sum
			}
		}
	}
	return err
}

// reached returns the reach of both players at a point.
func (s *saved) reached(p *point) (both [2][]float32, err error) {
	for q, start := range s.start {
		both[q] = slices.Clone(start)
	}
	way := append(slices.Clip(p.way), p.key())
	for i, to := range way[1:] {
		n := &s.Streets[way[i].Street].Nodes[way[i].Node]
		if n.Kind == layout.Deal {
			for q, h := range s.Boards[to.Street][to.Board].Hands {
				from := both[q]
				both[q] = make([]float32, h.Width)
				h.Gather(both[q], from)
			}
			continue
		}
		reach := both[n.Actor]
		sigma := make([]float32, int(n.Actions)*len(reach))
		if err := s.probabilities(way[i], sigma); err != nil {
			return both, err
		}
		for j, x := range sigma[int(to.Node-n.First)*len(reach):][:len(reach)] {
			reach[j] *= x
		}
	}
	return both, nil
}

// captures returns what traversals for both players would find at a decision.
func (s *saved) captures(x *traversal, p *point) (both [2]*capture, err error) {
	key := p.key()
	at, actions, own, other := s.at(key)
	reach, err := s.reached(p)
	if err != nil {
		return both, err
	}
	values, err := s.read(at, 2*actions*own+other)
	if err != nil {
		return both, err
	}
	actor := int(s.Streets[key.Street].Nodes[key.Node].Actor)
	b := s.Boards[key.Street][key.Board]
	for q := range both {
		c := &capture{NodeKey: key, reach: reach}
		both[q] = c
		opposing := opposing(b, q, reach[1-q])
		vector := func(from []float32) []float32 {
			to := make([]float32, b.Hands[q].Width)
			for i, v := range from {
				to[i] = s.value(float64(v)*s.scale()-float64(s.spot.Stack), opposing[i], key.Street)
			}
			return to
		}
		if q != actor {
			c.value = vector(values[2*actions*own:])
			continue
		}
		width := b.Hands[q].Width
		sigma := make([]float32, actions*width)
		if err := s.probabilities(key, sigma); err != nil {
			return both, err
		}
		c.value = make([]float32, width)
		for a := range actions {
			row := sigma[a*width:][:width]
			c.sigma = append(c.sigma, row)
			c.children = append(c.children, vector(values[(actions+a)*own:][:own]))
			for i, p := range row {
				c.value[i] += p * c.children[a][i]
			}
		}
	}
	return both, nil
}

// Spot returns the spot.
func (s *Solution) Spot() *Spot { return s.spot }

// Meta describes how a spot was solved that [OpenSaved] has opened.
func (s *Solution) Meta() strategy.Meta { return s.saved.meta }

// Until has rivers of a solution that [OpenSaved] has opened solved until a context is done, instead of without end.
// Asking for such a river is an error then, and asking again goes on with it.
func (s *Solution) Until(ctx context.Context) {
	if s.saved != nil {
		s.saved.until = ctx
	}
}

// Close closes the file of a solution that [OpenSaved] has opened.
func (s *Solution) Close() error { return s.saved.file.Close() }

// evaluate reads the values of a solution, and takes its exploitability as the gain of both players.
func (s *Solution) evaluate() error {
	n, err := s.node("")
	if err != nil {
		return err
	}
	e := &s.saved.evaluation
	for p := range e.Values {
		e.Values[p] = n.Summary(p).Value
		if x := s.saved.meta.Exploitability; x != nil {
			e.Gains[p] = *x
		}
	}
	return nil
}

// atRiver is At for a line that comes to a river.
func (s *Solution) atRiver(line string, r *river, rest string, err error) (*Node, error) {
	if err != nil {
		return nil, err
	}
	n, err := r.Solution().At(rest)
	if err != nil {
		return nil, r.full(err)
	}
	if n.Line, n.Reached = line, s.reached(n); n.Reached < absent {
		n.Reached = 0
	}
	return n, nil
}

// full completes the line of an error about what follows a river.
func (r *river) full(err error) error {
	if e := (*LineError)(nil); errors.As(err, &e) {
		return &LineError{join(r.line, e.Line), e.Step, e.Possible}
	}
	return err
}

// beyond returns the solution of the river that a line comes to after what the file has, with what is left of the
// line. There is none, by nil, for other lines.
func (s *Solution) beyond(line string) (r *river, rest string, err error) {
	if s.saved == nil || s.saved.last == layout.River {
		return nil, "", nil
	}
	all := acpc.Steps(line)
	dealt := len(s.spot.Board)
	for i, step := range all {
		if c, err := card.Parse(step); err != nil || len(step) != 2 {
			continue
		} else if dealt++; dealt == 5 {
			r, err := s.solveRiver(strings.Join(all[:i], " "), c)
			return r, strings.Join(all[i+1:], " "), err
		}
	}
	return nil, "", nil
}

// solveRiver solves the river after a line and a card, if it is not the last one that was.
func (s *Solution) solveRiver(line string, last card.Card) (r *river, err error) {
	key := join(line, last.String())
	if r = s.saved.river; r == nil || r.line != key {
		if r, err = s.newRiver(line, key, last); err != nil {
			return nil, err
		}
		s.saved.river = r
	}
	if ctx := cmp.Or(s.saved.until, context.Background()); !r.solved {
		target := riverTarget * float64(r.spot.Pot)
		r.Solve(ctx, Limits{Iterations: riverIterations, Exploitability: target, Abort: ctx}, func(float64) {})
		if r.solved = ctx.Err() == nil; !r.solved {
			return nil, fmt.Errorf("the river is not solved yet: ask again to go on (%w)", context.Cause(ctx))
		}
	}
	return r, nil
}

// newRiver returns the river after a line and a card, whose line is the key.
func (s *Solution) newRiver(line, key string, last card.Card) (*river, error) {
	p, err := s.find(line)
	if err != nil {
		return nil, err
	}
	n := &s.Streets[p.street].Nodes[p.node]
	switch {
	case n.Kind != layout.Deal || p.street != layout.Turn:
		return nil, &LineError{key, last.String(), s.possible(&p)}
	case slices.Contains(p.cards, last):
		return nil, &LineError{key, last.String(), cardStep}
	case p.put[0] == s.spot.Stack:
		return nil, &LineError{key, "", nil}
	}
	reach, err := s.saved.reached(&p)
	if err != nil {
		return nil, err
	}
	down := *s.spot
	down.Board = append(slices.Clip(p.cards), last)
	down.Pot, down.Stack = s.spot.Pot+2*p.put[0], s.spot.Stack-p.put[0]
	if donks := down.Menu.Donks[layout.River]; donks != nil && s.taken[p.street][p.node].Kind == Call &&
		s.Streets[p.street].Nodes[p.way[len(p.way)-1].Node].Actor == 0 {
		down.Menu.Bets[0][layout.River] = donks
	}
	down.Locks = s.spot.locksAfter(acpc.Steps(key))
	undo := inverse(p.renaming)
	for q := range reach {
		down.Ranges[q] = new(ranges.Range)
		for i, h := range s.Boards[p.street][p.board].Hands[q].Holes {
			hole := undo.Of(h.Set())
			down.Ranges[q].Set(hole, max(float64(reach[q][i]), absent*s.spot.Ranges[q].Weight(hole)))
		}
	}
	dcfr, _ := cfr.AlgorithmByName("dcfr")
	solver, err := New(&down, Options{Algorithm: dcfr, Threads: 1, Memory: s.saved.riverMemory})
	return &river{Solver: solver, line: key}, err
}

// locksAfter returns what is left of the locks whose lines begin with some steps.
func (s *Spot) locksAfter(before []string) (all []Lock) {
	for _, l := range s.Locks {
		line := acpc.Steps(l.Line)
		if len(line) >= len(before) && slices.EqualFunc(line[:len(before)], before, strings.EqualFold) {
			all = append(all, Lock{strings.Join(line[len(before):], " "), l.Hands})
		}
	}
	return all
}
