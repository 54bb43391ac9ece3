package buckets

import (
	"context"
	"slices"
)

// Fill returns the table with the buckets of all hands. A table from a strategy's file leaves
// some out, each of which takes tens of microseconds to compute: too long for work that looks
// up most of them. progress gets the part that is done.
func (t *Table) Fill(ctx context.Context, threads int, progress func(part float64)) (*Table, error) {
	filled := *t
	filled.rounds = slices.Clone(t.rounds)
	var empty []int
	for r := range t.rounds {
		if x := &t.rounds[r]; x.table() == nil && x.centres != nil {
			empty = append(empty, r)
		}
	}
	_, least := layersOf(&t.deck, &t.recipe, empty, false)
	phases, begun, current := float64(t.deck.full()-least+len(empty)), -1., ""
	b := &builder{Table: &filled, ctx: ctx, Options: Options{Threads: max(1, threads),
		OnProgress: func(phase string, part float64) {
			if phase != current {
				current = phase
				begun++
			}
			progress((begun + part) / phases)
		}}}
	if err := b.makeLayers(empty, false); err != nil {
		return nil, err
	}
	for _, r := range empty {
		x := &filled.rounds[r]
		s, err := b.source(t.deck.Board[r], x.Feature)
		if err != nil {
			return nil, err
		}
		if err := b.assign(s, x, b.progress("buckets", r)); err != nil {
			return nil, err
		}
	}
	return &filled, nil
}
