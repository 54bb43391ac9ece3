package nmcs

import (
	"context"
	"sync"

	"gamebots/internal/parallel"
)

// Options configure runs.
type Options struct {
	Seed    uint64
	MaxRuns uint64 // the number of the first run that is not made; 0 for no limit
	Threads int    // at least 1
}

// Run makes runs and adds them to a tally, from number t.Runs up to o.MaxRuns, or until
// the context is done, which is no error. The tally of given seeds, options and workers
// does not depend on the number of threads. OnProgress is called after each run and each
// improvement; it may read the tally, and may be nil.
func Run(ctx context.Context, t *Tally, o Options, newWorker func() Worker, onProgress func()) {
	var mu sync.Mutex // guards all below, and the tally
	next := t.Runs
	completed := map[uint64]run{} // ahead of runs with a lower number
	progress := func() {
		if onProgress != nil {
			onProgress()
		}
	}
	parallel.Each(o.Threads, func(int) {
		w := newWorker()
		var before Work
		for {
			mu.Lock()
			number := next
			next++
			mu.Unlock()
			if o.MaxRuns > 0 && number >= o.MaxRuns || ctx.Err() != nil {
				return
			}
			l, ok := w.Run(ctx, RunKey(o.Seed, number), func(l Line) {
				mu.Lock()
				defer mu.Unlock()
				if t.UpdateBest(l, number) {
					progress()
				}
			})
			work := w.Work()
			r := run{work: Work{work.Playouts - before.Playouts, work.Steps - before.Steps}}
			before = work
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
}

// run is the result of a completed run.
type run struct {
	line Line
	work Work
}
