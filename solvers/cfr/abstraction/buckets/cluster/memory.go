package cluster

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/internal/nearest"
	"gamebots/solvers/cfr/abstraction/internal/packed"
	"gamebots/solvers/cfr/abstraction/internal/strength"
)

// Memory returns about how many bytes Build needs at most. The error is a [*buckets.RecipeError].
func Memory(g *acpc.Game, r buckets.Recipe) (bytes int64, err error) {
	if err := r.Check(g); err != nil {
		return 0, err
	}
	d := strength.DeckOf(g)
	var rounds []int
	clusterHoles := false
	for i, round := range r.Rounds {
		rounds, clusterHoles = append(rounds, i), clusterHoles || round.Feature == buckets.OCHS
	}
	_, least := layersOf(&d, &r, rounds, clusterHoles)
	if least < d.Full() {
		boards, err := abstraction.NewSuitIndex(d.Suits, d.Ranks, 0, d.Full())
		if err != nil {
			return 0, err
		}
		bytes += int64(boards.Size()) * int64(choose(d.Suits*d.Ranks, d.Hole)) // the bins of hands on them
	}
	for board := d.Full() - 1; board >= least; board-- {
		index, err := d.Index(board)
		if err != nil {
			return 0, err
		}
		bytes += int64(index.Size()) * int64(r.Bins*packed.Bytes(strength.Runouts(&d, board)))
	}
	largest := int64(0) // bytes of the vectors of the largest round
	for i, round := range r.Rounds {
		index, err := d.Index(d.Board[i])
		if err != nil {
			return 0, err
		}
		dim := r.Bins - 1
		switch round.Feature {
		case buckets.Hands:
			continue
		case buckets.OCHS:
			dim = r.Clusters
		}
		bytes += int64(index.Size()) * int64(packed.Bytes(uint32(round.Buckets-1)))
		vectors := int64(r.Sample)
		if all := int64(index.Size()); vectors == 0 || vectors > all {
			vectors = all
		}
		const copies, counters = 3, 44 // vectors as drawn, collected and joined; bytes of weights and distances
		largest = max(largest, vectors*int64(copies*2*dim+counters)+nearest.Bytes(round.Buckets))
	}
	return bytes + largest, nil
}
