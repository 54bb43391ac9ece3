package mccfr

import (
	"gamebots/cudalib/mccfrgpu"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/mccfr/internal/tree"
)

// TrainedStrategy is a strategy of a game that was trained: the average strategy of a
// trainer, or a Response.
type TrainedStrategy interface {
	// Position returns the strategy of a position: a value for each entry, and the
	// function that sets sigma to the strategy of a decision, given the values of
	// its entries.
	Position(p int) (values []float32, strategy func(sigma, values []float32), err error)
}

// Position returns the average strategy, see [TrainedStrategy].
func (t *Table) Position(int) ([]float32, func(sigma, values []float32), error) {
	return t.sums(), RegretMatching, nil // normalises the sums, which are not negative
}

// Position returns the average strategy, see [TrainedStrategy].
func (t *PublicChanceGPU) Position(int) ([]float32, func(sigma, values []float32), error) {
	return t.StrategySum, RegretMatching, t.download()
}

// Position returns the response in a position, see [TrainedStrategy].
func (r *Response) Position(int) ([]float32, func(sigma, values []float32), error) {
	return r.Regret, func(sigma, regret []float32) {
		clear(sigma)
		sigma[argmax(regret)] = 1
	}, nil
}

// Play returns the chips a hand that strategy a wins from strategy b, and half the
// width of the 95% confidence interval. It is the mean over at least the given
// number of boards, dealt from the seed. On each board all hands of both are
// played in both positions by all their actions, so that only the board is left to
// chance.
func (t *PublicChanceGPU) Play(a, b TrainedStrategy, boards int, seed uint64) (won, interval float64, err error) {
	t.wait()
	t.dealt = nil // the batch that was dealt ahead is overwritten
	var seats [2][]float32
	for i, players := range [][2]TrainedStrategy{{a, b}, {b, a}} {
		if seats[i], err = t.deviceStrategy(players); err != nil {
			return 0, 0, err
		}
	}
	root := &t.layout.Nodes[0]
	values := make([]float32, t.batch*root.Actions*root.NumSums)
	sign := 1 - 2*float64(root.Actor)
	hands := tree.Binomial[t.layout.Cards][t.Rules.NumHoleCards]
	scale := sign / 2 / float64(hands*tree.Binomial[t.layout.Cards-t.Rules.NumHoleCards][t.Rules.NumHoleCards])
	var all stats.Sample
	for first := uint64(0); all.N < max(2, boards); first += uint64(t.batch) {
		buckets, ordered := t.deal(t.buffer, seed, first)
		byBoard := make([]float64, t.batch)
		for seat, strategy := range seats {
			if err := t.device.Play(t.buffer, ordered, strategy, values); err != nil {
				return 0, 0, err
			}
			for k := range byBoard {
				x := t.rootValue(strategy, values[k*root.Actions*root.NumSums:], buckets[root.Round][k])
				byBoard[k] += scale * float64(1-2*seat) * x
			}
		}
		for _, x := range byBoard {
			all.Add(x)
		}
	}
	return all.Mean(), all.Interval95(), nil
}

// rootValue returns the value of the root to its actor, from the values of each
// action by index of the bucket.
func (t *PublicChanceGPU) rootValue(strategy, values []float32, buckets []int32) (sum float64) {
	root := &t.layout.Nodes[0]
	for a := range root.Actions {
		for i, b := range buckets {
			sum += float64(strategy[root.Strategy+a*root.Buckets+int(b)]) * float64(values[a*root.NumSums+i])
		}
	}
	return sum
}

// deviceStrategy returns the strategies of the players of both positions as one
// array for the device.
func (t *PublicChanceGPU) deviceStrategy(players [2]TrainedStrategy) ([]float32, error) {
	out := make([]float32, t.layout.Strategies)
	sigma := make([]float32, t.MaxActions)
	for p, player := range players {
		values, strategy, err := player.Position(p)
		if err != nil {
			return nil, err
		}
		for i := range t.layout.Nodes {
			n := &t.layout.Nodes[i]
			if n.Actor != p {
				continue
			}
			for b := range n.Buckets {
				strategy(sigma[:n.Actions], values[n.First+b*n.Width:][:n.Actions])
				for a, x := range sigma[:n.Actions] {
					out[n.Strategy+a*n.Buckets+b] = x
				}
			}
		}
	}
	return out, nil
}

// RespondTo learns a response to a strategy on the device: for each position by
// linear public chance sampling on at least the given number of boards. The
// trainer's own regrets and strategy sums stay as they are.
func (t *PublicChanceGPU) RespondTo(to TrainedStrategy, boards int, seed uint64) (r *Response, err error) {
	t.wait()
	t.dealt = nil // the batch that was dealt ahead is overwritten
	if err = t.download(); err != nil {
		return nil, err
	}
	r = &Response{Table: NewTable(t.Game, t.Algorithm, seed)}
	m := Method{Sampling: Public, Batch: t.batch, Linear: true}
	for p := range t.Rules.NumPlayers {
		own, other := NewTable(t.Game, t.Algorithm, seed), 1-p
		values, _, err := to.Position(other)
		if err != nil {
			return nil, err
		}
		for i := range t.Nodes {
			if n := &t.layout.Nodes[i]; n.Actor == other {
				for b := range n.Buckets {
					entry := n.First + b*n.Width
					copy(own.Regret[entry:][:n.Actions], values[entry:][:n.Actions])
				}
			}
		}
		err = t.device.Upload(own.Regret, own.StrategySum)
		for done := uint64(0); done < uint64(boards) && err == nil; done += uint64(t.batch) {
			buckets, ordered := t.deal(t.buffer, seed, done)
			err = t.device.Run(mccfrgpu.PublicRun{Buffer: t.buffer, Merge: t.layout.Merge(buckets), Ordered: ordered,
				Weight: m.weight(done)}, p)
		}
		if err == nil {
			err = t.device.Download(own.Regret, own.StrategySum)
		}
		if err != nil {
			return nil, err
		}
		for round := range t.Rules.NumRounds {
			rows := &t.Rows[round][p]
			copy(r.Regret[rows.First:], own.Regret[rows.First:][:rows.Width*t.Buckets.NumBuckets(round)])
			rows = &t.Rows[round][other]
			copy(r.StrategySum[rows.First:], values[rows.First:][:rows.Width*t.Buckets.NumBuckets(round)])
		}
	}
	return r, t.device.Upload(t.Regret, t.StrategySum)
}
