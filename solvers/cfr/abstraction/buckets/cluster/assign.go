package cluster

import (
	"context"
	"errors"

	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/internal/packed"
	"gamebots/solvers/cfr/abstraction/kmeans"
)

// assign finds the buckets of all hands of a round by its centres.
func (b *builder) assign(s *source, x *buckets.Made, progress func(part float64)) (err error) {
	search, err := kmeans.NewSearch(b.Device, x.Centres, b.Threads)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, search.Close()) }()
	ctx, fail := context.WithCancelCause(b.ctx)
	defer fail(nil)
	n := x.Centres.Len()
	x.Bucket = packed.New(s.index.Size(), uint32(n-1))
	a := &assignment{source: s, Made: x, search: search, squares: make([]float64, s.tasks()),
		workers: make([]assignmentWorker, b.Threads)}
	for k := range a.workers {
		a.workers[k].sizes = make([]uint64, n)
	}
	s.each(ctx, b.Threads, progress, nil, func(worker, task int, h *sourceHand) {
		w := &a.workers[worker]
		w.hands = append(w.hands, waitingHand{s.index.Of(h.hole, h.board), task, h.weight})
		w.features = append(w.features, h.feature...)
		if len(w.hands) == search.Batch() {
			if err := a.place(w); err != nil {
				fail(err)
			}
		}
	})
	sizes := make([][]uint64, b.Threads)
	for k := range a.workers {
		if err := a.place(&a.workers[k]); err != nil {
			fail(err)
		}
		sizes[k] = a.workers[k].sizes
	}
	x.Report = newReport(s, sizes, a.squares)
	return context.Cause(ctx)
}

// assignment is finding the buckets of a round.
type assignment struct {
	*source
	*buckets.Made
	search  *kmeans.Search
	squares []float64 // sum of the squared distances of a task
	workers []assignmentWorker
}

// assignmentWorker has the hands of a thread that wait until there are enough for a search.
type assignmentWorker struct {
	hands    []waitingHand
	features []uint16
	centre   []uint32
	square   []uint64
	sizes    []uint64 // how often the hands of a bucket are dealt
}

type waitingHand struct {
	number, task int
	weight       uint64
}

// place puts the hands that wait into their buckets.
func (a *assignment) place(w *assignmentWorker) error {
	n := len(w.hands)
	if n == 0 {
		return nil
	}
	if len(w.centre) < n {
		w.centre, w.square = make([]uint32, n), make([]uint64, n)
	}
	if err := a.search.Nearest(w.features, w.centre[:n], w.square[:n]); err != nil {
		return err
	}
	for i, h := range w.hands {
		bucket := a.BucketOf(int(w.centre[i]))
		a.Bucket.Set(h.number, uint32(bucket))
		w.sizes[bucket] += h.weight
		// rounded before it is added, on every machine
		a.squares[h.task] += float64(float64(h.weight) * float64(w.square[i]))
	}
	w.hands, w.features = w.hands[:0], w.features[:0]
	return nil
}
