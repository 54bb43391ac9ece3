package cluster

import (
	"context"

	"gamebots/acpc/card"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// source goes through the hands of a round with their features: those with histograms by
// their numbers, those on full boards board by board.
type source struct {
	deck    *buckets.Deck
	hands   *buckets.Holdings
	index   *abstraction.SuitIndex
	feature buckets.Feature
	dim     int

	layer   *histograms            // histograms before the full board; nil on it
	boards  *abstraction.SuitIndex // full boards
	cluster *buckets.Clusters
	groups  int
}

// sourceHand is a hand with its feature and how often it is dealt. It is valid during the
// call that gets it.
type sourceHand struct {
	hole, board card.Set
	weight      uint64
	feature     []uint16
}

// source returns the hands with board cards.
func (b *builder) source(board int, f buckets.Feature) (s *source, err error) {
	s = &source{deck: b.deck, hands: b.hands, feature: f, dim: b.recipe.Bins - 1, layer: b.layers[board]}
	if s.cluster, s.groups = b.Opponents(f); f == buckets.OCHS {
		s.dim = s.groups
	}
	if s.index, err = b.deck.Index(board); err != nil {
		return nil, err
	}
	if s.layer == nil {
		s.boards, err = abstraction.NewSuitIndex(b.deck.Suits, b.deck.Ranks, 0, board)
	}
	return s, err
}

func (s *source) metric() buckets.Metric {
	if s.feature == buckets.OCHS {
		return buckets.L2
	}
	return buckets.L1
}

// A task is some hands with histograms, or some boards.
const handsPerTask, boardsPerTask = 1024, 16

func (s *source) tasks() int {
	if s.layer != nil {
		return (s.index.Size() + handsPerTask - 1) / handsPerTask
	}
	return (s.boards.Size() + boardsPerTask - 1) / boardsPerTask
}

// each calls take for all hands or, if want is not nil, for those that it wants by their id and
// weight. Hands of a task come in the same order whatever the number of threads. When the context
// is done, some are left out.
func (s *source) each(ctx context.Context, threads int, progress func(part float64), want func(id, weight uint64) bool,
	take func(worker, task int, h *sourceHand)) {
	workers := make([]sourceWorker, max(1, threads))
	for k := range workers {
		workers[k] = sourceWorker{s: s, showdown: buckets.NewShowdown(s.hands, s.cluster, s.groups), want: want,
			counts: make([]uint32, s.dim+1)}
		workers[k].hand.feature = make([]uint16, s.dim)
	}
	tasks(ctx, threads, s.tasks(), 1, progress, func(worker, task, _ int) {
		workers[worker].run(task, func(h *sourceHand) { take(worker, task, h) })
	})
}

// sourceWorker goes through the tasks of one thread.
type sourceWorker struct {
	s        *source
	showdown *buckets.Showdown
	want     func(id, weight uint64) bool
	counts   []uint32 // counts of one histogram
	hand     sourceHand
}

func (w *sourceWorker) run(task int, take func(h *sourceHand)) {
	if w.s.layer != nil {
		for number := task * handsPerTask; number < min((task+1)*handsPerTask, w.s.index.Size()); number++ {
			w.number(number, take)
		}
		return
	}
	for i := task * boardsPerTask; i < min((task+1)*boardsPerTask, w.s.boards.Size()); i++ {
		w.board(i, take)
	}
}

// number takes a hand with a histogram.
func (w *sourceWorker) number(number int, take func(h *sourceHand)) {
	hole, board, pairs := w.s.index.At(number)
	if w.want != nil && !w.want(uint64(number), uint64(pairs)) {
		return
	}
	w.s.layer.row(number, w.counts)
	buckets.Cumulative(w.hand.feature, w.counts, w.s.layer.total)
	w.hand.hole, w.hand.board, w.hand.weight = hole, board, uint64(pairs)
	take(&w.hand)
}

// board takes the hands on a full board.
func (w *sourceWorker) board(i int, take func(h *sourceHand)) {
	_, board, boards := w.s.boards.At(i)
	w.hand.board, w.hand.weight = board, uint64(boards)
	w.showdown.Board(board, func(number int, s *buckets.Strengths) {
		if w.want != nil && !w.want(uint64(i*len(w.s.hands.All)+number), w.hand.weight) {
			return
		}
		w.hand.hole = w.s.hands.All[number].Hole
		w.s.hands.Feature(w.hand.feature, w.s.feature == buckets.OCHS, s)
		take(&w.hand)
	})
}

// deals returns the number of all hands and boards.
func (s *source) deals() float64 {
	board := s.deck.Full()
	if s.layer != nil {
		board = s.layer.board
	}
	cards := s.deck.Suits * s.deck.Ranks
	return float64(card.Combinations(cards, s.deck.Hole)) * float64(card.Combinations(cards-s.deck.Hole, board))
}

// sample returns about so many hands, drawn in proportion to how often they are dealt. 0 is
// all hands.
func (s *source) sample(ctx context.Context, threads, size int, seed uint64, progress func(part float64)) *points {
	scale := float64(size) / s.deals() // times that a hand of weight 1 is drawn
	want := func(id, weight uint64) bool {
		x := rng.Stream(rng.At(seed, id))
		return x.Float64() < float64(weight)*scale
	}
	if size == 0 {
		scale, want = 1, nil
	}
	parts := make([]points, s.tasks())
	s.each(ctx, threads, progress, want, func(_, task int, h *sourceHand) {
		parts[task].Add(h.feature, uint64(max(1, float64(h.weight)*scale+.5)))
	})
	all := &points{Dim: s.dim}
	for i := range parts {
		all.Values = append(all.Values, parts[i].Values...)
		all.Weights = append(all.Weights, parts[i].Weights...)
		parts[i] = points{}
	}
	return all
}
