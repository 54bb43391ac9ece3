package pcs

import (
	"context"
	"errors"
	"io"

	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/strategy"
)

// Pair trains each player against an opponent with another card abstraction, such as one with more
// buckets: by two trainings, each of which has the strategy of one player. They are joined in one
// strategy. A Pair is used by one goroutine at a time.
type Pair [2]*Trainer

// NewPair returns the pair of trainers of the first and the second player, whose games are by
// [NewAgainst]. They have the same index, method and seed, and have done no iteration.
func NewPair(first, second *Trainer) *Pair { return &Pair{first, second} }

var _ checkpoint.State = (*Pair)(nil)

// each calls f for both trainers up to the first that fails.
func (p *Pair) each(f func(t *Trainer) error) error {
	for _, t := range p {
		if err := f(t); err != nil {
			return err
		}
	}
	return nil
}

// Algorithm returns the name of the algorithm in files.
func (p *Pair) Algorithm() string { return p[0].method.String() + " against " + p[0].cards[1].Name() }

// Step does a batch of iterations for each player.
func (p *Pair) Step() { p.StepUpTo(1) }

// StepUpTo does a batch of iterations for each player, unless the device has failed.
func (p *Pair) StepUpTo(uint64) {
	for _, t := range p {
		if p.Err() == nil {
			t.Step()
		}
	}
}

// Iterations returns the number of iterations done for each player.
func (p *Pair) Iterations() uint64 { return p[1].Iterations() }

// Threads returns how many threads train.
func (p *Pair) Threads() int { return p[0].Threads() }

// Err returns the failure of the device, or nil.
func (p *Pair) Err() error { return p.each((*Trainer).Err) }

// Close frees the memory of both trainers.
func (p *Pair) Close() error { return errors.Join(p[0].Close(), p[1].Close()) }

// Compact is [Tables.Compact] for both trainers.
func (p *Pair) Compact() {
	for _, t := range p {
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

// join adds weights, of which each trainer has those of its own player, and zeros.
func (p *Pair) join(of func(t *Trainer) []float32) []float32 {
	weights := of(p[0])
	for i, w := range of(p[1]) {
		weights[i] += w
	}
	return weights
}

// Respond learns a response to the average strategy, see [mccfr.Table.Respond].
func (p *Pair) Respond(ctx context.Context, iterations int, seed uint64, progress func(part float64)) (*mccfr.Response, error) {
	weights := p.Weights()
	if err := p.Err(); err != nil {
		return nil, err
	}
	return p[0].respond(ctx, weights, iterations, seed, progress)
}

// Save writes the average strategy to a file. The caller may have set the exploitability in m;
// Save fills in the rest.
func (p *Pair) Save(path string, m strategy.Meta) error {
	weights := p.Weights()
	if err := p.Err(); err != nil {
		return err
	}
	m.Algorithm, m.Seed, m.Iterations = p.Algorithm(), p[0].seed, p.Iterations()
	return p[0].save(path, m, weights)
}
