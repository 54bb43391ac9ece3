package buckets

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/kmeans"
)

// Memory returns about how many bytes Build needs at most. The error is a [*RecipeError].
func Memory(g *acpc.Game, r Recipe) (bytes int64, err error) {
	if err := r.check(g); err != nil {
		return 0, err
	}
	d := DeckOf(g)
	var rounds []int
	clusterHoles := false
	for i, round := range r.Rounds {
		rounds, clusterHoles = append(rounds, i), clusterHoles || round.Feature == OCHS
	}
	_, least := layersOf(&d, &r, rounds, clusterHoles)
	if least < d.full() {
		boards, err := abstraction.NewSuitIndex(d.Suits, d.Ranks, 0, d.full())
		if err != nil {
			return 0, err
		}
		bytes += int64(boards.Size()) * int64(choose(d.Suits*d.Ranks, d.Hole)) // the bins of hands on them
	}
	for board := d.full() - 1; board >= least; board-- {
		index, err := d.index(board)
		if err != nil {
			return 0, err
		}
		bytes += int64(index.Size()) * int64(r.Bins*numberBytes(runouts(&d, board)))
	}
	largest := int64(0) // bytes of the vectors of the largest round
	for i, round := range r.Rounds {
		index, err := d.index(d.Board[i])
		if err != nil {
			return 0, err
		}
		dim := r.Bins - 1
		switch round.Feature {
		case Hands:
			continue
		case OCHS:
			dim = r.Clusters
		}
		bytes += int64(index.Size()) * int64(numberBytes(uint32(round.Buckets-1)))
		vectors := int64(r.Sample)
		if all := int64(index.Size()); vectors == 0 || vectors > all {
			vectors = all
		}
		const copies, counters = 3, 44 // vectors as drawn, collected and joined; bytes of weights and distances
		largest = max(largest, vectors*int64(copies*2*dim+counters)+kmeans.SearchBytes(round.Buckets))
	}
	return bytes + largest, nil
}
