package records

import (
	"cmp"
	"context"
	"errors"
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
	grow  func(context.Context, growth) (cube.Sequence, nmcs.Work, error)
}

// CPUGrower returns a grower whose beam searches one thread of the CPU makes.
func CPUGrower(width int) Grower {
	return Grower{Width: width, grow: func(ctx context.Context, g growth) (cube.Sequence, nmcs.Work, error) {
		return g.run(ctx, 1)
	}}
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

// halvesOf returns the halves of a snake that uses some dimension once, or of a coil that uses it
// twice: this becomes the last one. It returns none if there is no such dimension.
func halvesOf(r cube.Rules, whole cube.Sequence) halves {
	join, uses := uint8(r.Dimension-1), 1
	if r.Coil {
		uses = 2
	}
	counts := make([]int, r.Dimension)
	for _, m := range whole {
		counts[m]++
	}
	name := slices.Index(counts, uses)
	if name < 0 {
		return halves{}
	}
	var renamed cube.Sequence
	for _, m := range whole {
		switch m {
		case uint8(name):
			m = join
		case join:
			m = uint8(name)
		}
		renamed = append(renamed, m)
	}
	if r.Coil {
		begin := slices.Index(renamed, join) + 1
		renamed = append(renamed[begin:], renamed[:begin-1]...)
	}
	at := slices.Index(renamed, join)
	return halves{reversed(renamed[:at]), renamed[at+1:]}
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
	walkers  NewWalkers
	walked   cube.Sequence // the longest that walks found in the last dimension, or none

	mutex   sync.Mutex // guards the rest, and calls of onFound
	onFound func(cube.Sequence, nmcs.Work)
	rules   cube.Rules                  // rules of this dimension
	pools   [cube.MaxDimension + 1]pool // pool of each dimension
	pool    *pool                       // the longest snakes of this dimension
	below   *pool                       // those of the dimension below
}

const (
	firstDimension = 8  // the first one searched, unless that of the settings is lower
	firstWalks     = 11 // the first one whose snakes walk before they are halves for the next
)

// HalvesLimits limit the work of [Halves].
type HalvesLimits struct {
	// Tries is the number of beams of a chain in a dimension, without walks; 0 for no limit.
	Tries uint64
	// Stage is the time for a dimension, and for its walks, in all sweeps but the last. There is
	// only one sweep if Stage is 0 or Tries is set.
	Stage time.Duration
}

// Halves searches for long snakes or coils by halves, with a chain of beam searches for each
// grower, all at the same time. It sweeps the dimensions from 8 up to that of the settings: snakes
// of one dimension are halves for the next, or for coils in the last one. A prime, which must be in
// the cube of one dimension less than the settings', is the first half. In dimensions from 11 on and
// in the last one, the longest snakes then walk for as long as the dimension was searched, and the
// results are added to them. The next sweep begins with all snakes that were found before; the last
// one takes as long as the deadline of the context allows. For a coil of two copies only the
// dimension of the settings is searched, since one half makes the other.
//
// Halves calls onFound with the result of each beam, by one goroutine at a time: with none if it
// found none, or only a half to start with or a snake for a half of a coil. With one grower and n
// tries, the results depend on n and the settings alone.
func Halves(
	ctx context.Context, s Settings, limits HalvesLimits, growers Growers, walkers NewWalkers,
	onFound func(cube.Sequence, nmcs.Work),
) error {
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
		if err := h.searchAll(ctx, first, limits.Stage, growers); err != nil {
			return err
		}
		if limits.Stage == 0 {
			break
		}
	}
	return nil
}

