package snake

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"gamebots/internal/parallel"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// The longest known snakes use the last dimension of their cube once or twice. An edge of
// that dimension joins two snakes in the cube of one dimension less, which begin at the same
// vertex and share no other one; they may touch (E. Wynn, Constructing circuit codes by
// permuting initial sequences, 2012, found a record in this way). The longest known coils use it
// twice: their halves begin and end at the same vertices, and share only these. [Halves] regrows
// one half by a beam search while the other stays, again and again. The cube of a half has half the
// vertices, and the other half occupies more than a third of those, so a narrow beam is
// enough.

// Grower makes the beam searches of one chain of [Halves].
type Grower struct {
	Width int
	Batch int // searches at the same time, of which the longest result counts; 0 for one
	Beam  BeamFunc
}

// Growers returns the growers for a dimension.
type Growers func(dimension int) []Grower

// halves are the halves of a snake, each from where they meet to its end, or those of a coil,
// from one of the vertices where they meet to the other.
type halves [2]cube.Sequence

// length returns the edges of both.
func (h halves) length() int { return len(h[0]) + len(h[1]) }

// whole returns the snake or coil.
func (h halves) whole(r cube.Rules) cube.Sequence {
	join := cube.Sequence{uint8(r.Dimension - 1)}
	whole := slices.Concat(reversed(h[0]), join, h[1])
	if r.Coil {
		whole = append(whole, join...)
	}
	return whole.Canonical()
}

