package mccfr

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

// phases goes through the levels of a game, down and up again, by several
// goroutines. Where every level is small it uses one.
type phases struct {
	threads int
	levels  []int32
	spans   []span
	portion int32          // how many decisions of a level a worker takes at once
	taken   []atomic.Int32 // by phase, span and worker: how many of its decisions were taken
	barrier *barrier
}

// span is some adjacent levels: one large one for all threads, or small ones for
// a single thread.
type span struct {
	first, last int
	shared      bool
}

// portionDeals is how many deals at decisions a worker takes at once: some
// microseconds' work. Half as many is what a level must have for it to be shared
// among threads: fewer are done sooner than threads meet.
const portionDeals = 256

// newPhases returns the phases of a game in level order, of so many deals.
func newPhases(g *Game, deals, threads int) *phases {
	p := &phases{threads: max(1, threads), levels: g.levels, portion: int32(max(1, portionDeals/deals))}
	for level := range len(g.levels) - 1 {
		decisions := int(g.levels[level+1] - g.levels[level])
		s := span{level, level + 1, decisions > 1 && decisions*deals >= portionDeals/2}
		if k := len(p.spans) - 1; k >= 0 && !s.shared && !p.spans[k].shared {
			p.spans[k].last = s.last
		} else {
			p.spans = append(p.spans, s)
		}
	}
	if !slices.ContainsFunc(p.spans, func(s span) bool { return s.shared }) {
		p.threads = 1
	}
	p.barrier = newBarrier(p.threads)
	p.taken = make([]atomic.Int32, 2*len(p.spans)*p.threads)
	return p
}

// walker does the work on a part of a level.
type walker interface {
	// begin does a worker's part of what comes before the levels.
	begin(worker, workers int)
	descend(level int, first, last int32)
	ascend(level int, first, last int32)
}

// walk goes down the levels and up again. A level begins when the one before it
// is done.
func (p *phases) walk(w walker) {
	for i := range p.taken {
		p.taken[i].Store(0)
	}
	var group sync.WaitGroup
	for worker := 1; worker < p.threads; worker++ {
		group.Go(func() { p.work(w, worker) })
	}
	p.work(w, 0)
	group.Wait()
}

// work does one worker's part of both phases.
func (p *phases) work(w walker, worker int) {
	w.begin(worker, p.threads)
	for k, s := range p.spans {
		if s.shared {
			for first, last := range p.take(0, k, worker) {
				w.descend(s.first, first, last)
			}
		} else if worker == 0 {
			for level := s.first; level < s.last; level++ {
				w.descend(level, p.levels[level], p.levels[level+1])
			}
		}
		p.barrier.wait()
	}
	for k, s := range slices.Backward(p.spans) {
		if s.shared {
			for first, last := range p.take(1, k, worker) {
				w.ascend(s.first, first, last)
			}
		} else if worker == 0 {
			for level := s.last - 1; level >= s.first; level-- {
				w.ascend(level, p.levels[level], p.levels[level+1])
			}
		}
		p.barrier.wait()
	}
}

// take yields portions of a level that no other worker has taken in a phase:
// first those of the worker's own part, which mostly follow on its part of the
// level before and so are in its processor's cache, then what others have left.
func (p *phases) take(phase, span, worker int) iter.Seq2[int32, int32] {
	level := p.spans[span].first
	start, size := p.levels[level], int(p.levels[level+1]-p.levels[level])
	return func(yield func(first, last int32) bool) {
		for i := range p.threads {
			owner := (worker + i) % p.threads
			first, last := start+int32(size*owner/p.threads), start+int32(size*(owner+1)/p.threads)
			taken := &p.taken[(phase*len(p.spans)+span)*p.threads+owner]
			for {
				at := first + taken.Add(p.portion) - p.portion
				if at >= last {
					break
				}
				if !yield(at, min(at+p.portion, last)) {
					return
				}
			}
		}
	}
}
