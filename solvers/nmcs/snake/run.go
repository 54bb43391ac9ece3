package snake

import (
	"context"
	"sync"

	"gamebots/internal/parallel"
)

// Run makes runs on threads of the CPU and adds them to a tally, from number t.Runs up to maxRuns, if that is not 0,
// or until the context is done, which is no error. The tally does not depend on the number of threads. OnProgress is
// called after each run and each improvement; it may read the tally, and may be nil.
func Run(ctx context.Context, t *Tally, s Settings, maxRuns uint64, threads int, onProgress func()) error {
	if err := s.Check(); err != nil {
		return err
	}
	start, err := s.Start()
	if err != nil {
		return err
	}
	var mu sync.Mutex // guards all below, and the tally
	next := t.Runs
	completed := map[uint64]run{} // ahead of runs with a lower number
	progress := func() {
		if onProgress != nil {
			onProgress()
		}
	}
	parallel.Each(threads, func(int) {
		n := newNested(s.Dimension, max(s.Level, 1), s.Leaf)
		for {
			mu.Lock()
			number := next
			next++
			mu.Unlock()
			if maxRuns > 0 && number >= maxRuns || ctx.Err() != nil {
				return
			}
			if s.Level >= 2 { // searches of lower levels are too short for calls that take a lock
				n.onImproved = func(l Line) {
					mu.Lock()
					defer mu.Unlock()
					if t.UpdateBest(l, number) {
						progress()
					}
				}
			}
			n.work = Work{}
			l, ok := n.search(ctx, start, s.Level, RunKey(s.Seed, number), true)
			r := run{work: n.work}
			r.line.set(l)
			mu.Lock()
			if !ok {
				t.UpdateBest(r.line, number)
				t.Work.Add(r.work)
				mu.Unlock()
				return
			}
			completed[number] = r
			for r, ok := completed[t.Runs]; ok; r, ok = completed[t.Runs] {
				delete(completed, t.Runs)
				t.Count(r.line, r.work)
			}
			progress()
			mu.Unlock()
		}
	})
	// Runs with a higher number than one that was stopped are made again when the tally
	// is continued, but their lines are kept.
	for number, r := range completed {
		t.UpdateBest(r.line, number)
		t.Work.Add(r.work)
	}
	return nil
}

// run is the result of a completed run.
type run struct {
	line Line
	work Work
}
