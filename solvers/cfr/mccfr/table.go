package mccfr

import (
	"errors"
	"io"
	"iter"
	"math"
	"slices"

	"gamebots/internal/memory"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Table has the result of training: the cumulative regret of every entry, and the sum
// of the strategies that were played. Every trainer embeds a Table.
type Table struct {
	*Game
	Regret, StrategySum []float32 // nil if the numbers have 16 bits
	half                half      // empty if they have 32

	Algorithm string // name in strategy files
	Seed      uint64
	Done      uint64 // iterations
}

// NewTable returns a table of zeros.
func NewTable(g *Game, algorithm string, seed uint64) Table {
	return newTable(g, algorithm, seed, false)
}

func newTable(g *Game, algorithm string, seed uint64, bits16 bool) Table {
	t := Table{Game: g, Algorithm: algorithm, Seed: seed}
	if bits16 {
		t.half = half{memory.MakeTable[uint16](g.Entries), memory.MakeTable[uint16](g.Entries)}
	} else {
		t.Regret, t.StrategySum = memory.MakeTable[float32](g.Entries), memory.MakeTable[float32](g.Entries)
	}
	return t
}

// TableOf returns a table of a strategy that was trained elsewhere, for [Table.NewResponse]: its
// average strategy has the given weights, in the order of a cfr.Trainer.
func TableOf(g *Game, weights []float32) Table {
	t := Table{Game: g, StrategySum: memory.MakeTable[float32](g.Entries)}
	for own, entry := range t.trainerEntries(g.Index()) {
		t.StrategySum[own] = weights[entry]
	}
	return t
}

// Iterations returns the number of iterations done.
func (t *Table) Iterations() uint64 { return t.Done }

// RegretMatching sets sigma to the strategy that follows from regrets: in
// proportion to the positive ones, and uniform if there are none (Hart and
// Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium",
// Econometrica 2000).
func RegretMatching(sigma, regret []float32) {
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

// hasLearned reports whether an information set has a regret.
func (t *Table) hasLearned(entry, actions int) bool {
	if t.half.regret != nil {
		return slices.ContainsFunc(t.half.regret[entry:][:actions], func(x uint16) bool { return x != 0 })
	}
	return slices.ContainsFunc(t.Regret[entry:][:actions], func(x float32) bool { return math.Float32bits(x) != 0 })
}

// addRegrets adds to the regrets of an information set, from its first entry on, what an
// iteration found.
func (t *Table) addRegrets(entry int, change []float32, iteration uint64) {
	if t.half.regret != nil {
		t.half.addRegrets(entry, change, t.rounding(entry, iteration))
		return
	}
	for a := range t.Regret[entry:][:len(change)] {
		t.Regret[entry+a] += change[a]
	}
}

// addStrategy adds to the strategy sums of an information set, from its first entry on.
func (t *Table) addStrategy(entry int, change []float32, iteration uint64) {
	if t.half.regret != nil {
		t.half.addSums(entry, change, ^t.rounding(entry, iteration))
		return
	}
	for a, x := range change {
		t.StrategySum[entry+a] = t.sumOf(t.StrategySum[entry+a], x, entry+a)
	}
}

// nobody is a number that no player has.
const nobody = 15

// rounding returns the random numbers by which an iteration rounds the changes of an
// information set to 16 bits.
func (t *Table) rounding(entry int, iteration uint64) rng.Stream {
	return NewStream(t.Seed, iteration, nobody) + rng.Stream(entry)
}

// regrets reads the regrets from an entry on.
func (t *Table) regrets(dst []float32, entry int) {
	if t.half.regret != nil {
		t.half.regrets(dst, entry)
		return
	}
	copy(dst, t.Regret[entry:])
}

// strategySums reads the strategy sums from an entry on.
func (t *Table) strategySums(dst []float32, entry int) {
	if t.half.regret != nil {
		t.half.sums(dst, entry)
		return
	}
	copy(dst, t.StrategySum[entry:])
}

// sums returns all strategy sums: the table's own, or a copy if they have 16 bits.
func (t *Table) sums() []float32 {
	sums := t.StrategySum
	if t.half.sum != nil {
		sums = make([]float32, t.Entries)
		t.half.sums(sums, 0)
	}
	return sums
}

// maxExactSum is the strategy sum from which on sumOf rounds at random.
// Below it, the error of rounding to nearest is less than the sampling noise.
const maxExactSum = 1 << 20

// sumOf returns an entry's strategy sum with x added. A 32-bit sum of millions no
// longer changes when a small number is added to it. Rounded at random it does,
// and is right in the mean.
func (t *Table) sumOf(old, x float32, entry int) float32 {
	if sum := old + x; sum < maxExactSum {
		return sum
	}
	return t.roundedSum(old, x, entry)
}

// roundedSum is sumOf for a large sum.
func (t *Table) roundedSum(old, x float32, entry int) float32 {
	want := float64(old) + float64(x)
	low := float32(want)
	if float64(low) > want {
		low = math.Nextafter32(low, 0)
	}
	high := math.Nextafter32(low, math.MaxFloat32)
	random := rng.Stream(rng.Mix(math.Float64bits(want)+t.Done) + uint64(entry))
	if float64(random.Float32())*float64(high-low) < want-float64(low) {
		low = high
	}
	return low
}

// Weights returns the average strategy as weights of all entries in the order of
// a cfr.Trainer, for a publictree.Evaluator of the same game, raises and cards, which forgets no
// betting.
func (t *Table) Weights() []float32 { return t.inTrainerOrder(t.sums()) }

// CurrentWeights returns the current strategy, the one that matches the regrets, as Weights
// returns the average one.
func (t *Table) CurrentWeights() []float32 {
	regrets := make([]float32, t.Entries)
	t.regrets(regrets, 0)
	weights := t.inTrainerOrder(regrets)
	for i, r := range weights {
		weights[i] = max(r, 0)
	}
	return weights
}

// inTrainerOrder copies a value of each entry into the order of a cfr.Trainer.
func (t *Table) inTrainerOrder(values []float32) []float32 {
	x, decisions := t.FullIndex()
	out := make([]float32, x.Entries)
	for own, entry := range t.trainerEntries(x, decisions) {
		out[entry] = values[own]
	}
	return out
}

// trainerEntries yields the entries of an index, each with its place in a trainer's arrays.
// decisions has the decision of each node.
func (t *Table) trainerEntries(x *policy.Index, decisions []int32) iter.Seq2[int, int] {
	return func(yield func(own, entry int) bool) {
		for node := range x.Tree.Nodes {
			if x.Tree.Nodes[node].Kind != betting.Decision {
				continue
			}
			n := &t.Nodes[decisions[node]]
			rows := &t.Rows[n.Round][n.Actor]
			first, buckets := x.Entry(int32(node)), t.Buckets.NumBuckets(int(n.Round))
			for b := range buckets {
				own := rows.Of(b) + int(n.Offset)
				for a := range int(n.Actions) {
					if !yield(own+a, first+a*buckets+b) {
						return
					}
				}
			}
		}
	}
}

// Save writes the average strategy to a file. The caller may have set the
// exploitability in m; Save fills in the rest.
func (t *Table) Save(path string, m strategy.Meta) error {
	x, decisions := t.Index()
	return t.save(path, m, x, decisions, func([]float32, int32, int) {})
}

// save is Save with the game's index. add may change the strategy sums of a bucket at a decision.
func (t *Table) save(path string, m strategy.Meta, x *policy.Index, decisions []int32,
	add func(sums []float32, decision int32, bucket int)) error {
	m.Algorithm, m.Iterations, m.Seed = t.Algorithm, t.Done, t.Seed
	return x.Save(path, m, func(node int32, _, bucket int, weights []float32) {
		n := t.Nodes[decisions[node]]
		t.strategySums(weights, t.Rows[n.Round][n.Actor].Of(bucket)+int(n.Offset))
		add(weights, decisions[node], bucket)
	})
}

var _ checkpoint.State = (*Table)(nil)

// WriteState writes everything that further iterations depend on.
func (t *Table) WriteState(w io.Writer) error {
	return errors.Join(
		checkpoint.WriteSlice(w, []uint64{t.Done}),
		checkpoint.WriteSlice(w, t.Regret),
		checkpoint.WriteSlice(w, t.StrategySum),
		checkpoint.WriteSlice(w, t.half.regret),
		checkpoint.WriteSlice(w, t.half.sum))
}

// ReadState restores the state that a trainer of the same game, algorithm and seed
// wrote.
func (t *Table) ReadState(r io.Reader) error {
	done := []uint64{0}
	err := errors.Join(
		checkpoint.ReadSlice(r, done),
		checkpoint.ReadSlice(r, t.Regret),
		checkpoint.ReadSlice(r, t.StrategySum),
		checkpoint.ReadSlice(r, t.half.regret),
		checkpoint.ReadSlice(r, t.half.sum))
	t.Done = done[0]
	return err
}
