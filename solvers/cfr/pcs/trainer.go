package pcs

import (
	"context"

	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/strategy"
)

// Trainer improves a strategy by public chance sampling. The CPU deals the next batch while
// it trains on the last. A Trainer is used by one goroutine at a time.
//
// A device may fail. From then on nothing is trained, and Err and all methods that need its
// results return the failure.
type Trainer struct {
	*Game
	method  Method
	seed    uint64
	threads int
	machine machine
	batches batches
	done    uint64 // boards
	compact bool   // whether states are
	err     error

	ahead      chan *pcsgpu.Batch // the batch that is dealt ahead
	aheadFirst uint64             // its first board
}

// machine trains and keeps the tables.
type machine interface {
	// train updates the players in turn on a batch.
	train(b *pcsgpu.Batch, u pcsgpu.Update) error
	// table returns the regrets of a player in a round, or the sums of its strategies, by
	// bucket, column and lane. They are not to be changed.
	table(sums bool, player, r int) ([]float32, error)
	// setTable sets them; match computes strategies from all regrets that were set.
	setTable(sums bool, player, r int, values []float32) error
	match() error
	close() error
}

// NewTrainer returns a trainer on the CPU that has done no iteration. It takes no memory
// before it is used.
func NewTrainer(g *Game, m Method, seed uint64, threads int) *Trainer {
	return newTrainer(g, m, seed, threads, &cpu{Game: g, threads: max(1, threads)})
}

func newTrainer(g *Game, m Method, seed uint64, threads int, machine machine) *Trainer {
	threads = max(1, threads)
	return &Trainer{
		Game: g, method: m, seed: seed, threads: threads, machine: machine,
		batches: batches{g, newSequence(g.Rules(), seed), threads},
	}
}

// Close frees the trainer's memory.
func (t *Trainer) Close() error {
	if t.ahead != nil {
		<-t.ahead
		t.ahead = nil
	}
	return t.machine.close()
}

// Err returns the failure of the device, or nil.
func (t *Trainer) Err() error { return t.err }

// Threads returns how many threads train.
func (t *Trainer) Threads() int { return t.threads }

// Iterations returns the number of iterations done: of boards.
func (t *Trainer) Iterations() uint64 { return t.done }

// Step does a batch of iterations.
func (t *Trainer) Step() { t.StepUpTo(1) }

// StepUpTo does a batch of iterations, unless the device has failed.
func (t *Trainer) StepUpTo(uint64) {
	if t.err != nil {
		return
	}
	size := uint64(t.method.Batch)
	if t.ahead == nil || t.aheadFirst != t.done {
		t.dealAhead(t.done)
	}
	batch := <-t.ahead
	t.dealAhead(t.done + size)
	if t.err = t.machine.train(batch, t.method.update(t.done/size+1)); t.err == nil {
		t.done += size
	}
}

// dealAhead begins to deal a batch.
func (t *Trainer) dealAhead(first uint64) {
	ahead := make(chan *pcsgpu.Batch, 1)
	t.ahead, t.aheadFirst = ahead, first
	go func() { ahead <- t.batches.deal(first) }()
}

// table returns a table of the machine, or nil after a failure.
func (t *Trainer) table(sums bool, player, r int) (values []float32) {
	if t.err == nil {
		values, t.err = t.machine.table(sums, player, r)
	}
	return values
}

// Weights returns the average strategy as weights of all entries in the order of a
// cfr.Trainer. After a failure they are zeros, which stand for a uniform strategy, and Err
// returns the error.
func (t *Trainer) Weights() []float32 { return t.weights(true) }

// addWeights copies a player's table of a round to the order of a cfr.Trainer.
func (t *Trainer) addWeights(weights, table []float32, r, player int) {
	round, nodes := &t.layout.Rounds[r], &t.rounds[r]
	row := round.Columns[player] * round.Width
	for _, d := range nodes.columns[player] {
		first := make([]int, len(nodes.lanes)) // entry of the decision by lane
		for lane, s := range nodes.lanes {
			first[lane] = t.Entry(s.First + d.node)
		}
		actions := int(t.Tree.Nodes[nodes.lanes[0].First+d.node].NumActions)
		const buckets = 64 // a task's, which makes a line of memory of an action
		parallel.For(t.threads, (round.Buckets+buckets-1)/buckets, func(_, task int) {
			from, to := task*buckets, min((task+1)*buckets, round.Buckets)
			for a := range actions {
				for lane := range first {
					at := (int(d.column)+a)*round.Width + lane
					for b := from; b < to; b++ {
						weights[first[lane]+a*round.Buckets+b] = table[b*row+at]
					}
				}
			}
		})
	}
}

// CurrentWeights returns the current strategy, the one that matches the regrets, as Weights
// returns the average one.
func (t *Trainer) CurrentWeights() []float32 {
	weights := t.weights(false)
	for i, r := range weights {
		weights[i] = max(r, 0)
	}
	return weights
}

// weights copies all sums of strategies, or regrets, to the order of a cfr.Trainer. After a
// failure they are zeros.
func (t *Trainer) weights(sums bool) []float32 {
	weights := make([]float32, t.Entries)
	for player := range 2 {
		for r := range t.rounds {
			if table := t.table(sums, player, r); t.err == nil {
				t.addWeights(weights, table, r, player)
			}
		}
	}
	if t.err != nil {
		clear(weights)
	}
	return weights
}

// Respond learns a response to the average strategy, see [mccfr.Table.Respond].
func (t *Trainer) Respond(ctx context.Context, iterations int, seed uint64, progress func(part float64)) (*mccfr.Response, error) {
	weights := t.Weights()
	if t.err != nil {
		return nil, t.err
	}
	game, err := mccfr.NewGame(t.Rules(), t.Tree.Shape.Betting, t.Index.Buckets)
	if err != nil {
		return nil, err
	}
	table := mccfr.TableOf(game, weights)
	return table.Respond(ctx, iterations, seed, progress)
}

// Save writes the average strategy to a file. The caller may have set the exploitability in
// m; Save fills in the rest.
func (t *Trainer) Save(path string, m strategy.Meta) error {
	weights := t.Weights()
	if t.err != nil {
		return t.err
	}
	m.Algorithm, m.Iterations, m.Seed = t.method.String(), t.done, t.seed
	return t.Index.Save(path, m, func(node int32, bucket int, to []float32) {
		at, stride := t.Entry(node)+bucket, t.Index.Buckets.NumBuckets(int(t.Tree.Nodes[node].Round))
		for a := range to {
			to[a] = weights[at+a*stride]
		}
	})
}
