package reis

import (
	"iter"
	"slices"
	"sync/atomic"

	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/mccfr"
)

// passes goes through the levels of a game in two passes, down and up, with several
// threads. It uses one thread if every level is small.
type passes struct {
	threads int
	levels  []int32
	spans   []span
	chunk   int32          // decisions of a level that a worker takes at once
	taken   []atomic.Int32 // decisions that were taken, by pass, span and worker
	barrier *parallel.Barrier
}

// span is adjacent levels: one large level for all threads, or small levels for a
// single thread.
type span struct {
	first, last int
	shared      bool
}

// chunkDeals is how many (deal, decision) pairs a worker takes at once: some
// microseconds' work. A level is shared among threads if it has at least half as
// many; fewer are done sooner than threads synchronise.
const chunkDeals = 256

// newPasses returns the passes over a game in level order with some deals at once.
func newPasses(g *mccfr.Game, deals, threads int) *passes {
	p := &passes{threads: max(1, threads), levels: g.Levels, chunk: int32(max(1, chunkDeals/deals))}
	for level := range len(g.Levels) - 1 {
		decisions := int(g.Levels[level+1] - g.Levels[level])
		s := span{level, level + 1, decisions > 1 && decisions*deals >= chunkDeals/2}
		if k := len(p.spans) - 1; k >= 0 && !s.shared && !p.spans[k].shared {
			p.spans[k].last = s.last
		} else {
			p.spans = append(p.spans, s)
		}
	}
	if !slices.ContainsFunc(p.spans, func(s span) bool { return s.shared }) {
		p.threads = 1
	}
	p.barrier = parallel.NewBarrier(p.threads)
	p.taken = make([]atomic.Int32, 2*len(p.spans)*p.threads)
	return p
}

// levelVisitor does the work on the decisions [first, last) of a level.
type levelVisitor interface {
	// begin does a worker's part of the preparations.
	begin(worker, workers int)
	descend(level int, first, last int32)
	ascend(level int, first, last int32)
}

// run does both passes. A level begins when the one before it is done.
func (p *passes) run(v levelVisitor) {
	for i := range p.taken {
		p.taken[i].Store(0)
	}
	parallel.Each(p.threads, func(worker int) { p.work(v, worker) })
}

// work does one worker's part of both passes.
func (p *passes) work(v levelVisitor, worker int) {
	v.begin(worker, p.threads)
	for k, s := range p.spans {
		if s.shared {
			for first, last := range p.chunks(0, k, worker) {
				v.descend(s.first, first, last)
			}
		} else if worker == 0 {
			for level := s.first; level < s.last; level++ {
				v.descend(level, p.levels[level], p.levels[level+1])
			}
		}
		p.barrier.Wait()
	}
	for k, s := range slices.Backward(p.spans) {
		if s.shared {
			for first, last := range p.chunks(1, k, worker) {
				v.ascend(s.first, first, last)
			}
		} else if worker == 0 {
			for level := s.last - 1; level >= s.first; level-- {
				v.ascend(level, p.levels[level], p.levels[level+1])
			}
		}
		p.barrier.Wait()
	}
}

// chunks yields parts of a level that no other worker has taken in a pass: first
// from the worker's own part, which mostly follows its part of the level before and
// is therefore in its processor's cache, then from the others' parts.
func (p *passes) chunks(pass, span, worker int) iter.Seq2[int32, int32] {
	level := p.spans[span].first
	start, size := p.levels[level], int(p.levels[level+1]-p.levels[level])
	return func(yield func(first, last int32) bool) {
		for i := range p.threads {
			owner := (worker + i) % p.threads
			first, last := start+int32(size*owner/p.threads), start+int32(size*(owner+1)/p.threads)
			taken := &p.taken[(pass*len(p.spans)+span)*p.threads+owner]
			for {
				at := first + taken.Add(p.chunk) - p.chunk
				if at >= last {
					break
				}
				if !yield(at, min(at+p.chunk, last)) {
					return
				}
			}
		}
	}
}
