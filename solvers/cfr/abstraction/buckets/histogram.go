package buckets

import (
	"context"
	"encoding/binary"

	"gamebots/acpc/card"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
)

// histograms has, for all hands with some number of board cards, how often each strength
// occurs on the full board over all cards to come.
type histograms struct {
	index  *abstraction.SuitIndex
	board  int // cards
	bins   int
	total  uint32 // runouts, the sum of each histogram
	counts *numbers
}

func newHistograms(d *Deck, board, bins int) (*histograms, error) {
	index, err := d.index(board)
	if err != nil {
		return nil, err
	}
	total := runouts(d, board)
	return &histograms{index: index, board: board, bins: bins, total: total,
		counts: newNumbers(index.Size()*bins, total)}, nil
}

// runouts returns the number of ways to fill a board, given hole cards.
func runouts(d *Deck, board int) uint32 {
	n := 1
	left := d.Suits*d.Ranks - d.Hole - board
	for i := range d.full() - board {
		n = n * (left - i) / (i + 1)
	}
	return uint32(n)
}

// row sets dst to the histogram of a hand, by its number.
func (x *histograms) row(number int, dst []uint32) {
	clear(dst)
	x.add(number, dst)
}

// fromShowdowns returns the histograms on boards that lack one card.
func fromShowdowns(ctx context.Context, h *hands, d *Deck, bins, threads int,
	progress func(part float64)) (*histograms, error) {
	out, err := newHistograms(d, d.full()-1, bins)
	if err != nil {
		return nil, err
	}
	boards, err := abstraction.NewSuitIndex(d.Suits, d.Ranks, 0, d.full()-1)
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
		workers[k] = worker{newRenamer(h), make([]uint32, len(h.all)*bins)}
	}
	tasks(ctx, threads, boards.Size(), 1, func(part float64) { progress(first + (1-first)*part) }, func(k, i, _ int) {
		w := &workers[k]
		clear(w.counts)
		_, board, _ := boards.At(i)
		for _, c := range h.rest(board) {
			of, representative := full.on(board | c.Bit())
			for number, renamed := range w.numbers(abstraction.RenamingOf(board|c.Bit(), representative)) {
				w.counts[number*bins+int(of[renamed])]++
			}
		}
		for number := range h.all {
			if hole := h.all[number].hole; hole&board == 0 {
				counts := w.counts[number*bins:][:bins]
				counts[0] -= uint32(d.Hole) // its own cards were among those that came
				at := out.index.Of(hole, board) * bins
				for b, n := range counts {
					out.counts.set(at+b, n)
				}
			}
		}
	})
	return out, ctx.Err()
}

// before returns the histograms on boards of one card less. A runout is counted once for
// each of its cards as the next one.
func (x *histograms) before(ctx context.Context, h *hands, d *Deck, board, threads int,
	progress func(part float64)) (*histograms, error) {
	out, err := newHistograms(d, board, x.bins)
	if err != nil {
		return nil, err
	}
	missing := uint32(d.full() - board)
	sums := make([][]uint32, threads)
	for k := range sums {
		sums[k] = make([]uint32, x.bins)
	}
	tasks(ctx, threads, out.index.Size(), 256, progress, func(k, from, to int) {
		sum := sums[k]
		for number := from; number < to; number++ {
			hole, board, _ := out.index.At(number)
			clear(sum)
			for _, c := range h.cards {
				if !(hole | board).Has(c) {
					x.add(x.index.Of(hole, board|c.Bit()), sum)
				}
			}
			for b, n := range sum {
				out.counts.set(number*x.bins+b, n/missing)
			}
		}
	})
	return out, ctx.Err()
}

// add adds the histogram of a hand to sum.
func (x *histograms) add(number int, sum []uint32) {
	width := x.counts.width
	of := x.counts.data[number*x.bins*width:][:len(sum)*width]
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

// histogram returns the histogram of one hand, by going through all runouts, and their
// number.
func (h *hands) histogram(hole, board card.Set, bins int) (counts []uint32, total uint32) {
	counts = make([]uint32, bins)
	everyone := new(clusters)
	card.Subsets(h.rest(hole|board), h.full-board.Len(), func(rest card.Set) {
		s := h.against(hole, board|rest, everyone)
		counts[bin(int(s[0][0]), h.others, bins)]++
		total++
	})
	return counts, total
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
