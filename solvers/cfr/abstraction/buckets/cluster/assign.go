package cluster

import (
	"context"
	"errors"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// assign finds the buckets of all hands of a round by its centres.
func (b *builder) assign(s *source, x *buckets.Made, progress func(part float64)) (err error) {
	search, err := newSearch(b.Device, x.Centres, b.Threads)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, search.Close()) }()
	ctx, fail := context.WithCancelCause(b.ctx)
	defer fail(nil)
	n := x.Centres.Len()
	x.Bucket = buckets.NewNumbers(s.index.Size(), uint32(n-1))
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
	search  *search
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

// fullBoards has the bin of the strength of every hand on every full board, up to the names
// of suits.
type fullBoards struct {
	index  *abstraction.SuitIndex
	boards []card.Set // one board a number, for all boards with that number
	hands  int
	bins   []uint8 // bin of a hand on a board; 0 for hands that share a card with it
}

func newFullBoards(ctx context.Context, h *buckets.Holdings, d *buckets.Deck, bins, threads int,
	progress func(part float64)) (*fullBoards, error) {
	index, err := abstraction.NewSuitIndex(d.Suits, d.Ranks, 0, d.Full())
	if err != nil {
		return nil, err
	}
	f := &fullBoards{index: index, boards: make([]card.Set, index.Size()), hands: len(h.All),
		bins: make([]uint8, index.Size()*len(h.All))}
	workers := make([]*buckets.Showdown, threads)
	for k := range workers {
		workers[k] = buckets.NewShowdown(h, new(buckets.Clusters), 1)
	}
	tasks(ctx, threads, index.Size(), 16, progress, func(k, from, to int) {
		for i := from; i < to; i++ {
			_, f.boards[i], _ = index.At(i)
			workers[k].Board(f.boards[i], func(number int, s *buckets.Strengths) {
				f.bins[i*f.hands+number] = uint8(buckets.Bin(int(s[0][0]), h.Others, bins))
			})
		}
	})
	return f, ctx.Err()
}

// on returns the bins of the hands on the board that stands for a full board, by number, and
// that board.
func (f *fullBoards) on(board card.Set) (bins []uint8, representative card.Set) {
	i := f.index.Of(0, board)
	return f.bins[i*f.hands:][:f.hands], f.boards[i]
}

// renamer finds the numbers of hands after a renaming of the suits.
type renamer struct {
	*buckets.Holdings
	number  [64][64]uint16 // number of a hand by the bits of its lowest and its highest card
	renamed map[abstraction.Renaming][]uint16
}

func newRenamer(h *buckets.Holdings) *renamer {
	r := &renamer{Holdings: h, renamed: map[abstraction.Renaming][]uint16{}}
	for i := range h.All {
		r.number[h.All[i].Lo][h.All[i].Hi] = uint16(i)
	}
	return r
}

// numbers returns, by number of a hand, that of the hand which it becomes.
func (r *renamer) numbers(by abstraction.Renaming) []uint16 {
	list, ok := r.renamed[by]
	if !ok {
		for i := range r.All {
			h := buckets.NewHolding(by.Of(r.All[i].Hole))
			list = append(list, r.number[h.Lo][h.Hi])
		}
		r.renamed[by] = list
	}
	return list
}
