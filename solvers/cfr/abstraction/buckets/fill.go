package buckets

import (
	"context"
	"slices"

	"gamebots/acpc/card"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
)

// Fill returns the table with the buckets of all hands. A table from a strategy's file leaves
// some out, each of which takes tens of microseconds to compute: too long for work that looks
// up most of them. progress gets the part that is done.
func (t *Table) Fill(ctx context.Context, threads int, progress func(part float64)) (*Table, error) {
	filled := *t
	filled.rounds = slices.Clone(t.rounds)
	var empty []int
	for r := range t.rounds {
		if x := &t.rounds[r]; x.table() == nil && x.Centres != nil {
			empty = append(empty, r)
		}
	}
	for i, r := range empty {
		x := &filled.rounds[r]
		x.Bucket, x.later = NewNumbers(x.Index.Size(), uint32(x.buckets-1)), nil
		report := func(part float64) { progress((float64(i) + part) / float64(len(empty))) }
		if err := t.fill(ctx, r, max(1, threads), report, x.Bucket); err != nil {
			return nil, err
		}
	}
	return &filled, nil
}

// fill computes the buckets of all hands by a round alone.
func (t *Table) fill(
	ctx context.Context, r, threads int, progress func(part float64), bucket *Numbers,
) error {
	x, full := &t.rounds[r], t.deck.Board[r] == t.deck.Full()
	source := x.Index // all hands, or all boards
	if full {
		var err error
		if source, err = abstraction.NewSuitIndex(t.deck.Suits, t.deck.Ranks, 0, t.deck.Full()); err != nil {
			return err
		}
	}
	neighbours := NewNeighbours(x.Centres, ManyNeighbours, threads)
	boards := make([]func(card.Set, func(card.Set, int)), threads)
	for k := range boards {
		last := 0 // the nearest of a hand is near to the next
		boards[k] = t.onFullBoards(x, func(feature []uint16) int {
			last, _ = neighbours.After(feature, last)
			return last
		})
	}
	const each = 16
	tasks := (source.Size() + each - 1) / each
	parallel.For(threads, tasks, func(worker, task int) {
		if ctx.Err() != nil {
			return
		}
		if worker == 0 {
			progress(float64(task) / float64(tasks))
		}
		for i := task * each; i < min((task+1)*each, source.Size()); i++ {
			hole, board, _ := source.At(i)
			if !full {
				bucket.Set(i, uint32(t.own(x, hole, board)))
				continue
			}
			boards[worker](board, func(hole card.Set, b int) { bucket.Set(x.Index.Of(hole, board), uint32(b)) })
		}
	})
	return context.Cause(ctx)
}