// reversed returns a path from its end to its beginning, with the same names of dimensions.
func reversed(s cube.Sequence) cube.Sequence {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// halvesSearch is the state that chains share.
type halvesSearch struct {
	settings Settings
	tries    uint64 // per chain and dimension, 0 for no limit
	sweep    int
	walkers  Walkers
	walked   cube.Sequence // the longest that walks found, or none

	mutex   sync.Mutex // of the rest, and of calls of onFound
	onFound func(cube.Sequence, nmcs.Work)
	rules   cube.Rules                  // of this dimension
	pools   [cube.MaxDimension + 1]pool // by dimension
	pool    *pool                       // the longest snakes of this dimension
	below   *pool                       // those of the dimension below
}

const (
	firstDimension = 8   // the first one searched, unless that of the settings is lower
	maxFailures    = 150 // of beams in a row without a longer snake, by their costs
	temperature    = 3   // edges: a snake that is so much shorter is accepted with probability 1/e
)

// Most beams replace a part of a half. That takes a fraction of the time of a beam that regrows its
// end or all of it, and makes snakes of high dimensions longer soonest.
const (
	windowPercent = 80 // of beams replace a part
	minReplaced   = 10 // edges of a part
	maxReplaced   = 60
	endCost       = 5 // of a beam that regrows an end; that of another one is 1
)

// HalvesLimits limit the work of [Halves].
type HalvesLimits struct {
	// Tries is the number of beams of a chain in a dimension, without walks at the end; 0 for no limit.
	Tries uint64
	// Stage is the time for a dimension, and for the walks, in all sweeps but the last. There is
	// only one sweep if Stage is 0 or Tries is set.
	Stage time.Duration
}

// Halves searches for long snakes or coils by halves, with a chain of beam searches for each
// grower, all at the same time. It sweeps the dimensions from 8 up to that of the settings: snakes
// of one dimension are halves for the next, or for coils in the last one. A prime, which must be in
// the cube of one dimension less than the settings', is the first half. At the end of a sweep the
// longest snakes walk, for the time of a dimension. Then the next sweep begins, with what was
// found before; the last one takes as long as the deadline of the context allows. For a coil of two
// copies only the dimension of the settings is searched, since one half makes the other.
//
// Halves calls onFound with the result of each beam, by one goroutine at a time: with none if it
// found none, or only a half to start with or a snake for a half of a coil. With one grower and a
// number of tries, the results depend on these and the settings alone.
func Halves(ctx context.Context, s Settings, limits HalvesLimits, growers Growers, walkers Walkers, onFound func(cube.Sequence, nmcs.Work)) error {
	if err := s.Check(); err != nil {
		return err
	}
	first := min(firstDimension, s.Rules.Dimension)
	if len(s.Prime) > 0 || s.Symmetry.Copies > 0 {
		first = s.Rules.Dimension
	}
	if limits.Tries > 0 {
		limits.Stage = 0
	}
	h := &halvesSearch{settings: s, tries: limits.Tries, walkers: walkers, onFound: onFound}
	if len(s.Prime) > 0 {
		h.pools[s.Rules.Dimension-1].add(pooled{whole: s.Prime})
	}
	for ; ctx.Err() == nil; h.sweep++ {
		if err := h.searchAll(ctx, first, limits.Stage*stages(s.Rules.Dimension-first+1), growers); err != nil {
			return err
		}
		if limits.Stage == 0 {
			break
		}
	}
	return nil
}

// searchAll makes a sweep. A limit other than 0 holds unless the deadline of the context comes
// before the end of a second sweep like it.
func (h *halvesSearch) searchAll(ctx context.Context, first int, limit time.Duration, growers Growers) error {
	if deadline, ok := ctx.Deadline(); limit > 0 && (!ok || time.Until(deadline) > 2*limit) {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	for dimension := first; dimension <= h.settings.Rules.Dimension && ctx.Err() == nil; dimension++ {
		if err := h.searchDimension(ctx, dimension, growers(dimension)); err != nil {
			return err
		}
	}
	if h.tries > 0 {
		return nil
	}
	return h.walk(ctx)
}

// walk lets the longest snakes walk, and the longest one that walks found in earlier sweeps. That one
// is not in the pool, as it has no halves to go on from.
func (h *halvesSearch) walk(ctx context.Context) error {
	var starts []cube.Sequence
	if h.walked != nil {
		starts = append(starts, h.walked)
	}
	for _, p := range h.pools[h.settings.Rules.Dimension].all() {
		starts = append(starts, p.whole)
	}
	s := h.settings
	s.Seed += uint64(h.sweep) // for other changes than in earlier sweeps
	return Walk(ctx, s, starts, 0, 1, h.walkers, func(found cube.Sequence, work nmcs.Work) {
		if len(found) > len(h.walked) {
			h.walked = found
		}
		h.onFound(found, work)
	})
}

// checkHalves returns an error if the settings are not for [Halves].
func (s Settings) checkHalves() error {
	if s.Rules.Dimension == cube.MinDimension {
		return fmt.Errorf("algorithm %s needs dimension %d or higher", HalfByHalf, cube.MinDimension+1)
	}
	if used := slices.Max(append(cube.Sequence{0}, s.Prime...)); len(s.Prime) > 0 && int(used) >= s.Rules.Dimension-1 {
		return fmt.Errorf("algorithm %s takes a prime of dimension %d or lower, not %d", HalfByHalf, s.Rules.Dimension-1, used+1)
	}
	return nil
}

// stages returns the time of some dimensions and of the walks at the end, in stages.
func stages(dimensions int) time.Duration { return time.Duration(dimensions + 1) }

// searchDimension searches one dimension, with the pool of the one below. It leaves time for what
// follows.
func (h *halvesSearch) searchDimension(ctx context.Context, dimension int, growers []Grower) error {
	if deadline, ok := ctx.Deadline(); ok {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Until(deadline)/stages(h.settings.Rules.Dimension-dimension+1))
		defer stop()
	}
	h.below, h.pool = &h.pools[dimension-1], &h.pools[dimension]
	h.rules = cube.Rules{Dimension: dimension, Coil: h.settings.Rules.Coil && dimension == h.settings.Rules.Dimension}
	return h.runChains(ctx, dimension, growers)
}

// runChains runs a chain for each grower, until the first error.
func (h *halvesSearch) runChains(ctx context.Context, dimension int, growers []Grower) error {
	ctx, stop := context.WithCancel(ctx) // the others would search on after an error
	defer stop()
	errs := make([]error, len(growers))
	parallel.Each(len(growers), func(i int) {
		c := &halvesChain{halvesSearch: h, number: i, grower: growers[i], stream: nmcs.RunKey(h.settings.Seed, uint64(h.sweep)<<32|uint64(i)).Stream(dimension)}
		if errs[i] = c.run(ctx); errs[i] != nil {
			stop()
		}
	})
	return cmp.Or(errs...)
}

// add adds a snake to the pool if it is among the longest. It reports whether the snake is
// longer than all others.
func (h *halvesSearch) add(p pooled, w nmcs.Work) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.rules.Coil == h.settings.Rules.Coil {
		h.onFound(p.whole, w)
	} else {
		h.onFound(nil, w)
	}
	return h.pool.add(p)
}

// count counts a beam that found no snake of this dimension.
func (h *halvesSearch) count(w nmcs.Work) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.onFound(nil, w)
}

// longest returns the length of the longest snake of this dimension so far.
func (h *halvesSearch) longest() int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.pool.longest
}

