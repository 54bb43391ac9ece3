package cluster

import (
	"context"
	"encoding/binary"

	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// histograms has, for all hands with some number of board cards, how often each strength
// occurs on the full board over all cards to come.
type histograms struct {
	index  *abstraction.SuitIndex
	board  int // cards
	bins   int
	total  uint32 // runouts, the sum of each histogram
	counts *buckets.Numbers
}

func newHistograms(d *buckets.Deck, board, bins int) (*histograms, error) {
	index, err := d.Index(board)
	if err != nil {
		return nil, err
	}
	total := buckets.Runouts(d, board)
	return &histograms{index: index, board: board, bins: bins, total: total,
		counts: buckets.NewNumbers(index.Size()*bins, total)}, nil
}

// row sets dst to the histogram of a hand, by its number.
func (x *histograms) row(number int, dst []uint32) {
	clear(dst)
	x.add(number, dst)
}

// fromShowdowns returns the histograms on boards that lack one card.
func fromShowdowns(ctx context.Context, h *buckets.Holdings, d *buckets.Deck, bins, threads int,
	progress func(part float64)) (*histograms, error) {
	out, err := newHistograms(d, d.Full()-1, bins)
	if err != nil {
		return nil, err
	}
	boards, err := abstraction.NewSuitIndex(d.Suits, d.Ranks, 0, d.Full()-1)
	if err != nil {
		return nil, err
	}
	const first = .8 // the part of the work that ranking hands is
	full, err := newFullBoards(ctx, h, d, bins, threads, func(part float64) { progress(first * part) })
	if err != nil {
		return nil, err
	}
	type worker struct {
		*renamer
		counts []uint32 // runouts of a hand that end in a bin
	}
	workers := make([]worker, threads)
	for k := range workers {
		workers[k] = worker{newRenamer(h), make([]uint32, len(h.All)*bins)}
	}
	tasks(ctx, threads, boards.Size(), 1, func(part float64) { progress(first + (1-first)*part) }, func(k, i, _ int) {
		w := &workers[k]
		clear(w.counts)
		_, board, _ := boards.At(i)
		for _, c := range h.Rest(board) {
			of, representative := full.on(board | c.Bit())
			for number, renamed := range w.numbers(abstraction.RenamingOf(board|c.Bit(), representative)) {
				w.counts[number*bins+int(of[renamed])]++
			}
		}
		for number := range h.All {
			if hole := h.All[number].Hole; hole&board == 0 {
				counts := w.counts[number*bins:][:bins]
				counts[0] -= uint32(d.Hole) // its own cards were among those that came
				at := out.index.Of(hole, board) * bins
				for b, n := range counts {
					out.counts.Set(at+b, n)
				}
			}
		}
	})
	return out, ctx.Err()
}

// before returns the histograms on boards of one card less. A runout is counted once for
// each of its cards as the next one.
func (x *histograms) before(ctx context.Context, h *buckets.Holdings, d *buckets.Deck, board, threads int,
	progress func(part float64)) (*histograms, error) {
	out, err := newHistograms(d, board, x.bins)
	if err != nil {
		return nil, err
	}
	missing := uint32(d.Full() - board)
	sums := make([][]uint32, threads)
	for k := range sums {
		sums[k] = make([]uint32, x.bins)
	}
	tasks(ctx, threads, out.index.Size(), 256, progress, func(k, from, to int) {
		sum := sums[k]
		for number := from; number < to; number++ {
			hole, board, _ := out.index.At(number)
			clear(sum)
			for _, c := range h.Cards {
				if !(hole | board).Has(c) {
					x.add(x.index.Of(hole, board|c.Bit()), sum)
				}
			}
			for b, n := range sum {
				out.counts.Set(number*x.bins+b, n/missing)
			}
		}
	})
	return out, ctx.Err()
}

// add adds the histogram of a hand to sum.
func (x *histograms) add(number int, sum []uint32) {
	width := x.counts.Width
	of := x.counts.Data[number*x.bins*width:][:len(sum)*width]
	switch width {
	case 1:
		for b, n := range of {
			sum[b] += uint32(n)
		}
	case 2:
		for b := range sum {
			sum[b] += uint32(binary.LittleEndian.Uint16(of[2*b:]))
		}
	default:
		for b := range sum {
			sum[b] += binary.LittleEndian.Uint32(of[4*b:])
		}
	}
}

// tasks calls f for all ranges of so many items, on all threads, until the context is done.
func tasks(ctx context.Context, threads, items, each int, progress func(part float64), f func(worker, from, to int)) {
	n := (items + each - 1) / each
	parallel.For(threads, n, func(worker, task int) {
		if ctx.Err() != nil {
			return
		}
		if worker == 0 {
			progress(float64(task) / float64(n))
		}
		f(worker, task*each, min((task+1)*each, items))
	})
}
