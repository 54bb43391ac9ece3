package mccfr

import (
	"context"
	"runtime"

	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/mccfr/internal/tree"
)

// Response is an approximate best response to a strategy: for each position, a
// strategy that was trained against the fixed strategies of the others. It uses
// the same card and action abstraction, so that its value is a lower bound of the
// strategy's exploitability in the abstract game. The exact value is out of reach
// where a bucket forgets earlier ones: finding a best response with imperfect
// recall is NP-hard.
type Response struct {
	tables []Table // a position's own regrets, and the strategy of the others
}

// Respond learns a response to the average strategy by external sampling, with at least a
// number of iterations for each position. With two players all positions are trained at once. With
// more, whose games are large, all threads train one position, in batches; the bits do not depend on
// their number. progress, if not nil, is called with the part that is done. When ctx is done it stops
// and returns the cause.
func (t *Table) Respond(ctx context.Context, iterations int, seed uint64,
	progress func(part float64)) (*Response, error) {
	r := &Response{tables: make([]Table, t.Rules.NumPlayers)}
	learn := func(p, batch, threads int, progress func(part float64)) {
		own := Table{Game: t.Game, Regret: memory.MakeTable[float32](t.Entries), Seed: seed}
		t.strategySums(own.Regret, 0)
		for round := range t.Rules.NumRounds {
			rows := &t.Rows[round][p]
			clear(own.Regret[rows.First:][:rows.Width*t.Buckets.NumBuckets(round)])
		}
		s := newSampler(own, Method{Sampling: External, Batch: batch}, threads)
		s.players = []int{p}
		for _, w := range s.workers {
			w.responds = true
		}
		for check := uint64(0); s.Done < uint64(iterations); s.Step() {
			if s.Done < check {
				continue
			}
			if ctx.Err() != nil {
				return
			}
			progress(float64(s.Done) / float64(iterations))
			check = s.Done + betweenChecks
		}
		r.tables[p] = s.Table
	}
	if progress == nil {
		progress = func(float64) {}
	}
	if t.Rules.NumPlayers == 2 {
		parallel.Each(2, func(p int) {
			learn(p, 1, 1, func(part float64) {
				if p == 0 {
					progress(part)
				}
			})
		})
	} else {
		for p := range t.Rules.NumPlayers {
			learn(p, DefaultBatch(t.Game), runtime.GOMAXPROCS(0), func(part float64) {
				progress((float64(p) + part) / float64(t.Rules.NumPlayers))
			})
		}
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// betweenChecks is how many traversals pass between two looks at a context.
const betweenChecks = 1 << 10

// Value returns the mean winnings of the response over all positions, in chips a
// hand, and half the width of its 95% confidence interval. As the strategy's own
// winnings sum to zero, this is a lower bound of its NashConv divided by the number
// of players. Value samples deals, and plays all actions on each of them
// from every position; with more than two players, whose trees are large, it samples
// the actions of the others. When ctx is done it stops and returns the cause.
func (r *Response) Value(ctx context.Context, deals int, seed uint64) (mean, interval float64, err error) {
	game := r.tables[0].Game
	won := make([][]float64, len(r.tables))
	parallel.Each(len(r.tables), func(p int) {
		won[p] = make([]float64, deals)
		v := &valuation{Table: &r.tables[p], player: p, deal: tree.NewDeal(game),
			stack: make([]float32, (game.Depth+1)*game.MaxActions)}
		for i := range won[p] {
			if i%betweenChecks == 0 && ctx.Err() != nil {
				return
			}
			v.random = tree.NewStream(seed, uint64(i), 0)
			v.deal.Draw(&v.random)
			won[p][i] = v.visit(0, v.stack)
		}
	})
	if err := context.Cause(ctx); err != nil {
		return 0, 0, err
	}
	var all stats.Sample
	for i := range deals {
		x := 0.0
		for p := range won {
			x += won[p][i] / float64(len(won))
		}
		all.Add(x)
	}
	return all.Mean(), all.Interval95(), nil
}

// valuation values a response on one deal.
type valuation struct {
	*Table
	player int
	random rng.Stream
	deal   tree.Deal
	stack  []float32
}

// visit returns the value of a child to the player, who plays the action with the
// largest regret.
func (v *valuation) visit(i int32, stack []float32) float64 {
	if i < 0 {
		if m := v.Merged(i); m != nil {
			return v.visit(m.Node, stack) + float64(m.More[v.player])
		}
		return float64(v.Terminals.Value(^i, v.player, v.deal.Best))
	}
	n := &v.Nodes[i]
	regret := v.Regret[v.deal.Entry(n):][:n.Actions]
	children := v.ChildrenOf(n)
	if int(n.Actor) == v.player {
		return v.visit(children[argmax(regret)], stack)
	}
	sigma, stack := stack[:len(children)], stack[len(children):]
	RegretMatching(sigma, regret)
	if v.Rules.NumPlayers > 2 {
		return v.visit(children[sampleAction(sigma, v.random.Float32())], stack)
	}
	value := 0.0
	for a, child := range children {
		if sigma[a] > 0 {
			value += float64(sigma[a]) * v.visit(child, stack)
		}
	}
	return value
}

// argmax returns the first action with the largest regret.
func argmax(regret []float32) (best int) {
	for a, x := range regret {
		if x > regret[best] {
			best = a
		}
	}
	return best
}