// halvesChain is a chain of beam searches in one dimension.
type halvesChain struct {
	*halvesSearch
	number int
	grower Grower
	stream nmcs.Stream
	tried  uint64
}

// draw returns a random snake of a pool, or none.
func (c *halvesChain) draw(from *pool) pooled {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return from.draw(&c.stream)
}

// more reports whether the chain may make another beam search.
func (c *halvesChain) more(ctx context.Context) bool {
	return ctx.Err() == nil && (c.tries == 0 || c.tried < c.tries)
}

// run improves snakes, one after another: half of the time one of the pool, else a new one.
func (c *halvesChain) run(ctx context.Context) error {
	for c.more(ctx) {
		var begin pooled
		if c.stream.Below(2) == 0 {
			begin = c.draw(c.pool)
		}
		if begin.halves[1] == nil {
			var err error
			if begin, err = c.begin(ctx); err != nil || ctx.Err() != nil {
				return err
			}
		}
		if err := c.improve(ctx, begin); err != nil {
			return err
		}
	}
	return nil
}

// begin returns what a new snake begins with: a half, or for a coil with equal halves how they are to
// be equal.
func (c *halvesChain) begin(ctx context.Context) (p pooled, err error) {
	if c.settings.Symmetry.Copies > 0 {
		p.turn = drawHalfTurn(c.rules.Dimension-1, &c.stream)
	} else {
		p.halves[0], err = c.first(ctx)
	}
	p.family = uint64(c.sweep)<<48 | uint64(c.number)<<32 | c.tried
	return p, err
}

// first returns a half to start with.
func (c *halvesChain) first(ctx context.Context) (cube.Sequence, error) {
	first := c.draw(c.below).whole
	if first == nil {
		var work nmcs.Work
		var err error
		if first, work, err = c.beam(ctx, c.halfSettings(c.randomStart(), nil, false)); err != nil {
			return nil, err
		}
		c.count(work)
		first = c.cutEnd(first)
	}
	if c.stream.Below(2) == 0 {
		first = first.Reversed()
	}
	if c.rules.Coil { // the other half is to reach both ends
		first = c.cutEnd(reversed(c.cutEnd(first)))
	}
	return first, nil
}

// cutEnd cuts up to five edges off the end of a snake, but leaves two.
func (c *halvesChain) cutEnd(s cube.Sequence) cube.Sequence {
	return s[:max(min(2, len(s)), len(s)-c.stream.Below(6))]
}

// randomStart returns a random canonical path. It breaks the symmetry of the dimensions, so
// that a beam does not fill with paths that differ only in their names.
func (c *halvesChain) randomStart() cube.Sequence {
	r := cube.Rules{Dimension: c.rules.Dimension - 1}
	var s cube.Sequence
	for b := cube.New(r); len(s) < 2*r.Dimension; {
		moves := b.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		m := moves[c.stream.Below(len(moves))]
		b.Play(m)
		s = append(s, uint8(m))
	}
	return s
}

// beam makes a beam search with a new seed.
func (c *halvesChain) beam(ctx context.Context, s Settings) (cube.Sequence, nmcs.Work, error) {
	return c.grower.Beam(ctx, c.seeded(s))
}

// seeded completes the settings of a beam search.
func (c *halvesChain) seeded(s Settings) Settings {
	s.Algorithm, s.Width = BeamSearch, c.grower.Width
	s.Seed = uint64(c.stream.Uint32())<<32 | uint64(c.stream.Uint32())
	c.tried++
	return s
}

// halfSettings returns the settings of a beam that continues a half beside the other one, and to
// its end if they are to join.
func (c *halvesChain) halfSettings(kept, other cube.Sequence, join bool) Settings {
	return Settings{Rules: cube.Rules{Dimension: c.rules.Dimension - 1, Free: true}, Algorithm: BeamSearch, Prime: kept, Avoid: other, Join: join}
}

// regrowSettings returns the settings of a beam that regrows a half, or some of it, beside the other
// one.
func (c *halvesChain) regrowSettings(half, other cube.Sequence) Settings {
	if len(half) <= 2*minReplaced || c.stream.Below(100) >= windowPercent {
		return c.halfSettings(half[:c.keptEdges(len(half))], other, c.rules.Coil)
	}
	s := c.halfSettings(half, other, false)
	if c.rules.Coil {
		s.Avoid = other[:len(other)-1] // the half ends at the last vertex
	}
	edges := minReplaced + c.stream.Below(min(maxReplaced, len(half)-1)-minReplaced+1)
	s.Replace.From = c.stream.Below(len(half) - edges)
	s.Replace.To = s.Replace.From + edges
	return s
}

