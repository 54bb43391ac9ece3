package cluster

import (
	"context"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/internal/strength"
)

// fullBoards has the bin of the strength of every hand on every full board, up to the names
// of suits.
type fullBoards struct {
	index  *abstraction.SuitIndex
	boards []card.Set // one board a number, for all boards with that number
	hands  int
	bins   []uint8 // bin of a hand on a board; 0 for hands that share a card with it
}

func newFullBoards(ctx context.Context, h *strength.Hands, d *strength.Deck, bins, threads int,
	progress func(part float64)) (*fullBoards, error) {
	index, err := abstraction.NewSuitIndex(d.Suits, d.Ranks, 0, d.Full())
	if err != nil {
		return nil, err
	}
	f := &fullBoards{index: index, boards: make([]card.Set, index.Size()), hands: len(h.All),
		bins: make([]uint8, index.Size()*len(h.All))}
	workers := make([]*strength.Showdown, threads)
	for k := range workers {
		workers[k] = strength.NewShowdown(h, new(strength.Clusters), 1)
	}
	tasks(ctx, threads, index.Size(), 16, progress, func(k, from, to int) {
		for i := from; i < to; i++ {
			_, f.boards[i], _ = index.At(i)
			workers[k].Board(f.boards[i], func(number int, s *strength.Strengths) {
				f.bins[i*f.hands+number] = uint8(strength.Bin(int(s[0][0]), h.Others, bins))
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
	*strength.Hands
	number  [64][64]uint16 // number of a hand by the bits of its lowest and its highest card
	renamed map[abstraction.Renaming][]uint16
}

func newRenamer(h *strength.Hands) *renamer {
	r := &renamer{Hands: h, renamed: map[abstraction.Renaming][]uint16{}}
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
			h := strength.NewHolding(by.Of(r.All[i].Hole))
			list = append(list, r.number[h.Lo][h.Hi])
		}
		r.renamed[by] = list
	}
	return list
}
