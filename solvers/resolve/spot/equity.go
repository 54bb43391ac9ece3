package spot

import (
	"cmp"
	"context"
	"slices"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/acpc/ranges"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// Equity returns the equities of two ranges against each other, from 0 to 1: exactly, over all boards that may follow
// the cards of a board, of which there may be none to five. progress gets the part that is done, on several goroutines
// at once. The error is ErrNoHands or the context's.
func Equity(
	ctx context.Context, r [2]*ranges.Range, board []card.Card, threads int, progress func(part float64),
) (both [2]float64, err error) {
	dealt := card.SetOf(board...)
	if dealt.Len() != len(board) || len(board) > 5 {
		return both, &FieldError{"board", "it has a card twice, or more than five"}
	}
	down := &Spot{Ranges: r}
	root := &layout.Board{Cards: dealt}
	var weights [2][]float32
	for p := range r {
		root.Hands[p].Holes = layout.Held(dealt, func(hole card.Set) bool { return r[p].Weight(hole) > 0 })
		for _, h := range root.Hands[p].Holes {
			weights[p] = append(weights[p], float32(r[p].Weight(h.Set())))
		}
	}
	if !slices.ContainsFunc(root.Hands[0].Holes, func(x layout.Hole) bool {
		return slices.ContainsFunc(root.Hands[1].Holes, func(y layout.Hole) bool { return x.Set()&y.Set() == 0 })
	}) {
		return both, ErrNoHands
	}
	if err := context.Cause(ctx); err != nil {
		return both, err
	}
	boards, counts := completions(dealt, down.symmetries(dealt))
	onBoard := func(board card.Set) (won, pairs float64) {
		return showdowns(root.After(board&^dealt, abstraction.Renamings()[:1]), weights)
	}
	if len(weights[0])*len(weights[1]) <= fewPairs {
		onBoard = func(board card.Set) (won, pairs float64) { return compared(board, root, weights) }
	}
	const parts = 512
	var won, pairs [parts]float64
	parallel.For(threads, parts, func(_, part int) {
		for i := part; i < len(boards) && ctx.Err() == nil; i += parts {
			w, n := onBoard(boards[i])
			won[part] += counts[i] * w
			pairs[part] += counts[i] * n
		}
		progress(float64(part+1) / parts)
	})
	if err := context.Cause(ctx); err != nil {
		return both, err
	}
	w, n := 0.0, 0.0
	for part := range parts {
		w += won[part]
		n += pairs[part]
	}
	both[0] = (1 + w/n) / 2
	both[1] = 1 - both[0]
	return both, nil
}

// completions returns the boards of five cards after some, of those that a renaming makes equal one, and how many these
// are.
func completions(dealt card.Set, symmetries []abstraction.Renaming) (boards []card.Set, counts []float64) {
	var rest []card.Card
	for c := range card.Card(card.DeckSize) {
		if !dealt.Has(c) {
			rest = append(rest, c)
		}
	}
	card.Subsets(rest, 5-dealt.Len(), func(dealt card.Set) {
		var same []card.Set
		for _, r := range symmetries {
			to := r.Of(dealt)
			if to < dealt {
				return
			}
			if !slices.Contains(same, to) {
				same = append(same, to)
			}
		}
		boards, counts = append(boards, dealt), append(counts, float64(len(same)))
	})
	for i := range boards {
		boards[i] |= dealt
	}
	return boards, counts
}

// fewPairs is how many pairs of hands are compared one by one. For more it takes less time to sort the hands.
const fewPairs = 300

// compared is showdowns of few hands.
func compared(board card.Set, root *layout.Board, weights [2][]float32) (won, pairs float64) {
	for i, x := range root.Hands[0].Holes {
		if x.Set()&board != 0 {
			continue
		}
		own := hand.ACPC.Rank(board | x.Set())
		for j, y := range root.Hands[1].Holes {
			if y.Set()&(board|x.Set()) != 0 {
				continue
			}
			weight := float64(weights[0][i]) * float64(weights[1][j])
			pairs += weight
			won += weight * float64(cmp.Compare(own, hand.ACPC.Rank(board|y.Set())))
		}
	}
	return won, pairs
}

// showdowns returns the weight of the pairs of hands on a river, and that of those which the first player wins less
// that of those which it loses.
func showdowns(b *layout.Board, weights [2][]float32) (won, pairs float64) {
	var reach [2][]float32
	for p := range reach {
		reach[p] = make([]float32, b.Hands[p].Width)
		b.Hands[p].Gather(reach[p], weights[p])
	}
	width := b.Hands[0].Width
	win, all := make([]float32, width), make([]float32, width)
	tiles := layout.NewTiles(max(width, b.Hands[1].Width))
	tiles.Ends(b, 0, []layout.End{
		{Reach: reach[1], Value: win, Payoff: layout.Payoff{Worse: 1, NotBetter: 1, All: -1}},
	}, true)
	tiles.Ends(b, 0, []layout.End{{Reach: reach[1], Value: all, Payoff: layout.Payoff{All: 1}}}, false)
	for i, x := range reach[0] {
		won += float64(x) * float64(win[i])
		pairs += float64(x) * float64(all[i])
	}
	return won, pairs
}
