package pcs

import (
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
	index  *policy.Index // index of the joined strategy
	halves [2]Half
	nodes  [2][]int32 // node of the index for each node of a half's tree
}

// Half is a training of a [Pair], by [Tables].
type Half interface {
	checkpoint.State
	Step()
	Close() error
	tables() *Tables
}

// NewPair returns the pair of trainings of the first and the second player, which have the same method
// and seed, and have done no iteration. The betting trees of their indexes are parts of that of x, and
// the buckets are the same.
func NewPair(x *policy.Index, first, second Half) *Pair {
	p := &Pair{index: x, halves: [2]Half{first, second}}
	for i, h := range p.halves {
		p.nodes[i] = x.Tree.Follow(h.tables().Tree)
	}
	return p
}

var _ checkpoint.State = (*Pair)(nil)

// Starter is a training that can begin with the average strategy of public chance sampling by a method. ReadStart reads
// the state of that, whose regrets count as those of so many iterations.
type Starter interface {
	ReadStart(r io.Reader, m Method, iterations uint64) error
}

// ReadStart is that of both halves, each of which must be a [Starter].
func (p *Pair) ReadStart(r io.Reader, m Method, iterations uint64) error {
	return p.each(func(h Half) error { return h.(Starter).ReadStart(r, m, iterations) })
}

// each calls f for both halves up to the first that fails.
func (p *Pair) each(f func(h Half) error) error {
	for _, h := range p.halves {
		if err := f(h); err != nil {
			return err
		}
	}
	return nil
}

// Step does a batch of iterations for each player, unless the device has failed.
func (p *Pair) Step() {
	for _, h := range p.halves {
		if p.Err() == nil {
			h.Step()
		}
	}
}

// Iterations returns the number of iterations done for each player.
func (p *Pair) Iterations() uint64 { return p.halves[1].tables().Iterations() }

// Threads returns how many threads train.
func (p *Pair) Threads() int { return p.halves[0].tables().Threads() }

// Err returns the failure of the device, or nil.
func (p *Pair) Err() error { return p.each(func(h Half) error { return h.tables().Err() }) }

// Close frees the memory of both trainings.
func (p *Pair) Close() error { return errors.Join(p.halves[0].Close(), p.halves[1].Close()) }

// WriteState writes what further iterations depend on.
func (p *Pair) WriteState(w io.Writer) error {
	return p.each(func(h Half) error { return h.WriteState(w) })
}

// ReadState restores what WriteState wrote, as [Tables.ReadState] does.
func (p *Pair) ReadState(r io.Reader) error {
	return p.each(func(h Half) error { return h.ReadState(r) })
}

// Weights returns the average strategy of both players, see [Tables.Weights].
func (p *Pair) Weights() []float32 { return p.join((*Tables).Weights) }

// CurrentWeights returns their current strategy.
func (p *Pair) CurrentWeights() []float32 { return p.join((*Tables).CurrentWeights) }

// join returns the weights of each player from its own training. After a raise that only opponents
// have, those of the player who made it are from the other training: what it was expected to play, if
// the players have the same buckets. Where a training has no weights, its actions are equally likely.
func (p *Pair) join(of func(t *Tables) []float32) []float32 {
	weights := make([]float32, p.index.Entries)
	trained := [2][]float32{of(p.halves[0].tables()), of(p.halves[1].tables())}
	for _, own := range []bool{false, true} { // a player's own training replaces the other
		for i, h := range p.halves {
			tree := h.tables().Tree
			for node := range tree.Nodes {
				if n := &tree.Nodes[node]; n.Kind == betting.Decision && (int(n.Actor) == i) == own {
					p.set(weights, trained[i], i, int32(node))
				}
			}
		}
	}
	return weights
}

// set sets the weights of a decision to those that a player's training has at a node of its tree.
func (p *Pair) set(weights, trained []float32, player int, node int32) {
	from, at := p.halves[player].tables().Index, p.nodes[player][node]
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

// NewResponse returns a response to the average strategy, see [mccfr.Table.NewResponse].
func (p *Pair) NewResponse(seed uint64) (*mccfr.Response, error) {
	weights := p.Weights()
	if err := p.Err(); err != nil {
		return nil, err
	}
	return newResponse(p.index, weights, seed)
}

// Save writes the average strategy to a file. The caller may have set the exploitability in m;
// Save fills in the rest.
func (p *Pair) Save(path string, m strategy.Meta) error {
	weights := p.Weights()
	if err := p.Err(); err != nil {
		return err
	}
	// The name of the algorithm has the opponent of the first player.
	return p.halves[0].tables().save(p.index, weights, path, m)
}
