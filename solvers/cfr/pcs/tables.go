package pcs

import (
	"errors"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Tables are what a training has learned, on whatever machine it is: the regrets of both
// players and the sums of their strategies. They are used by one goroutine at a time.
type Tables struct {
	*Game
	machine   Machine
	algorithm string // its name in files
	seed      uint64
	threads   int
	done      uint64 // iterations
	err       error
}

// Machine keeps tables.
type Machine interface {
	// Table returns the regrets of a player in a part, or the sums of its strategies, by
	// bucket, column and lane. They are not to be changed.
	Table(sums bool, player, part int) ([]float32, error)
	// SetTable sets them; Match computes strategies from all regrets that were set.
	SetTable(sums bool, player, part int, values []float32) error
	Match() error
	Close() error
}

// NewTables returns the tables that a machine keeps of a training by an algorithm with a seed, before the first
// iteration. The threads copy them.
func NewTables(g *Game, m Machine, algorithm string, seed uint64, threads int) Tables {
	if !g.sameCards() {
		algorithm += " against " + g.cards[1].Name()
	}
	return Tables{Game: g, machine: m, algorithm: algorithm, seed: seed, threads: max(1, threads)}
}

// Close frees the machine's memory.
func (t *Tables) Close() error { return t.machine.Close() }

// Did counts iterations, or keeps the error because of which they could not be done.
func (t *Tables) Did(iterations uint64, err error) {
	if t.err = err; err == nil {
		t.done += iterations
	}
}

// Restart lets a training begin at iteration 0 with the average strategy of the tables as its
// current one: regrets are in proportion to it, and add up to what the positive ones did. They
// and the sums of strategies are multiplied by factors of each round.
func (t *Tables) Restart(factors func(r int) (forRegrets, forSums float32)) error {
	for player := range 2 {
		for part := range t.nodes {
			regrets, sums := t.table(false, player, part), t.table(true, player, part)
			if t.err != nil {
				return t.err
			}
			regrets, sums = slices.Clone(regrets), slices.Clone(sums)
			forRegrets, forSums := factors(t.layout.Parts[part].Round)
			_ = t.eachDecision(player, part, func(at int, d *segment.Decision, lanes, width int) error {
				for lane := range lanes {
					positive, total := float32(0), float32(0)
					for a := range int(d.Actions) {
						positive += max(0, regrets[at+a*width+lane])
						total += sums[at+a*width+lane]
					}
					for a := range int(d.Actions) {
						i := at + a*width + lane
						if regrets[i] = 0; total > 0 {
							regrets[i] = sums[i] / total * positive * forRegrets
						}
						sums[i] *= forSums
					}
				}
				return nil
			})
			if err := t.setTables(player, part, regrets, sums); err != nil {
				return err
			}
		}
	}
	t.done = 0
	return t.machine.Match()
}

// Err returns the failure of the device, or nil.
func (t *Tables) Err() error { return t.err }

// Threads returns how many threads train.
func (t *Tables) Threads() int { return t.threads }

// Iterations returns the number of iterations done.
func (t *Tables) Iterations() uint64 { return t.done }

// table returns a table of the machine, or nil after a failure. A player that does not learn has zeros.
func (t *Tables) table(sums bool, player, part int) (values []float32) {
	switch {
	case t.err != nil:
	case t.trained[player]:
		values, t.err = t.machine.Table(sums, player, part)
	default:
		values = make([]float32, t.layout.Entries(part, player))
	}
	return values
}

// setTables sets the tables of a player in a part, if it learns.
func (t *Tables) setTables(player, part int, regrets, sums []float32) error {
	if !t.trained[player] {
		return nil
	}
	return errors.Join(t.machine.SetTable(false, player, part, regrets), t.machine.SetTable(true, player, part, sums))
}

// tables returns the tables, for a [Pair].
func (t *Tables) tables() *Tables { return t }

// Weights returns the average strategy as weights of all entries in the order of a
// cfr.Trainer. After a failure they are zeros, which stand for a uniform strategy, and Err
// returns the error.
func (t *Tables) Weights() []float32 { return t.weights(true) }

// addWeights copies a player's table of a part to the order of a cfr.Trainer.
func (t *Tables) addWeights(weights, table []float32, part, player int) {
	p, nodes := &t.layout.Parts[part], &t.nodes[part]
	row, count := p.Columns[player]*p.Width, t.layout.Buckets[p.Round][player]
	for i, d := range p.Programs[player].Decisions {
		first := make([]int, len(nodes.Lanes)) // entry of the decision by lane
		for lane, s := range nodes.Lanes {
			first[lane] = t.Entry(s.First + nodes.Decisions[player][i])
		}
		const buckets = 64 // a task's, which makes a line of memory of an action
		parallel.For(t.threads, (count+buckets-1)/buckets, func(_, task int) {
			from, to := task*buckets, min((task+1)*buckets, count)
			for a := range int(d.Actions) {
				for lane := range first {
					at := (int(d.Column)+a)*p.Width + lane
					for b := from; b < to; b++ {
						weights[first[lane]+a*count+b] = table[b*row+at]
					}
				}
			}
		})
	}
}

// CurrentWeights returns the current strategy, the one that matches the regrets, as Weights
// returns the average one.
func (t *Tables) CurrentWeights() []float32 {
	weights := t.weights(false)
	for i, r := range weights {
		weights[i] = max(r, 0)
	}
	return weights
}

// weights copies all sums of strategies, or regrets, to the order of a cfr.Trainer. After a
// failure they are zeros.
func (t *Tables) weights(sums bool) []float32 {
	weights := make([]float32, t.Entries)
	for player, indexed := range t.indexed {
		if !indexed || !t.trained[player] {
			continue
		}
		for part := range t.nodes {
			if table := t.table(sums, player, part); t.err == nil {
				t.addWeights(weights, table, part, player)
			}
		}
	}
	if t.err != nil {
		clear(weights)
	}
	return weights
}

// NewResponse returns a response to the average strategy, see [mccfr.Table.NewResponse].
func (t *Tables) NewResponse(seed uint64) (*mccfr.Response, error) {
	weights := t.Weights()
	if t.err != nil {
		return nil, t.err
	}
	return newResponse(t.Index, weights, seed)
}

// newResponse is NewResponse for the strategy that weights of all entries describe.
func newResponse(x *policy.Index, weights []float32, seed uint64) (*mccfr.Response, error) {
	game, err := mccfr.NewGame(x.Tree.Game, x.Tree.Shape.Betting, x.Buckets)
	if err != nil {
		return nil, err
	}
	table := mccfr.TableOf(game, weights)
	return table.NewResponse(seed)
}

// Save writes the average strategy to a file. The caller may have set the exploitability in
// m; Save fills in the rest.
func (t *Tables) Save(path string, m strategy.Meta) error {
	return t.save(t.Index, t.Weights(), path, m)
}

// save writes the strategy that weights of all entries of an index describe.
func (t *Tables) save(x *policy.Index, weights []float32, path string, m strategy.Meta) error {
	if t.err != nil {
		return t.err
	}
	m.Algorithm, m.Seed, m.Iterations = t.algorithm, t.seed, t.done
	return x.SaveWeights(path, m, weights)
}