// searchAll makes a sweep. The time of a stage, unless it is 0, is a limit, except where the deadline of
// the context leaves too little for two such sweeps.
func (h *halvesSearch) searchAll(ctx context.Context, first int, stage time.Duration, growers Growers) error {
	limit := stage * h.stages(first)
	if deadline, ok := ctx.Deadline(); limit > 0 && (!ok || time.Until(deadline) > 2*limit) {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	for dimension := first; dimension <= h.settings.Rules.Dimension && ctx.Err() == nil; dimension++ {
		if err := h.searchDimension(ctx, dimension, growers(dimension)); err != nil {
			return err
		}
		if !h.walks(dimension) || ctx.Err() != nil {
			continue
		}
		if err := h.walk(ctx, dimension); err != nil {
			return err
		}
	}
	return nil
}

// walks reports whether the longest snakes of a dimension walk. Below firstWalks, walks rarely make
// them longer, so only those of the last dimension do.
func (h *halvesSearch) walks(dimension int) bool {
	return h.tries == 0 && (h.last(dimension) || dimension >= firstWalks)
}

// last reports whether a dimension is that of the settings.
func (h *halvesSearch) last(dimension int) bool { return dimension == h.settings.Rules.Dimension }

// stages returns the number of stages of a sweep from a dimension on: each dimension is one, and so are
// its walks, if there are any.
func (h *halvesSearch) stages(from int) (n time.Duration) {
	for dimension := from; dimension <= h.settings.Rules.Dimension; dimension++ {
		if n++; h.walks(dimension) {
			n++
		}
	}
	return n
}

// shared returns a context for one of several stages, which share the time that is left equally.
func shared(ctx context.Context, stages time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)/stages)
}

// walk lets the longest snakes of a dimension walk, and adds to the pool what they become. Those of the
// last dimension only if they have halves: a chain could not go on from others.
func (h *halvesSearch) walk(ctx context.Context, dimension int) error {
	ctx, stop := shared(ctx, h.stages(dimension)-1)
	defer stop()
	s := h.settings
	s.Rules, s.Prime = h.rules, nil
	s.Seed += uint64(h.sweep) // for other changes than in earlier sweeps
	walkers, end, err := h.walkers(s)
	if err != nil {
		return err
	}
	var starts []cube.Sequence
	if h.last(dimension) && h.walked != nil {
		starts = append(starts, h.walked)
	}
	for _, p := range h.pool.all() {
		starts = append(starts, p.whole)
	}
	var longest cube.Sequence // its walk may have gone on from another one
	walked, err := Walk(ctx, s, starts, 0, 1, walkers, func(found cube.Sequence, work nmcs.Work) {
		if len(found) > len(longest) {
			longest = found
		}
		h.report(found, work)
	})
	if longest != nil {
		walked = append(walked, longest)
	}
	if h.last(dimension) && len(longest) > len(h.walked) {
		h.walked = longest
	}
	for i, whole := range walked {
		p := pooled{whole: whole, family: h.family(walkFamilies, uint64(i))}
		if s.Symmetry.Copies == 0 {
			p.halves = halvesOf(s.Rules, whole)
		}
		if p.halves[1] != nil || !h.last(dimension) {
			h.pool.add(p)
		}
	}
	return errors.Join(err, end())
}

// walkFamilies stands for the number of a chain in the families of walks.
const walkFamilies = 1<<16 - 1

// family returns a new family in this sweep: of a number that a chain gives it, or that of a walk.
func (h *halvesSearch) family(chain int, number uint64) uint64 {
	return uint64(h.sweep)<<48 | uint64(chain)<<32 | number
}

// report calls onFound with a snake, or with none if it is only a half for those of the settings.
func (h *halvesSearch) report(found cube.Sequence, w nmcs.Work) {
	if h.rules.Coil != h.settings.Rules.Coil {
		found = nil
	}
	h.onFound(found, w)
}

// searchDimension searches one dimension, with the pool of the one below. It leaves time for the
// dimensions above.
func (h *halvesSearch) searchDimension(ctx context.Context, dimension int, growers []Grower) error {
	ctx, stop := shared(ctx, h.stages(dimension))
	defer stop()
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
		c := &halvesChain{halvesSearch: h, number: i, grower: growers[i],
			stream: nmcs.RunKey(h.settings.Seed, uint64(h.sweep)<<32|uint64(i)).Stream(dimension)}
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
	h.report(p.whole, w)
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
