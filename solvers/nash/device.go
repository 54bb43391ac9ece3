package nash

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"gamebots/cudalib/nashgpu"
)

// onDevice searches on the GPU of the options, and decides about candidates here.
func (p *prover) onDevice(ctx context.Context, o Options, c *collector, r *Result) error {
	if o.Method != Labels {
		return p.supportsOnDevice(ctx, o, c, r)
	}
	s := newSpace(p, o.Order)
	games := s.games(1)
	s.flatten(games, 0)
	n, err := nashgpu.NewLabels(o.Device, games, 1, o.limits)
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Put(games); err != nil {
		return err
	}
	leaves, counts, err := n.Search(func(counts nashgpu.Counts) error {
		c.watch.part.Store(counts.Done)
		return ctx.Err()
	})
	r.Stats.Nodes, r.Stats.Pivots, r.Stats.Doubts = counts.Nodes, counts.Pivots, counts.Doubts
	inParallel(o.Threads, len(leaves), func(i int) {
		if c.ctx.Err() == nil {
			c.leaf(s.supports(leaves[i].InQ))
		}
	})
	if errors.Is(err, nashgpu.ErrCycling) {
		err = errStuck
	}
	return err
}

// supports returns the supports at a leaf, by the labels that are in Q.
func (s *space) supports(inQ labelSet) (rows, cols uint64) {
	return inQ.slice(0, s.rows), ^inQ.slice(s.rows, s.cols) & (^uint64(0) >> (64 - s.cols))
}

// games returns so many games of a space's size as a device takes them: without
// numbers, which flatten puts there.
func (s *space) games(n int) nashgpu.Games {
	return nashgpu.Games{Rows: s.rows, Cols: s.cols, Order: uint32(s.order), Roots: make([]float64, n*s.rootLen())}
}

func (s *space) rootLen() int { return s.cols*(s.rows+first) + s.rows*(s.cols+first) + 2*s.labels }

// flatten puts a game among those that a device takes, as number i.
func (s *space) flatten(g nashgpu.Games, i int) {
	each := s.rootLen()
	to := g.Roots[i*each : i*each : (i+1)*each]
	for _, t := range s.root {
		for c := range first + t.cols {
			for r := range t.rows {
				to = append(to, t.a[r*t.stride+c])
			}
		}
	}
	for _, t := range s.root {
		to = append(to, t.probe...)
	}
}

// inParallel calls f with the numbers below n on so many goroutines.
func inParallel(threads, n int, f func(i int)) {
	var all sync.WaitGroup
	for id := range threads {
		all.Go(func() {
			for i := id; i < n; i += threads {
				f(i)
			}
		})
	}
	all.Wait()
}

// inTurn is inParallel where calls take their own time: who is done takes the next
// number.
func inTurn(threads, n int, f func(i int)) {
	var next atomic.Int64
	inParallel(min(threads, n), min(threads, n), func(int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	})
}

// supportsOnDevice looks at all pairs of supports on the GPU.
func (p *prover) supportsOnDevice(ctx context.Context, o Options, c *collector, r *Result) error {
	program := map[Method]nashgpu.Method{Support: nashgpu.Exchange, Nguyen: nashgpu.Nguyen, Grosu: nashgpu.Grosu}[o.Method]
	s := newSupportSearch(p, c)
	n, err := nashgpu.NewSupports(o.Device, nashgpu.Payoffs{Rows: s.rows, Cols: s.cols, A: s.a, BT: s.bt}, program,
		nashgpu.Tuning{Threads: o.BlockThreads, Pivoting: uint32(o.Pivoting), Doubles: o.Doubles})
	if err != nil {
		return err
	}
	defer n.Close()
	r.Stats.Nodes = s.pairs()
	if o.Method == Support {
		s.makeCovers()
	}
	done := 0.0
	for k := 1; k <= min(s.rows, s.cols); k++ {
		pairs := float64(binomial(s.rows, k)) * float64(binomial(s.cols, k)) / float64(s.pairs())
		found, err := n.Search(k, words(subsets(s.rows, k)), words(subsets(s.cols, k)), s.cover(k).flat(), func(part float64) error {
			c.watch.part.Store(uint64(progressUnits * min(1, done+part*pairs)))
			return ctx.Err()
		})
		done += pairs
		inParallel(o.Threads, len(found), func(i int) { c.leaf(found[i]&math.MaxUint32, found[i]>>32) })
		switch {
		case errors.Is(err, nashgpu.ErrTooManyPairs):
			if err := s.run(c.ctx, o.Threads, false, Partial); err != nil { // where they are decided about exactly
				return err
			}
			c.unique()
			r.Stats.Doubts = s.doubts.Load()
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
	r.Stats.Doubts = n.Anew
	return nil
}

func binomial(n, k int) uint64 {
	c := uint64(1)
	for i := range uint64(k) {
		c = c * (uint64(n) - i) / (i + 1)
	}
	return c
}

// words returns sets of less than 32 members.
func words(sets []uint64) []uint32 {
	out := make([]uint32, len(sets))
	for i, s := range sets {
		out[i] = uint32(s)
	}
	return out
}

// unique forgets what was found twice.
func (c *collector) unique() {
	seen := map[[2]uint64]bool{}
	kept := c.equilibria[:0]
	for _, e := range c.equilibria {
		key := [2]uint64{set(support(e.X)), set(support(e.Y))}
		if !seen[key] {
			kept = append(kept, e)
		}
		seen[key] = true
	}
	c.equilibria = kept
}
