package mccfr

import "gamebots/cudalib"

// Learned is a strategy of a game that was trained: of each position, numbers for
// all entries, and the strategy that those of a decision are.
type Learned interface {
	position(p int) (numbers []float32, strategy func(sigma, numbers []float32), err error)
}

func (t *table) position(int) ([]float32, func(sigma, numbers []float32), error) {
	return t.average, match, nil
}

func (t *DeviceBoards) position(int) ([]float32, func(sigma, numbers []float32), error) {
	return t.average, match, t.download()
}

func (r *Response) position(p int) ([]float32, func(sigma, numbers []float32), error) {
	return r.tables[p].regret, func(sigma, regret []float32) {
		clear(sigma)
		sigma[largest(regret)] = 1
	}, nil
}

// Play returns what one average strategy of the game wins of another, in chips a
// hand, as the mean over so many boards at least, and the half of an interval of
// 95%. On each board all hands of both are played in both positions, by all their
// actions, so that only the boards are left to chance: they are dealt from the seed.
func (t *DeviceBoards) Play(a, b Learned, boards int, seed uint64) (won, interval float64, err error) {
	t.wait()
	t.dealt = nil // the batch ahead is lost
	var seats [2][]float32
	for i, players := range [][2]Learned{{a, b}, {b, a}} {
		if seats[i], err = t.seated(players); err != nil {
			return 0, 0, err
		}
	}
	root := &t.layout.Nodes[0]
	values := make([]float32, t.batch*root.Actions*root.Places)
	sign := 1 - 2*float64(root.Actor)
	hands := choose[t.layout.Cards][t.Rules.NumHoleCards]
	scale := sign / 2 / float64(hands*choose[t.layout.Cards-t.Rules.NumHoleCards][t.Rules.NumHoleCards])
	var all sample
	for first := uint64(0); all.n < float64(max(2, boards)); first += uint64(t.batch) {
		buckets, ordered := t.deal(t.feed, seed, first)
		by := make([]float64, t.batch)
		for seat, strategy := range seats {
			if err := t.device.Play(t.feed, ordered, strategy, values); err != nil {
				return 0, 0, err
			}
			for k := range by {
				x := t.rootValue(strategy, values[k*root.Actions*root.Places:], buckets[root.Round][k])
				by[k] += scale * float64(1-2*seat) * x
			}
		}
		for _, x := range by {
			all.add(x)
		}
	}
	return all.mean, all.interval(), nil
}

// rootValue returns what the one who acts at the root wins, of what each action
// wins by place of a bucket.
func (t *DeviceBoards) rootValue(strategy, values []float32, buckets []int32) (sum float64) {
	root := &t.layout.Nodes[0]
	for a := range root.Actions {
		for place, b := range buckets {
			sum += float64(strategy[root.Strategy+a*root.Buckets+int(b)]) * float64(values[a*root.Places+place])
		}
	}
	return sum
}

// seated returns the strategy for the device of a player in the first position,
// and of another.
func (t *DeviceBoards) seated(players [2]Learned) ([]float32, error) {
	out := make([]float32, t.layout.Strategies)
	sigma := make([]float32, t.widest)
	for p, player := range players {
		numbers, strategy, err := player.position(p)
		if err != nil {
			return nil, err
		}
		for i := range t.layout.Nodes {
			n := &t.layout.Nodes[i]
			if n.Actor != p {
				continue
			}
			for b := range n.Buckets {
				strategy(sigma[:n.Actions], numbers[n.First+b*n.Width:][:n.Actions])
				for a, x := range sigma[:n.Actions] {
					out[n.Strategy+a*n.Buckets+b] = x
				}
			}
		}
	}
	return out, nil
}

// RespondTo learns a response to a strategy on the device, for each position by
// public sampling on so many boards at least, whose batches count linearly. What
// t has learned itself is as before.
func (t *DeviceBoards) RespondTo(to Learned, boards int, seed uint64) (r *Response, err error) {
	t.wait()
	t.dealt = nil // the batch ahead is lost
	if err = t.download(); err != nil {
		return nil, err
	}
	r = &Response{}
	m := Method{Public, t.batch, true}
	for p := range t.Rules.NumPlayers {
		own, other := newTable(t.Game, t.name, seed), 1-p
		numbers, _, err := to.position(other)
		if err != nil {
			return nil, err
		}
		for i := range t.nodes {
			if n := &t.layout.Nodes[i]; n.Actor == other {
				for b := range n.Buckets {
					entry := n.First + b*n.Width
					copy(own.regret[entry:][:n.Actions], numbers[entry:][:n.Actions])
				}
			}
		}
		err = t.device.Upload(own.regret, own.average)
		for done := uint64(0); done < uint64(boards) && err == nil; done += uint64(t.batch) {
			buckets, ordered := t.deal(t.feed, seed, done)
			err = t.device.Run(cudalib.BoardsRun{Feed: t.feed, Merge: t.layout.Merge(buckets), Ordered: ordered, Weight: m.weight(done)}, p)
		}
		if err == nil {
			err = t.device.Download(own.regret, own.average)
		}
		if err != nil {
			return nil, err
		}
		r.tables = append(r.tables, own)
	}
	return r, t.device.Upload(t.regret, t.average)
}