// cost returns the cost of a beam for halves.
func (s Settings) cost() int {
	if s.Replace == (Window{}) {
		return endCost
	}
	return 1
}

// keptEdges returns the number of edges of a half to keep, if its end is regrown: 0 half of the
// time.
func (c *halvesChain) keptEdges(length int) int {
	if c.stream.Below(2) == 0 {
		return 0
	}
	return c.stream.Below(max(1, length*9/10))
}

// regrown is a half that a beam search regrew, or none if it found no path.
type regrown struct {
	settings Settings
	half     cube.Sequence
	work     nmcs.Work
	err      error
}

// regrow regrows a half, as often as the grower's batch says.
func (c *halvesChain) regrow(ctx context.Context, now halves, turn int, equal HalfTurn) []regrown {
	batch := max(1, c.grower.Batch)
	if c.tries > 0 {
		batch = min(batch, int(c.tries-c.tried))
	}
	tries := make([]regrown, batch)
	for i := range tries {
		s := c.regrowSettings(now[turn], now[1-turn])
		if equal != (HalfTurn{}) {
			s.Avoid, s.Join, s.HalfTurn = nil, false, equal
		}
		tries[i].settings = c.seeded(s)
	}
	parallel.Each(len(tries), func(i int) {
		t := &tries[i]
		t.half, t.work, t.err = c.grower.Beam(ctx, t.settings)
	})
	return tries
}

// improve regrows the halves of a snake by turns, the second one first, until it has failed
// for some time to find a longer one. It accepts shorter snakes at random, as in simulated
// annealing, and returns to the longest after half of the failures allowed.
func (c *halvesChain) improve(ctx context.Context, begin pooled) error {
	now := begin.halves
	best, failures := now, 0
	for turn := 1; failures < maxFailures && c.more(ctx); turn = 1 - turn {
		if c.rules.Coil && c.stream.Below(2) == 0 {
			now = halves{reversed(now[0]), reversed(now[1])}
		}
		var next halves
		var record cube.Sequence // to extend when all of the batch are added: that takes long
		few := failures < maxFailures/2
		for _, t := range c.regrow(ctx, now, turn, begin.turn) {
			failures += t.settings.cost()
			switch {
			case t.err != nil:
				return t.err
			case t.half == nil: // no path joins the other half
				c.count(t.work)
				continue
			}
			made := now
			if made[turn] = t.half; begin.turn != (HalfTurn{}) {
				made[1-turn] = begin.turn.other(t.half)
			}
			if next[1] == nil || made.length() > next.length() {
				next = made
			}
			whole := made.whole(c.rules)
			if !c.rules.Coil && t.settings.Replace == (Window{}) && len(whole) >= c.longest()-thirdBehind && !slices.Equal(t.half, now[turn]) {
				whole = regrowEnds(c.rules, whole)
			}
			if c.add(pooled{whole, made, begin.turn, begin.family}, t.work) {
				record = whole
			}
		}
		if record != nil && !c.rules.Coil {
			if err := c.extend(ctx, record, begin.family); err != nil {
				return err
			}
		}
		if next[1] == nil && now[1] == nil {
			return nil
		}
		if next[1] != nil && c.accepts(now.length()-next.length()) {
			now = next
		}
		if next.length() > best.length() {
			best, failures = next, 0
		}
		if few && failures >= maxFailures/2 {
			now = best
		}
	}
	return nil
}

// accepts reports whether to go on from a snake that is so many edges shorter than the last one.
func (c *halvesChain) accepts(shorter int) bool {
	return shorter <= 0 || c.stream.Below(1<<20) < int(math.Exp(-float64(shorter)/temperature)*(1<<20))
}

// extend regrows both ends of a snake, in the whole cube.
func (c *halvesChain) extend(ctx context.Context, whole cube.Sequence, family uint64) error {
	for end := 0; end < 2 && c.more(ctx); end++ {
		whole = whole.Reversed()
		got, work, err := c.beam(ctx, Settings{Rules: c.rules, Prime: whole[:len(whole)-c.stream.Below(len(whole)/8+1)]})
		if err != nil {
			return err
		}
		if got == nil { // stopped
			return nil
		}
		if c.add(pooled{whole: got, family: family}, work); len(got) >= len(whole) {
			whole = got
		}
	}
	return nil
}
