package snake

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// The longest snakes known use the last dimension of their cube once or twice.
// What is on either side of such an edge is a snake in a cube of one dimension
// less. Both begin at the same vertex there and meet at no other, and may touch:
// such halves are joined to a snake by the edge (E. Wynn, Constructing circuit
// codes by permuting initial sequences, 2012, found a record in this way).
// [Halves] lets a beam grow one of them anew while the other stays, again and
// again. The cube of a half has half the vertices, of which the other half takes
// more than a third, so a narrow beam does.

// A Grower does the beam searches of one of the chains of [Halves].
type Grower struct {
	Width int
	Beam  func(context.Context, Settings) (cube.Sequence, nmcs.Work, error)
}

// halves are the halves of a snake, from where they meet to their ends.
type halves [2]cube.Sequence

func (h halves) length() int { return len(h[0]) + 1 + len(h[1]) }

// whole returns the snake, in a cube of so many dimensions.
func (h halves) whole(dimension int) cube.Sequence {
	whole := slices.Clone(h[0])
	slices.Reverse(whole)
	return slices.Concat(whole, cube.Sequence{uint8(dimension - 1)}, h[1]).Canonical()
}

// A halvesSearch is what chains share.
type halvesSearch struct {
	settings Settings
	tries    uint64 // of each chain and dimension, 0 for any number
	round    int
	found    func(cube.Sequence, nmcs.Work)
	mutex    sync.Mutex
	pool     []pooled // the longest of this dimension, longest first
	below    []pooled // the pool of the dimension before
}

// A pooled snake is one that is kept, with its halves if it is made of two.
type pooled struct {
	whole  cube.Sequence
	halves halves
	family uint64 // those of a family came of the same halves
}

const (
	halvesPool     = 256 // snakes that are kept
	halvesFamily   = 64  // of them, of one family
	halvesFirst    = 9   // the lowest dimension to begin with, if that of the search is not lower
	halvesPatience = 30  // beams in a row without a longer snake
	halvesPolish   = 4   // chains that polish
	halvesCooling  = 3   // edges: a snake so much shorter is taken with probability 1/e
)

// HalvesLimits say how long [Halves] goes on.
type HalvesLimits struct {
	// Tries are the beams of a chain in a dimension, after which it ends; 0 for as
	// many as there is time for.
	Tries uint64
	// Round is the time for a dimension in the first round; each further round has
	// twice the time of the one before, and begins with nothing. Where it is 0, or Tries
	// is not, there is one round.
	Round time.Duration
}

// Halves searches for long snakes by halves, with a chain of beam searches for
// each grower, all at the same time. It goes up to the dimension of the settings
// from 9, or from the settings' prime, which has to be in the cube of one
// dimension less: snakes of a dimension are halves for the next. Every dimension
// has the same share of the time until the context is done, and the last one twice
// as much.
//
// Found is told of what each try came to, by one goroutine at a time. With one
// grower and a number of tries the result follows from these and the settings.
func Halves(ctx context.Context, s Settings, limits HalvesLimits, growers []Grower, found func(cube.Sequence, nmcs.Work)) error {
	if err := s.Check(); err != nil {
		return err
	}
	first := min(halvesFirst, s.Rules.Dimension)
	if len(s.Prime) > 0 {
		first = s.Rules.Dimension
	}
	if limits.Tries > 0 {
		limits.Round = 0
	}
	for round := 0; ctx.Err() == nil; round++ {
		h := &halvesSearch{settings: s, tries: limits.Tries, round: round, found: found}
		if err := h.climbs(ctx, first, limits.Round<<round*time.Duration(s.Rules.Dimension-first+1), growers); err != nil {
			return err
		}
		if limits.Round == 0 {
			break
		}
	}
	return nil
}

