package snake

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"gamebots/solvers/nmcs"
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
	Beam  func(context.Context, Settings) (Sequence, nmcs.Work, error)
}

// halves are the halves of a snake, from where they meet to their ends.
type halves [2]Sequence

func (h halves) length() int { return len(h[0]) + 1 + len(h[1]) }

// whole returns the snake, in a cube of so many dimensions.
func (h halves) whole(dimension int) Sequence {
	whole := slices.Clone(h[0])
	slices.Reverse(whole)
	return canonical(slices.Concat(whole, Sequence{uint8(dimension - 1)}, h[1]))
}

// A halvesSearch is what chains share.
type halvesSearch struct {
	settings Settings
	tries    uint64 // of each chain and dimension, 0 for any number
	found    func(Sequence, nmcs.Work)
	mutex    sync.Mutex
	pool     []Sequence // the longest of this dimension, longest first
	halves   []Sequence // the pool of the dimension before
}

const (
	halvesPool     = 32  // snakes that are kept for the next dimension
	halvesFirst    = 9   // the lowest dimension to begin with, if that of the search is not lower
	halvesPatience = 30  // beams in a row without a longer snake
	halvesCooling  = 1.5 // edges: a snake so much shorter is taken with probability 1/e
)

// Halves searches for long snakes by halves, with a chain of beam searches for
// each grower, all at the same time. It goes up to the dimension of the settings
// from 9, or from the settings' prime, which has to be in the cube of one
// dimension less: snakes of a dimension are halves for the next. Every dimension has the same share of the
// time until the context is done, or so many tries a chain unless tries is 0.
//
// Found is told of what each try came to, by one goroutine at a time. With one
// grower the result follows from the settings and tries.
func Halves(ctx context.Context, s Settings, tries uint64, growers []Grower, found func(Sequence, nmcs.Work)) error {
	if err := s.Check(); err != nil {
		return err
	}
	h := &halvesSearch{settings: s, tries: tries, found: found}
	first := min(halvesFirst, s.Rules.Dimension)
	if len(s.Prime) > 0 {
		first, h.pool = s.Rules.Dimension, []Sequence{s.Prime}
	}
	for dimension := first; dimension <= s.Rules.Dimension && ctx.Err() == nil; dimension++ {
		if err := h.climb(ctx, dimension, growers); err != nil {
			return err
		}
	}
	if tries == 0 {
		return h.chains(ctx, s.Rules.Dimension, growers, (*halvesChain).polish)
	}
	return nil
}

// checkHalves returns an error where settings are not for [Halves].
func (s Settings) checkHalves() error {
	if s.Rules.Dimension == MinDimension {
		return fmt.Errorf("algorithm %s needs a cube of dimension %d or more", HalfByHalf, MinDimension+1)
	}
	if used := slices.Max(append(Sequence{0}, s.Prime...)); len(s.Prime) > 0 && int(used) >= s.Rules.Dimension-1 {
		return fmt.Errorf("algorithm %s begins with a snake of dimension %d or below, not %d", HalfByHalf, s.Rules.Dimension-1, used+1)
	}
	return nil
}

// climb searches one dimension, with what was found in the one below. Of the time
// a tenth is left for what comes last.
func (h *halvesSearch) climb(ctx context.Context, dimension int, growers []Grower) error {
	if deadline, ok := ctx.Deadline(); ok {
		const parts = 10
		left := time.Until(deadline) / time.Duration(h.settings.Rules.Dimension-dimension+1)
		if dimension == h.settings.Rules.Dimension {
			left -= left / parts
		}
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, left)
		defer stop()
	}
	h.halves, h.pool = h.pool, nil
	return h.chains(ctx, dimension, growers, (*halvesChain).run)
}

