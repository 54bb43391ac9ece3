package pcs

import (
	"context"
	"errors"
	"io"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Pair trains each player against an opponent with another abstraction, such as one with more buckets
// or more raises: by two trainings, each of which is for the strategy of one player. They are joined
// in one strategy. A Pair is used by one goroutine at a time.
type Pair struct {
	index    *policy.Index // index of the joined strategy
	trainers [2]*Trainer
	nodes    [2][]int32 // node of the index for each node of a trainer's tree
}

// NewPair returns the pair of trainers of the first and the second player, which have the same method
// and seed, and have done no iteration. The betting trees of their indexes are parts of that of x, and
// the buckets are the same.
func NewPair(x *policy.Index, first, second *Trainer) *Pair {
	p := &Pair{index: x, trainers: [2]*Trainer{first, second}}
	for i, t := range p.trainers {
		p.nodes[i] = x.Tree.Follow(t.Tree)
	}
	return p
}

var _ checkpoint.State = (*Pair)(nil)

// each calls f for both trainers up to the first that fails.
func (p *Pair) each(f func(t *Trainer) error) error {
	for _, t := range p.trainers {
		if err := f(t); err != nil {
			return err
		}
	}
	return nil
}

// Algorithm returns the name of the algorithm in files.
func (p *Pair) Algorithm() string {
	first := p.trainers[0]
	if first.sameCards() {
		return first.method.String()
	}
	return first.method.String() + " against " + first.cards[1].Name()
}

// Step does a batch of iterations for each player.
func (p *Pair) Step() { p.StepUpTo(1) }

// StepUpTo does a batch of iterations for each player, unless the device has failed.
func (p *Pair) StepUpTo(uint64) {
	for _, t := range p.trainers {
		if p.Err() == nil {
			t.Step()
		}
	}
}

// Iterations returns the number of iterations done for each player.
func (p *Pair) Iterations() uint64 { return p.trainers[1].Iterations() }

// Threads returns how many threads train.
func (p *Pair) Threads() int { return p.trainers[0].Threads() }

// Err returns the failure of the device, or nil.
func (p *Pair) Err() error { return p.each((*Trainer).Err) }

// Close frees the memory of both trainers.
func (p *Pair) Close() error { return errors.Join(p.trainers[0].Close(), p.trainers[1].Close()) }

// Compact is [Tables.Compact] for both trainers.
func (p *Pair) Compact() {
	for _, t := range p.trainers {
		t.Compact()
	}
}

// WriteState writes what further iterations depend on.
func (p *Pair) WriteState(w io.Writer) error {
	return p.each(func(t *Trainer) error { return t.WriteState(w) })
}

// ReadState restores what WriteState wrote, as [Tables.ReadState] does.
func (p *Pair) ReadState(r io.Reader) error {
	return p.each(func(t *Trainer) error { return t.ReadState(r) })
}

// Weights returns the average strategy of both players, see [Tables.Weights].
func (p *Pair) Weights() []float32 { return p.join((*Trainer).Weights) }

// CurrentWeights returns their current strategy.
func (p *Pair) CurrentWeights() []float32 { return p.join((*Trainer).CurrentWeights) }

// join returns the weights of each player from its own training. After a raise that only opponents
// have, those of the player who made it are from the other training: what it was expected to play, if
// the players have the same buckets. Where a training has no weights, its actions are equally likely.
func (p *Pair) join(of func(t *Trainer) []float32) []float32 {
	weights := make([]float32, p.index.Entries)
	trained := [2][]float32{of(p.trainers[0]), of(p.trainers[1])}
	for _, own := range []bool{false, true} { // a player's own training replaces the other
		for i, t := range p.trainers {
			for node := range t.Tree.Nodes {
				if n := &t.Tree.Nodes[node]; n.Kind == betting.Decision && (int(n.Actor) == i) == own {
					p.set(weights, trained[i], i, int32(node))
				}
			}
		}
	}
	return weights
}

// set sets the weights of a decision to those that a player's training has at a node of its tree.
func (p *Pair) set(weights, trained []float32, player int, node int32) {
	from, at := p.trainers[player].Index, p.nodes[player][node]
	n, first := &from.Tree.Nodes[node], p.index.Tree.Nodes[at].First
	buckets := from.Buckets.NumBuckets(int(n.Round))
	trained = trained[from.Entry(node):][:int(n.NumActions)*buckets]
	weights = weights[p.index.Entry(at):][:int(p.index.Tree.Nodes[at].NumActions)*buckets]
	clear(weights)
	for b := range buckets {
		total := float32(0)
		for a := range int(n.NumActions) {
			total += trained[a*buckets+b]
		}
		for a := range int(n.NumActions) {
			w := trained[a*buckets+b]
			if total == 0 {
				w = 1
			}
			same := int(p.nodes[player][int(n.First)+a] - first)
			weights[same*buckets+b] = w
		}
	}
}

// Respond learns a response to the average strategy, see [mccfr.Table.Respond].
func (p *Pair) Respond(ctx context.Context, iterations int, seed uint64,
	progress func(part float64)) (*mccfr.Response, error) {
	weights := p.Weights()
	if err := p.Err(); err != nil {
		return nil, err
	}
	return respond(ctx, p.index, weights, iterations, seed, progress)
}

// Save writes the average strategy to a file. The caller may have set the exploitability in m;
// Save fills in the rest.
func (p *Pair) Save(path string, m strategy.Meta) error {
	weights := p.Weights()
	if err := p.Err(); err != nil {
		return err
	}
	m.Algorithm, m.Seed, m.Iterations = p.Algorithm(), p.trainers[0].seed, p.Iterations()
	return save(p.index, path, m, weights)
}