// climbs does a round, in so much time if it is not 0 and there would be time for another
// one.
func (h *halvesSearch) climbs(ctx context.Context, first int, limit time.Duration, growers []Grower) error {
	if deadline, ok := ctx.Deadline(); limit > 0 && (!ok || time.Until(deadline) > 2*limit) {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	if len(h.settings.Prime) > 0 {
		h.pool = []pooled{{whole: h.settings.Prime}}
	}
	for dimension := first; dimension <= h.settings.Rules.Dimension && ctx.Err() == nil; dimension++ {
		if err := h.climb(ctx, dimension, growers); err != nil {
			return err
		}
	}
	if h.tries > 0 {
		return nil
	}
	return h.chains(ctx, h.settings.Rules.Dimension, growers[:min(len(growers), halvesPolish)], (*halvesChain).polish)
}

// checkHalves returns an error where settings are not for [Halves].
func (s Settings) checkHalves() error {
	if s.Rules.Dimension == cube.MinDimension {
		return fmt.Errorf("algorithm %s needs a cube of dimension %d or more", HalfByHalf, cube.MinDimension+1)
	}
	if used := slices.Max(append(cube.Sequence{0}, s.Prime...)); len(s.Prime) > 0 && int(used) >= s.Rules.Dimension-1 {
		return fmt.Errorf("algorithm %s begins with a snake of dimension %d or below, not %d", HalfByHalf, s.Rules.Dimension-1, used+1)
	}
	return nil
}

// climb searches one dimension, with what was found in the one below. Of the time
// a tenth is left for what comes last.
func (h *halvesSearch) climb(ctx context.Context, dimension int, growers []Grower) error {
	if deadline, ok := ctx.Deadline(); ok {
		const parts = 10
		left := time.Until(deadline)
		if below := h.settings.Rules.Dimension - dimension; below > 0 {
			left /= time.Duration(below + 2) // the last has two shares
		} else {
			left -= left / parts
		}
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, left)
		defer stop()
	}
	h.below, h.pool = h.pool, nil
	return h.chains(ctx, dimension, growers, (*halvesChain).run)
}

// chains lets a chain for each grower do something.
func (h *halvesSearch) chains(ctx context.Context, dimension int, growers []Grower, do func(*halvesChain, context.Context) error) error {
	errs := make([]error, len(growers))
	var chains sync.WaitGroup
	for i, g := range growers {
		chains.Go(func() {
			c := &halvesChain{halvesSearch: h, number: i, dimension: dimension, grower: g, stream: nmcs.RunKey(h.settings.Seed, uint64(h.round)<<32|uint64(i)).Stream(dimension)}
			errs[i] = do(c, ctx)
		})
	}
	chains.Wait()
	return firstError(errs)
}

// firstError returns the first error, or nil.
func firstError(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// keep tells of a snake and keeps it if it is among the longest. It says whether it
// is longer than all of them.
func (h *halvesSearch) keep(p pooled, w nmcs.Work) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.found(p.whole, w)
	longest := len(h.pool) == 0 || len(p.whole) > len(h.pool[0].whole)
	family, last := 0, len(h.pool)-1 // the one to make room
	for i, x := range h.pool {
		if x.family == p.family {
			if family++; family == halvesFamily {
				last = i
			}
			if slices.Equal(x.whole, p.whole) {
				return longest
			}
		}
	}
	if family == halvesFamily || len(h.pool) == halvesPool {
		if len(p.whole) <= len(h.pool[last].whole) {
			return longest
		}
		h.pool = slices.Delete(h.pool, last, last+1)
	}
	at, _ := slices.BinarySearchFunc(h.pool, len(p.whole), func(x pooled, length int) int { return length - len(x.whole) })
	h.pool = slices.Insert(h.pool, at, p)
	return longest
}

// draw returns one of those that are kept, the longest most often, or none.
func (c *halvesChain) draw(pool *[]pooled) pooled {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	from := *pool
	if len(from) == 0 {
		return pooled{}
	}
	return from[min(c.stream.Below(len(from)), c.stream.Below(len(from)))]
}

// A halvesChain is a chain of searches, in one dimension.
type halvesChain struct {
	*halvesSearch
	number    int
	dimension int
	grower    Grower
	stream    nmcs.Stream
	tried     uint64
}

func (c *halvesChain) more(ctx context.Context) bool {
	return ctx.Err() == nil && (c.tries == 0 || c.tried < c.tries)
}

