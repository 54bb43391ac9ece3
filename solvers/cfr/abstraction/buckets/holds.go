package buckets

import (
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction/internal/strength"
)

// Centre returns the centre of a bucket's cluster: the part of its runouts in each bin of
// strength for Histogram, the strength against each cluster for OCHS, and nil for other
// features. With perfect recall buckets count within those of the round before.
func (t *Table) Centre(round, bucket int) (values []float64) {
	x := &t.rounds[round]
	if x.Centres == nil {
		return nil
	}
	before := 0.0
	for _, v := range x.Centres.At(x.BucketOf(bucket)) {
		now := float64(v) / 65535
		values = append(values, now-before)
		if x.Feature == Histogram {
			before = now
		}
	}
	if x.Feature == Histogram {
		values = append(values, 1-before)
	}
	return values
}

// Cluster returns the cluster of the opponent's hole cards, and the number of clusters; 0
// without an OCHS round.
func (t *Table) Cluster(hole card.Set) (cluster, of int) {
	if t.cluster == nil {
		return 0, 0
	}
	h := strength.NewHolding(hole)
	return int(t.cluster.Of(&h)), t.recipe.Clusters
}

// Holds returns a function that returns with which part of the boards some hole cards are
// in a bucket. The table must have the buckets of all hands of the round, and not keep all
// apart.
func (t *Table) Holds(round, bucket int) (func(hole card.Set) float64, error) {
	holes, err := t.deck.Index(0)
	if err != nil {
		return nil, err
	}
	in, all := make([]float64, holes.Size()), make([]float64, holes.Size())
	x := &t.rounds[round]
	table := x.table()
	for i := range x.Index.Size() {
		hole, _, pairs := x.Index.At(i)
		number := holes.Of(hole, 0)
		all[number] += float64(pairs)
		if int(table.At(i)) == bucket {
			in[number] += float64(pairs)
		}
	}
	return func(hole card.Set) float64 {
		number := holes.Of(hole, 0)
		return in[number] / all[number]
	}, nil
}
