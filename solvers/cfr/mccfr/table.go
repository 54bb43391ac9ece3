package mccfr

import (
	"errors"
	"io"
	"math"

	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/strategy"
)

// table is what training learns: for every entry its regret, and the sum of the
// strategies that were played.
type table struct {
	*Game
	regret, average []float32

	name       string // of the algorithm
	seed       uint64
	iterations uint64
}

func newTable(g *Game, name string, seed uint64) table {
	return table{
		Game: g, name: name, seed: seed,
		regret: make([]float32, g.Entries), average: make([]float32, g.Entries),
	}
}

// Iterations returns how many iterations were done.
func (t *table) Iterations() uint64 { return t.iterations }

// match sets sigma to the strategy that regrets make: proportional to the
// positive ones, and uniform where there are none.
func match(sigma, regret []float32) {
	total := float32(0)
	for a, r := range regret {
		r = max(r, 0)
		sigma[a] = r
		total += r
	}
	if total > 0 {
		scale := 1 / total
		for a := range sigma {
			sigma[a] *= scale
		}
		return
	}
	uniform := 1 / float32(len(sigma))
	for a := range sigma {
		sigma[a] = uniform
	}
}

// exact is the sum of strategies from which on addAverage rounds at random.
// Below it, what the usual rounding loses is no more than sampling noise.
const exact = 1 << 20

// addAverage adds a strategy's part to a sum. A 32-bit sum of millions no longer
// changes when little is added to it; rounded at random it does, and is right in
// the mean.
func (t *table) addAverage(at int, x float32) {
	sum := t.average[at] + x
	if sum < exact {
		t.average[at] = sum
		return
	}
	want := float64(t.average[at]) + float64(x)
	low := float32(want)
	if float64(low) > want {
		low = math.Nextafter32(low, 0)
	}
	high := math.Nextafter32(low, math.MaxFloat32)
	random := stream(mix(math.Float64bits(want)+t.iterations) + uint64(at))
	if float64(random.unit())*float64(high-low) < want-float64(low) {
		low = high
	}
	t.average[at] = low
}

// Weights returns the average strategy as weights of all entries in the order of
// a cfr.Trainer, for a cfr.Evaluator of the same game, actions and cards.
func (t *table) Weights() []float32 { return t.ordered(t.average) }

// ordered returns what the entries have in the order of a cfr.Trainer.
func (t *table) ordered(entries []float32) []float32 {
	x, decisions := t.index()
	out := make([]float32, x.Entries)
	for i, n := range t.nodes {
		rows, node := &t.rows[n.round][n.actor], decisions[i]
		buckets := t.Buckets.NumBuckets(int(n.round))
		for b := range buckets {
			for a, v := range entries[rows.of(b)+int(n.row):][:n.actions] {
				out[x.Entry[node]+a*buckets+b] = v
			}
		}
	}
	return out
}

// Save writes the average strategy to a file. The caller may have set the
// exploitability; the rest is filled in.
func (t *table) Save(path string, m strategy.Meta) error {
	m.Algorithm, m.Iterations, m.Seed = t.name, t.iterations, t.seed
	x, decisions := t.index()
	at := make([]int32, len(x.Tree.Nodes))
	for i, node := range decisions {
		at[node] = int32(i)
	}
	return x.Save(path, m, func(node int32, bucket int, weights []float32) {
		n := t.nodes[at[node]]
		copy(weights, t.average[t.rows[n.round][n.actor].of(bucket)+int(n.row):])
	})
}

var _ checkpoint.State = (*table)(nil)

// WriteState writes all that further iterations depend on.
func (t *table) WriteState(w io.Writer) error {
	return errors.Join(
		checkpoint.WriteSlice(w, []uint64{t.iterations}),
		checkpoint.WriteSlice(w, t.regret),
		checkpoint.WriteSlice(w, t.average))
}

// ReadState goes on where the trainer was that wrote the state, of the same
// game, algorithm and seed.
func (t *table) ReadState(r io.Reader) error {
	iterations := []uint64{0}
	err := errors.Join(
		checkpoint.ReadSlice(r, iterations),
		checkpoint.ReadSlice(r, t.regret),
		checkpoint.ReadSlice(r, t.average))
	t.iterations = iterations[0]
	return err
}