// chains lets a chain for each grower do something.
func (h *halvesSearch) chains(ctx context.Context, dimension int, growers []Grower, do func(*halvesChain, context.Context) error) error {
	errs := make([]error, len(growers))
	var chains sync.WaitGroup
	for i, g := range growers {
		chains.Go(func() {
			c := &halvesChain{halvesSearch: h, dimension: dimension, grower: g, stream: nmcs.RunKey(h.settings.Seed, uint64(i)).Stream(dimension)}
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
func (h *halvesSearch) keep(s Sequence, w nmcs.Work) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.found(s, w)
	longest := len(h.pool) == 0 || len(s) > len(h.pool[0])
	if len(h.pool) == halvesPool && len(s) <= len(h.pool[halvesPool-1]) || slices.ContainsFunc(h.pool, func(x Sequence) bool { return slices.Equal(x, s) }) {
		return longest
	}
	at, _ := slices.BinarySearchFunc(h.pool, len(s), func(x Sequence, length int) int { return length - len(x) })
	h.pool = slices.Insert(h.pool, at, s)
	h.pool = h.pool[:min(len(h.pool), halvesPool)]
	return longest
}

// A halvesChain is a chain of searches, in one dimension.
type halvesChain struct {
	*halvesSearch
	dimension int
	grower    Grower
	stream    nmcs.Stream
	tried     uint64
}

func (c *halvesChain) more(ctx context.Context) bool {
	return ctx.Err() == nil && (c.tries == 0 || c.tried < c.tries)
}

// run begins again and again.
func (c *halvesChain) run(ctx context.Context) error {
	for c.more(ctx) {
		first, err := c.first(ctx)
		if err != nil {
			return err
		}
		if err := c.improve(ctx, halves{first, nil}); err != nil {
			return err
		}
	}
	return nil
}

// first returns a half to begin with.
func (c *halvesChain) first(ctx context.Context) (Sequence, error) {
	var first Sequence
	if len(c.halves) > 0 {
		// The smaller of two draws: the longest are taken most often.
		first = c.halves[min(c.stream.Below(len(c.halves)), c.stream.Below(len(c.halves)))]
	} else {
		var err error
		if first, _, err = c.beam(ctx, c.settings.grown(c.dimension, c.beginning(), nil)); err != nil {
			return nil, err
		}
		first = first[:len(first)-min(len(first), c.stream.Below(6))]
	}
	if c.stream.Below(2) == 0 {
		first = backwards(first)
	}
	return first, nil
}

// beginning returns random edges, canonical ones: after them no two dimensions
// are alike, so that a beam does not fill with paths that differ in their names.
func (c *halvesChain) beginning() Sequence {
	r := Rules{Dimension: c.dimension - 1}
	var s Sequence
	for b := New(r); len(s) < 2*r.Dimension; {
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
func (c *halvesChain) beam(ctx context.Context, s Settings) (Sequence, nmcs.Work, error) {
	s.Algorithm, s.Width = BeamSearch, c.grower.Width
	s.Seed = uint64(c.stream.Uint32())<<32 | uint64(c.stream.Uint32())
	c.tried++
	return c.grower.Beam(ctx, s)
}

// grown are the settings of a beam that grows a half, of which a part is kept,
// beside another.
func (s Settings) grown(dimension int, kept, other Sequence) Settings {
	return Settings{Rules: Rules{Dimension: dimension - 1, Free: true}, Algorithm: BeamSearch, Width: s.Width, Prime: kept, Avoid: other}
}

// improve grows the halves of a snake by turns, the second one first, until that
// has been in vain for some time. A shorter snake is taken now and then, as in
// simulated annealing; halfway to the end of its patience it goes back to the
// longest.
func (c *halvesChain) improve(ctx context.Context, now halves) error {
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
		whole := next.whole(c.dimension)
		if vain++; next.length() > best.length() {
			best, vain = next, 0
		}
		if c.keep(whole, work) {
			if err := c.extend(ctx, whole); err != nil {
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
		c.mutex.Lock()
		var one Sequence
		if n := len(c.pool); n > 0 {
			one = c.pool[min(c.stream.Below(n), c.stream.Below(n))]
		}
		c.mutex.Unlock()
		if one == nil {
			return nil
		}
		if err := c.extend(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// extend lets a snake grow at both ends, through all of the cube.
func (c *halvesChain) extend(ctx context.Context, whole Sequence) error {
	for range 2 {
		whole = backwards(whole)
		got, work, err := c.beam(ctx, Settings{Rules: Rules{Dimension: c.dimension}, Prime: whole[:len(whole)-c.stream.Below(len(whole)/8+1)]})
		if err != nil {
			return err
		}
		if c.keep(got, work); len(got) >= len(whole) {
			whole = got
		}
	}
	return nil
}
