package spot

import (
	"context"

	"gamebots/internal/parallel"
	"gamebots/solvers/internal/gate"
	"gamebots/solvers/internal/vectors"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// traversal passes over a spot. It has the spot's table, the entries and the memory of the threads.
type traversal struct {
	*table
	threads   int
	quantized bool // entries have 16 bits
	locks     map[layout.NodeKey]locked
	regrets   layout.Entries
	sums      layout.Entries // sums of strategies

	reach   [2][]float32 // weights of the ranges, by hand of the first board
	pairs   float64      // the weight of all pairs of hands
	gate    *gate.Gate   // choice of the player who has an offer, or nil
	offers  []float64    // offers to its hands, times the other player's reach
	ones    []float32    // as many as the widest vector has
	workers []*worker
	results [][]float32 // values of the deals that end the first street, by card
	gpu     *gpu        // does the passes if it is not nil
	// dealt is what the solution leads to at the roots of the second street, once a device has been left.
	dealt map[layout.NodeKey][2]*capture
	saved *saved     // has the strategies and values if it is not nil
	down  *traversal // without bets, for equities on the board that was last asked for
}

// pass is a traversal of the whole tree for a player.
type pass struct {
	layout.Pass
	// found gets what an Average finds at the decisions that are wanted, by several goroutines at once.
	wanted func(layout.NodeKey) bool
	found  func(*capture)
	boards map[int]bool    // if not nil, the only boards of the second street that are passed
	ctx    context.Context // may end the pass if it is not nil
}

// setReach sets the weights of the ranges.
func (s *traversal) setReach() {
	s.reach = s.spot.weights(s.Root())
}

// weights returns the weights of the ranges by hand of a board.
func (s *Spot) weights(b *layout.Board) (all [2][]float32) {
	for p := range all {
		all[p] = make([]float32, b.Hands[p].Width)
		for i, h := range b.Hands[p].Holes {
			all[p][i] = float32(s.Ranges[p].Weight(h.Set()))
		}
	}
	return all
}

// allocate allocates the entries.
func (s *traversal) allocate() {
	s.regrets, s.sums = s.newEntries(), s.newEntries()
}

func (s *traversal) newEntries() layout.Entries {
	return layout.NewEntries(s.Size.At, s.Size.Scale, s.quantized)
}

// hire allocates the memory of the workers.
func (s *traversal) hire() {
	for range s.threads {
		s.workers = append(s.workers, newWorker(s))
	}
}

// weigh returns the sum of the products of the weights of all pairs of hands that share no
// card.
func (s *traversal) weigh() (sum float64) {
	for i, x := range opposing(s.Root(), 0, s.reach[1]) {
		sum += float64(x) * float64(s.reach[0][i])
	}
	return sum
}

// ended reports whether the pass is to end early.
func (p *pass) ended() bool { return p.ctx != nil && p.ctx.Err() != nil }

// frame has the vectors of a batch of a street.
type frame struct {
	reach [2][]float32 // reach by player and slot
	sigma []float32    // the player's strategy, by slot of the player's reach
	value []float32    // values by node of the batch
}

// worker is the memory of a thread.
type worker struct {
	*traversal
	frames [layout.NumStreets]frame
	tiles  *layout.Tiles
	// scratch has the unpacked regrets, and sums of strategies, of a decision.
	scratch [2][]float32
}

func newWorker(s *traversal) *worker {
	width := len(s.ones)
	w := &worker{traversal: s, tiles: layout.NewTiles(width)}
	actions := uint16(0)
	for k := s.First; k < layout.NumStreets; k++ {
		slots, nodes := s.Streets[k].LargestBatch()
		f := &w.frames[k]
		for p := range f.reach {
			f.reach[p] = make([]float32, slots[p]*width)
		}
		f.sigma = make([]float32, max(slots[0], slots[1])*width)
		f.value = make([]float32, nodes*width)
		for i := range s.Streets[k].Nodes {
			actions = max(actions, s.Streets[k].Nodes[i].Actions)
		}
	}
	if s.quantized {
		for i := range w.scratch {
			w.scratch[i] = make([]float32, int(actions)*width)
		}
	}
	return w
}

// traverse returns the values of the player's hands at the root. They are valid until the
// next traversal. A pass that ends early or fails returns none.
func (s *traversal) traverse(p *pass) []float32 {
	switch {
	case s.gpu != nil:
		return s.gpu.traverse(s, p)
	case s.dealt != nil:
		return nil // a device has been left
	}
	if s.workers == nil { // a device did the passes so far
		s.hire()
	}
	w, k := s.workers[0], s.First
	root := s.Root()
	t := &s.Streets[k].Batches[0]
	f := &w.frames[k]
	for q := range s.reach {
		copy(f.reach[q], s.reach[q])
	}
	if p.Purpose == layout.Improve && s.sums.Packed != nil && s.gate == nil {
		// A factor on all sums of a hand changes no average strategy: without its weight those of
		// a hand that is rare are as large as those beside it, with which it shares a scale.
		copy(f.reach[p.Player], s.ones[:len(root.Hands[p.Player].Holes)])
	}
	w.down(p, k, 0, t)
	if len(t.Deals) > 0 {
		s.dealAll(p, t)
	}
	if p.ended() {
		return nil
	}
	w.up(p, k, 0, t)
	return f.value[:root.Hands[p.Player].Width]
}

// dealAll values the deals of the first street. Each card and each batch that follows is a
// task; the results are added in the order of the cards.
func (s *traversal) dealAll(p *pass, t *layout.Batch) {
	k := s.First
	root := s.Root()
	f := &s.workers[0].frames[k]
	next := s.Streets[k+1].Batches[t.Next[0]:t.Next[1]]
	if s.results == nil {
		s.results = make([][]float32, len(root.Deals))
		for i := range s.results {
			s.results[i] = make([]float32, len(t.Deals)*len(s.ones))
		}
	}
	parallel.For(s.threads, len(root.Deals)*len(next), func(thread, task int) {
		if p.ended() {
			return
		}
		w, card, u := s.workers[thread], task/len(next), &next[task%len(next)]
		if p.boards != nil && !p.boards[root.Deals[card].Board] || p.Skips(k+1, root.Deals[card].Board) {
			return
		}
		child := w.deal(p, k, 0, card, t, f, u)
		width := child.Hands[p.Player].Width
		for j, r := range u.Roots {
			copy(s.results[card][s.DealOf(t, k, u, j)*width:][:width], w.frames[k+1].value[int(r-u.First)*width:])
		}
	})
	own := &root.Hands[p.Player]
	parallel.For(s.threads, len(t.Deals), func(_, i int) {
		value := f.value[int(t.Deals[i]-t.First)*own.Width:][:own.Width]
		clear(value)
		for card := range root.Deals {
			if !p.Skips(k+1, root.Deals[card].Board) {
				child := &s.Boards[k+1][root.Deals[card].Board].Hands[p.Player]
				child.Scatter(value, s.results[card][i*child.Width:])
			}
		}
		p.Weigh(k+1, value)
		own.Symmetrise(value)
	})
}

// deal values a batch that follows the deals of another one, after a card. It leaves
// the values in the worker's frame of the next street, and returns the board.
func (w *worker) deal(p *pass, k, on, card int, t *layout.Batch, from *frame, next *layout.Batch) *layout.Board {
	before := w.Boards[k][on]
	at := before.Deals[card].Board
	b := w.Boards[k+1][at]
	f := &w.frames[k+1]
	for j, root := range next.Roots {
		n, r := &w.Streets[k].Nodes[t.Deals[w.DealOf(t, k, next, j)]], &w.Streets[k+1].Nodes[root]
		for q := range b.Hands {
			h, width := &b.Hands[q], before.Hands[q].Width
			h.Gather(f.reach[q][int(r.Slot[q])*h.Width:][:h.Width], from.reach[q][int(n.Slot[q])*width:][:width])
		}
	}
	w.down(p, k+1, at, next)
	if len(next.Deals) > 0 {
		w.deals(p, k+1, at, next)
	}
	w.up(p, k+1, at, next)
	return b
}

// deals values the deals of a batch of a street after the first.
func (w *worker) deals(p *pass, k, on int, t *layout.Batch) {
	b, f := w.Boards[k][on], &w.frames[k]
	own := &b.Hands[p.Player]
	value := func(i int) []float32 { return f.value[int(t.Deals[i]-t.First)*own.Width:][:own.Width] }
	for i := range t.Deals {
		clear(value(i))
	}
	for card := range b.Deals {
		if p.Skips(k+1, b.Deals[card].Board) {
			continue
		}
		for i := t.Next[0]; i < t.Next[1]; i++ {
			u := &w.Streets[k+1].Batches[i]
			child := &w.deal(p, k, on, card, t, f, u).Hands[p.Player]
			for j, r := range u.Roots {
				child.Scatter(value(w.DealOf(t, k, u, j)), w.frames[k+1].value[int(r-u.First)*child.Width:])
			}
		}
	}
	for i := range t.Deals {
		p.Weigh(k+1, value(i))
		own.Symmetrise(value(i))
	}
}

// down computes the reach at all nodes of a batch from that of its roots, and values its
// ends.
func (w *worker) down(p *pass, k, on int, t *layout.Batch) {
	st, f := &w.Streets[k], &w.frames[k]
	for i := t.First; i < t.Last; i++ {
		n := &st.Nodes[i]
		own := int(n.Actor) == p.Player
		if n.Kind != layout.Decision || p.Purpose == layout.Respond && own { // a best response is to the other player
			continue
		}
		d, key := w.Decision(k, on, n), layout.NodeKey{Street: k, Board: on, Node: i}
		in := f.reach[n.Actor][int(n.Slot[n.Actor])*d.Width:][:d.Width]
		first := int(st.Nodes[n.First].Slot[n.Actor]) * d.Width
		out := f.reach[n.Actor][first:]
		switch {
		case p.Purpose == layout.Improve && own:
			sums := w.load(&w.sums, d, key, w.scratch[1])
			regrets, average := w.load(&w.regrets, d, key, w.scratch[0]), p.Visits[k].Discounts.Average
			vectors.MatchOwn(regrets, sums, in, f.sigma[first:], out, d.Actions, d.Width, d.Width, average)
			if l := w.locks[key]; l != nil {
				l.apply(sums)
			}
			w.sums.Store(d, sums, p.Visits[k].Number)
		case p.Purpose == layout.Improve:
			vectors.MatchOther(w.load(&w.regrets, d, key, w.scratch[0]), in, out, d.Actions, d.Width, d.Width)
		default:
			sums := w.load(&w.sums, d, key, w.scratch[1])
			vectors.MatchOther(sums, in, out, d.Actions, d.Width, d.Width)
			if p.Purpose == layout.Average && own {
				vectors.MatchOther(sums, w.ones[:d.Width], f.sigma[first:], d.Actions, d.Width, d.Width)
			}
		}
	}
	w.tiles.Batch(st, t, w.Boards[k][on], p.Player, w.Payoffs[k], f.reach[1-p.Player], f.value)
}

// up computes the values of all decisions of a batch from those of its ends and deals, and
// updates the player's entries.
func (w *worker) up(p *pass, k, on int, t *layout.Batch) {
	st, b, f := &w.Streets[k], w.Boards[k][on], &w.frames[k]
	width := b.Hands[p.Player].Width
	for i := t.Last - 1; i >= t.First; i-- {
		n := &st.Nodes[i]
		value := f.value[int(i-t.First)*width:][:width]
		if n.Kind == layout.Decision {
			child, actions := f.value[int(n.First-t.First)*width:], int(n.Actions)
			if int(n.Actor) == p.Player {
				w.decide(p, k, on, i, f.sigma[int(st.Nodes[n.First].Slot[p.Player])*width:], child, value)
			} else {
				vectors.SumOther(child, value, actions, width)
			}
		}
		key := layout.NodeKey{Street: k, Board: on, Node: i}
		if p.found != nil && n.Kind == layout.Decision && p.wanted(key) {
			c := &capture{NodeKey: key}
			c.keep(st, f, t, b, p.Player)
			p.found(c)
		}
	}
}

// decide computes the values of a decision of the player from those of the actions, and
// updates its entries.
func (w *worker) decide(p *pass, k, on int, i int32, sigma, child, value []float32) {
	n := &w.Streets[k].Nodes[i]
	l := w.locks[layout.NodeKey{Street: k, Board: on, Node: i}]
	switch p.Purpose {
	case layout.Improve:
		d := w.Decision(k, on, n)
		regrets := w.regrets.Load(d, w.scratch[0])
		vectors.UpdateOwn(regrets, sigma, child, value, d.Actions, d.Width, d.Width, p.Visits[k].Discounts)
		if l != nil {
			l.apply(regrets)
		}
		w.regrets.Store(d, regrets, p.Visits[k].Number)
	case layout.Respond:
		best(value, child, int(n.Actions))
		if l != nil {
			l.value(value, child)
		}
	case layout.Average:
		vectors.Mean(sigma, child, value, int(n.Actions), len(value))
	}
}

// best sets values to the largest of some actions.
func best(value, child []float32, actions int) {
	copy(value, child)
	for a := 1; a < actions; a++ {
		for i, x := range child[a*len(value):][:len(value)] {
			if x > value[i] {
				value[i] = x
			}
		}
	}
}
