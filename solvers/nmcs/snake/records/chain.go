package records

import (
	"context"
	"math"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

const (
	maxFailures = 150 // cost of the beams in a row that find no longer snake
	temperature = 3   // edges: a snake that is so much shorter is accepted with probability 1/e
)

// Most beams replace a part of a half. That takes a fraction of the time of a beam that regrows its
// end or all of it, and makes snakes of high dimensions longer soonest.
const (
	windowPercent = 80 // percentage of beams that replace a part
	minReplaced   = 10 // edges of a part
	maxReplaced   = 60
	endCost       = 5 // cost of a beam that regrows an end; that of another one is 1
)

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
	p.family = c.family(c.number, c.tried)
	return p, err
}

// first returns a half to start with.
func (c *halvesChain) first(ctx context.Context) (cube.Sequence, error) {
	first := c.draw(c.below).whole
	if first == nil {
		var work nmcs.Work
		var err error
		if first, work, err = c.grow(ctx, c.continued(c.randomStart(), nil, false)); err != nil {
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

// grow makes a beam search with a new seed.
func (c *halvesChain) grow(ctx context.Context, g growth) (cube.Sequence, nmcs.Work, error) {
	return c.grower.grow(ctx, c.seeded(g))
}

// seeded completes a beam search.
func (c *halvesChain) seeded(g growth) growth {
	g.width = c.grower.Width
	g.seed = uint64(c.stream.Uint32())<<32 | uint64(c.stream.Uint32())
	c.tried++
	return g
}

// continued returns the beam search that continues a half beside the other one, and to its end if
// they are to join.
func (c *halvesChain) continued(half, other cube.Sequence, join bool) growth {
	return growth{
		rules: cube.Rules{Dimension: c.rules.Dimension - 1, Free: true}, begin: half, avoid: other, join: join,
	}
}

// regrowth returns the beam search that regrows a half, or some of it, beside the other one.
func (c *halvesChain) regrowth(half, other cube.Sequence) growth {
	if len(half) <= 2*minReplaced || c.stream.Below(100) >= windowPercent {
		return c.continued(half[:c.keptEdges(len(half))], other, c.rules.Coil)
	}
	g := c.continued(half, other, false)
	if c.rules.Coil {
		g.avoid = other[:len(other)-1] // the half ends at the last vertex
	}
	edges := minReplaced + c.stream.Below(min(maxReplaced, len(half)-1)-minReplaced+1)
	g.replace.from = c.stream.Below(len(half) - edges)
	g.replace.to = g.replace.from + edges
	return g
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
	growth
	half cube.Sequence
	work nmcs.Work
	err  error
}

// regrow regrows a half, as often as the grower's batch says.
func (c *halvesChain) regrow(ctx context.Context, now halves, turn int, equal HalfTurn) []regrown {
	batch := max(1, c.grower.Batch)
	if c.tries > 0 {
		batch = min(batch, int(c.tries-c.tried))
	}
	tries := make([]regrown, batch)
	for i := range tries {
		g := c.regrowth(now[turn], now[1-turn])
		if equal != (HalfTurn{}) {
			g.avoid, g.join, g.turn = nil, false, equal
		}
		tries[i].growth = c.seeded(g)
	}
	parallel.Each(len(tries), func(i int) {
		t := &tries[i]
		t.half, t.work, t.err = c.grower.grow(ctx, t.growth)
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
			failures += t.cost()
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
			if !c.rules.Coil && t.replace == (window{}) && len(whole) >= c.longest()-thirdBehind &&
				!slices.Equal(t.half, now[turn]) {
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

// accepts reports whether to go on from a snake that is some edges shorter than the last one.
func (c *halvesChain) accepts(shorter int) bool {
	return shorter <= 0 || c.stream.Below(1<<20) < int(math.Exp(-float64(shorter)/temperature)*(1<<20))
}

// extend regrows both ends of a snake, in the whole cube.
func (c *halvesChain) extend(ctx context.Context, whole cube.Sequence, family uint64) error {
	for end := 0; end < 2 && c.more(ctx); end++ {
		whole = whole.Reversed()
		got, work, err := c.grow(ctx, growth{rules: c.rules, begin: whole[:len(whole)-c.stream.Below(len(whole)/8+1)]})
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
