package labels

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"gamebots/internal/parallel"
)

// ErrCycling is returned by a search whose simplex method did not end: the floats of
// this game are of no use.
var ErrCycling = errors.New("the simplex search did not end")

// Stats counts the work of a search.
type Stats struct {
	Nodes  uint64 // nodes of the search tree
	Pivots uint64
	// Ambiguous counts decisions within the bound of rounding errors, where nothing
	// was cut.
	Ambiguous uint64
}

func (s *Stats) add(o Stats) {
	s.Nodes, s.Pivots, s.Ambiguous = s.Nodes+o.Nodes, s.Pivots+o.Pivots, s.Ambiguous+o.Ambiguous
}

// Options configure a search.
type Options struct {
	Threads int // at least 1
	// OnCandidate is called with the supports at each leaf, as sets with a bit for
	// each strategy, concurrently on all threads. The leaf at the origins has empty
	// supports.
	OnCandidate func(rows, cols uint64)
	// Progress is called with the share of the whole search that was just done,
	// concurrently on all threads.
	Progress func(part float64)
}

// Search traverses the tree on CPU threads. It returns early when ctx ends, with its
// error.
func (s *Space) Search(ctx context.Context, o Options) (Stats, error) {
	w := workers{space: s, options: o, tasks: [][]decision{nil}, busy: o.Threads}
	w.wake.L = &w.mutex
	stop := context.AfterFunc(ctx, func() { w.stopped.Store(true) })
	defer stop()
	parallel.Each(o.Threads, func(int) { w.run() })
	if w.failed.Load() {
		return w.stats, ErrCycling
	}
	return w.stats, ctx.Err()
}

// workers share a tree. An idle one is handed a branch of another, as the path of
// decisions to it.
type workers struct {
	space   *Space
	options Options

	mutex   sync.Mutex
	wake    sync.Cond
	tasks   [][]decision
	busy    int // workers
	idle    atomic.Int32
	stats   Stats
	stopped atomic.Bool
	failed  atomic.Bool
}

// run does tasks on one goroutine until the tree is done.
func (w *workers) run() {
	tr := newTraversal(w.space)
	tr.candidate = w.options.OnCandidate
	tr.done = func(depth int) { w.options.Progress(math.Ldexp(1, -depth)) }
	tr.handOver = func(second []decision) bool {
		if w.stopped.Load() {
			tr.failed = true
		}
		if w.idle.Load() == 0 || len(second) > 3*tr.labels/4 {
			return false
		}
		w.mutex.Lock()
		defer w.mutex.Unlock()
		if len(w.tasks) >= int(w.idle.Load()) {
			return false
		}
		w.tasks = append(w.tasks, append([]decision(nil), second...))
		w.wake.Signal()
		return true
	}
	for {
		path, ok := w.next()
		if !ok {
			break
		}
		tr.visit(path)
		if tr.failed && !w.stopped.Load() {
			w.failed.Store(true)
			w.stopped.Store(true)
		}
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.stats.add(tr.stats)
}

// next waits for a task. It returns false when no worker is busy any more.
func (w *workers) next() (path []decision, ok bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.busy--
	w.idle.Add(1)
	defer w.idle.Add(-1)
	for {
		switch {
		case w.stopped.Load() || len(w.tasks) == 0 && w.busy <= 0:
			w.wake.Broadcast()
			return nil, false
		case len(w.tasks) > 0:
			path, w.tasks = w.tasks[len(w.tasks)-1], w.tasks[:len(w.tasks)-1]
			w.busy++
			return path, true
		}
		w.wake.Wait()
	}
}