// run begins again and again, half of the time with a snake that was found.
func (c *halvesChain) run(ctx context.Context) error {
	for c.more(ctx) {
		var begin pooled
		if c.stream.Below(2) == 0 {
			begin = c.draw(&c.pool)
		}
		if begin.halves[1] == nil {
			first, err := c.first(ctx)
			if err != nil {
				return err
			}
			begin = pooled{halves: halves{first, nil}, family: uint64(c.number)<<32 | c.tried}
		}
		if err := c.improve(ctx, begin); err != nil {
			return err
		}
	}
	return nil
}

// first returns a half to begin with.
func (c *halvesChain) first(ctx context.Context) (cube.Sequence, error) {
	first := c.draw(&c.below).whole
	if first == nil {
		var err error
		if first, _, err = c.beam(ctx, c.settings.grown(c.dimension, c.beginning(), nil)); err != nil {
			return nil, err
		}
		first = first[:len(first)-min(len(first), c.stream.Below(6))]
	}
	if c.stream.Below(2) == 0 {
		first = first.Reversed()
	}
	return first, nil
}

// beginning returns random edges, canonical ones: after them no two dimensions
// are alike, so that a beam does not fill with paths that differ in their names.
func (c *halvesChain) beginning() cube.Sequence {
	r := cube.Rules{Dimension: c.dimension - 1}
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

// beam does a beam search with a seed of its own.
func (c *halvesChain) beam(ctx context.Context, s Settings) (cube.Sequence, nmcs.Work, error) {
	s.Algorithm, s.Width = BeamSearch, c.grower.Width
	s.Seed = uint64(c.stream.Uint32())<<32 | uint64(c.stream.Uint32())
	c.tried++
	return c.grower.Beam(ctx, s)
}

// grown are the settings of a beam that grows a half, of which a part is kept,
// beside another.
func (s Settings) grown(dimension int, kept, other cube.Sequence) Settings {
	return Settings{Rules: cube.Rules{Dimension: dimension - 1, Free: true}, Algorithm: BeamSearch, Width: s.Width, Prime: kept, Avoid: other}
}

// improve grows the halves of a snake by turns, the second one first, until that
// has been in vain for some time. A shorter snake is taken now and then, as in
// simulated annealing; halfway to the end of its patience it goes back to the
// longest.
func (c *halvesChain) improve(ctx context.Context, begin pooled) error {
	now := begin.halves
	best, vain := now, 0
	for turn := 1; vain < halvesPatience && c.more(ctx); turn = 1 - turn {
		old := now[turn]
		got, work, err := c.beam(ctx, c.settings.grown(c.dimension, old[:c.kept(len(old))], now[1-turn]))
		if err != nil {
			return err
		}
		next := now
		next[turn] = got
		if worse := now.length() - next.length(); worse <= 0 || c.stream.Below(1<<20) < int(math.Exp(-float64(worse)/halvesCooling)*(1<<20)) {
			now = next
		}
		if vain++; next.length() > best.length() {
			best, vain = next, 0
		}
		if whole := next.whole(c.dimension); c.keep(pooled{whole, next, begin.family}, work) {
			if err := c.extend(ctx, whole, begin.family); err != nil {
				return err
			}
		}
		if vain == halvesPatience/2 {
			now = best
		}
	}
	return nil
}

// kept returns how many edges of a half stay, none half of the time.
func (c *halvesChain) kept(length int) int {
	if c.stream.Below(2) == 0 {
		return 0
	}
	return c.stream.Below(length*9/10 + 1)
}

// polish extends the longest that were found.
func (c *halvesChain) polish(ctx context.Context) error {
	for c.more(ctx) {
		one := c.draw(&c.pool)
		if one.whole == nil {
			return nil
		}
		if err := c.extend(ctx, one.whole, one.family); err != nil {
			return err
		}
	}
	return nil
}

// extend lets a snake grow at both ends, through all of the cube.
func (c *halvesChain) extend(ctx context.Context, whole cube.Sequence, family uint64) error {
	for range 2 {
		whole = whole.Reversed()
		got, work, err := c.beam(ctx, Settings{Rules: cube.Rules{Dimension: c.dimension}, Prime: whole[:len(whole)-c.stream.Below(len(whole)/8+1)]})
		if err != nil {
			return err
		}
		if c.keep(pooled{whole: got, family: family}, work); len(got) >= len(whole) {
			whole = got
		}
	}
	return nil
}
