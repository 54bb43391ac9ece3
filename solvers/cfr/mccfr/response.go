package mccfr

import (
	"sync"
)

// Response is a best response to a strategy, as far as one was learned: for each
// position, what wins most from the others when these do not change. It sees the
// cards and the betting as the strategy does, and is no more clever, so that what
// it wins is a lower bound of the strategy's exploitability in the abstract game.
// (The exact value is not to be had where a bucket forgets those before: finding
// a best response that forgets is NP-hard.)
type Response struct {
	tables []table // by position: regrets of its own, and the strategy for the others
}

// Respond learns a response to the average strategy, by so many iterations of
// external sampling for each position, all positions at once.
func (t *table) Respond(iterations int, seed uint64) *Response {
	r := &Response{tables: make([]table, t.Rules.NumPlayers)}
	var group sync.WaitGroup
	for p := range r.tables {
		own := newTable(t.Game, t.name, seed)
		copy(own.regret, t.average)
		for round := range t.Rules.NumRounds {
			rows := &t.rows[round][p]
			clear(own.regret[rows.first:][:rows.width*t.Buckets.NumBuckets(round)])
		}
		r.tables[p] = own
		group.Go(func() {
			w := &worker{table: &own, weight: 1}
			w.traverser = newExternal(w)
			for i := range iterations {
				w.traverse(newStream(seed, uint64(i), p), p)
			}
		})
	}
	group.Wait()
	return r
}

// Value returns what the response wins when it takes every position in turn, in
// chips a hand, and half the width of its 95% confidence interval. It looks at so
// many deals, each from every position, and at all actions in them.
func (r *Response) Value(deals int, seed uint64) (mean, interval float64) {
	game := r.tables[0].Game
	won := make([][]float64, len(r.tables))
	var group sync.WaitGroup
	for p := range r.tables {
		won[p] = make([]float64, deals)
		group.Go(func() {
			v := &valuation{table: &r.tables[p], player: p, deal: newDeal(game), stack: make([]float32, (game.depth+1)*game.widest)}
			for i := range won[p] {
				random := newStream(seed, uint64(i), 0)
				v.deal.draw(&random)
				won[p][i] = v.visit(0, v.stack)
			}
		})
	}
	group.Wait()
	var all sample
	for i := range deals {
		x := 0.0
		for p := range won {
			x += won[p][i] / float64(len(won))
		}
		all.add(x)
	}
	return all.mean, all.interval()
}

// valuation values a response on one deal.
type valuation struct {
	*table
	player int
	deal   deal
	stack  []float32
}

// visit returns the value of a decision to the player, who plays the action of
// the largest regret.
func (v *valuation) visit(i int32, stack []float32) float64 {
	if i < 0 {
		return float64(v.ends.value(^i, v.player, v.deal.best))
	}
	n := &v.nodes[i]
	regret := v.regret[v.deal.rows[n.actor][n.round]+int(n.row):][:n.actions]
	children := v.children[v.action(n):][:n.actions]
	if int(n.actor) == v.player {
		return v.visit(children[largest(regret)], stack)
	}
	sigma, stack := stack[:len(children)], stack[len(children):]
	match(sigma, regret)
	value := 0.0
	for a, child := range children {
		if sigma[a] > 0 {
			value += float64(sigma[a]) * v.visit(child, stack)
		}
	}
	return value
}

// largest returns the first action of the largest regret.
func largest(regret []float32) (best int) {
	for a, x := range regret {
		if x > regret[best] {
			best = a
		}
	}
	return best
}
