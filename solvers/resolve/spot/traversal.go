package spot

import (
	"context"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/internal/kernels"
)

// mode is what a traversal does.
type mode uint8

const (
	improve mode = iota // updates the entries of the player
	respond             // values a best response to the other player's average strategy
	average             // values the average strategies of both players
)

// pass is a traversal of the whole tree for a player.
type pass struct {
	mode      mode
	player    int
	discounts kernels.Discounts
	capture   *capture
	ctx       context.Context // that may end it, or nil
}

// ended reports whether the pass is to end early.
func (p *pass) ended() bool { return p.ctx != nil && p.ctx.Err() != nil }

// frame has the vectors of a batch of a street.
type frame struct {
	reach [2][]float32 // by slot
	sigma []float32    // the player's strategy, by slot of the player's reach
	value []float32    // by node of the batch
}

// worker is the memory of a thread.
type worker struct {
	*Solver
	frames [numStreets]frame
	tiles  *tiles
	list   []end
	// scratch has the unpacked regrets, and sums of strategies, of a decision.
	scratch [2][]float32
}

func newWorker(s *Solver) *worker {
	width := len(s.ones)
	w := &worker{Solver: s, tiles: newTiles(width), list: make([]end, 0, lanes)}
	actions := uint16(0)
	for k := s.first; k < numStreets; k++ {
		slots, nodes := s.streets[k].largestBatch()
		f := &w.frames[k]
		for p := range f.reach {
			f.reach[p] = make([]float32, slots[p]*width)
		}
		f.sigma = make([]float32, max(slots[0], slots[1])*width)
		f.value = make([]float32, nodes*width)
		for i := range s.streets[k].nodes {
			actions = max(actions, s.streets[k].nodes[i].actions)
		}
	}
	if s.algorithm.Quantized {
		for i := range w.scratch {
			w.scratch[i] = make([]float32, int(actions)*width)
		}
	}
	return w
}

// largestBatch returns the most vectors of reach, by player, and nodes of a batch.
func (st *street) largestBatch() (slots [2]int, nodes int) {
	for i := range st.batches {
		t := &st.batches[i]
		nodes = max(nodes, int(t.last-t.first))
		for p := range slots {
			slots[p] = max(slots[p], int(t.slots[p]))
		}
	}
	return slots, nodes
}

// traverse returns the values of the player's hands at the root. They are valid until the
// next traversal. A pass that ends early or fails returns none.
func (s *Solver) traverse(p *pass) []float32 {
	if s.gpu != nil && p.capture == nil {
		return s.gpu.traverse(s, p)
	}
	w, k := s.workers[0], s.first
	root := s.boards[k][0]
	t := &s.streets[k].batches[0]
	f := &w.frames[k]
	for q := range s.reach {
		copy(f.reach[q], s.reach[q])
	}
	w.down(p, k, 0, t)
	switch {
	case s.leaves != nil:
		s.leaves.value(p, t)
	case len(t.deals) > 0:
		s.dealAll(p, t)
	}
	if p.ended() || s.leaves != nil && s.leaves.err != nil {
		return nil
	}
	w.up(p, k, 0, t)
	return f.value[:root.hands[p.player].width]
}

// dealAll values the deals of the first street. Each card and each batch that follows is a
// task; the results are added in the order of the cards.
func (s *Solver) dealAll(p *pass, t *batch) {
	k := s.first
	root := s.boards[k][0]
	f := &s.workers[0].frames[k]
	next := s.streets[k+1].batches[t.next[0]:t.next[1]]
	if s.results == nil {
		s.results = make([][]float32, len(root.deals))
		for i := range s.results {
			s.results[i] = make([]float32, len(t.deals)*len(s.ones))
		}
	}
	parallel.For(s.threads, len(root.deals)*len(next), func(thread, task int) {
		if p.ended() {
			return
		}
		w, card, u := s.workers[thread], task/len(next), &next[task%len(next)]
		child := w.deal(p, k, 0, card, t, f, u)
		width := child.hands[p.player].width
		for j, r := range u.roots {
			copy(s.results[card][s.dealOf(t, k, u, j)*width:][:width], w.frames[k+1].value[int(r-u.first)*width:])
		}
	})
	own := &root.hands[p.player]
	parallel.For(s.threads, len(t.deals), func(_, i int) {
		value := f.value[int(t.deals[i]-t.first)*own.width:][:own.width]
		clear(value)
		for card := range root.deals {
			child := &s.boards[k+1][root.deals[card].board].hands[p.player]
			child.scatter(value, s.results[card][i*child.width:])
		}
		own.symmetrise(value)
	})
}

// dealOf returns which deal of a batch leads to a root of a batch of the next street.
func (s *Solver) dealOf(t *batch, k int, next *batch, root int) int {
	return int(next.segment-s.streets[k].nodes[t.deals[0]].first) + root
}

// deal values a batch that follows the deals of another one, after a card. It leaves
// the values in the worker's frame of the next street, and returns the board.
func (w *worker) deal(p *pass, k, on, card int, t *batch, from *frame, next *batch) *board {
	before := w.boards[k][on]
	at := before.deals[card].board
	b := w.boards[k+1][at]
	f := &w.frames[k+1]
	for j, root := range next.roots {
		n, r := &w.streets[k].nodes[t.deals[w.dealOf(t, k, next, j)]], &w.streets[k+1].nodes[root]
		for q := range b.hands {
			h, width := &b.hands[q], before.hands[q].width
			h.gather(f.reach[q][int(r.slot[q])*h.width:][:h.width], from.reach[q][int(n.slot[q])*width:][:width])
		}
	}
	w.down(p, k+1, at, next)
	if len(next.deals) > 0 {
		w.deals(p, k+1, at, next)
	}
	w.up(p, k+1, at, next)
	return b
}

// deals values the deals of a batch of a street after the first.
func (w *worker) deals(p *pass, k, on int, t *batch) {
	b, f := w.boards[k][on], &w.frames[k]
	own := &b.hands[p.player]
	value := func(i int) []float32 { return f.value[int(t.deals[i]-t.first)*own.width:][:own.width] }
	for i := range t.deals {
		clear(value(i))
	}
	for card := range b.deals {
		for i := t.next[0]; i < t.next[1]; i++ {
			u := &w.streets[k+1].batches[i]
			child := &w.deal(p, k, on, card, t, f, u).hands[p.player]
			for j, r := range u.roots {
				child.scatter(value(w.dealOf(t, k, u, j)), w.frames[k+1].value[int(r-u.first)*child.width:])
			}
		}
	}
	for i := range t.deals {
		own.symmetrise(value(i))
	}
}

// gather sets the reach of the hands after a deal from the one before it.
func (h *hands) gather(to, from []float32) {
	for i, x := range h.from[0] {
		to[i] = from[x]
	}
	clear(to[len(h.holes):])
}

// scatter adds the values of the hands after a card, and of what they become by the renamings
// of the deal, to those before it.
func (h *hands) scatter(to, from []float32) {
	for _, place := range h.from {
		for i, x := range place {
			to[x] += from[i]
		}
	}
}

// symmetrise gives hands that a symmetry of the board makes equal the same value, to the bit.
func (h *hands) symmetrise(value []float32) {
	for i, first := range h.canonical {
		value[i] = value[first]
	}
}

// down computes the reach at all nodes of a batch from that of its roots, and values its
// ends.
func (w *worker) down(p *pass, k, on int, t *batch) {
	st, f := &w.streets[k], &w.frames[k]
	for i := t.first; i < t.last; i++ {
		n := &st.nodes[i]
		own := int(n.actor) == p.player
		if !n.acts() || p.mode == respond && own { // a best response is to the other player's strategy
			continue
		}
		d := w.decision(k, on, n)
		in := f.reach[n.actor][int(n.slot[n.actor])*d.width:][:d.width]
		first := int(st.nodes[n.first].slot[n.actor]) * d.width
		out := f.reach[n.actor][first:]
		switch {
		case p.mode == improve && own:
			sums := w.sums.load(d, w.scratch[1])
			kernels.MatchOwn(w.regrets.load(d, w.scratch[0]), sums, in, f.sigma[first:], out, d.actions, d.width, d.width, p.discounts.Average)
			if l := w.locks[lockKey{k, on, i}]; l != nil {
				l.apply(sums)
			}
			w.sums.store(d, sums)
		case p.mode == improve:
			kernels.MatchOther(w.regrets.load(d, w.scratch[0]), in, out, d.actions, d.width, d.width)
		default:
			sums := w.sums.load(d, w.scratch[1])
			kernels.MatchOther(sums, in, out, d.actions, d.width, d.width)
			if p.mode == average && own {
				kernels.MatchOther(sums, w.ones[:d.width], f.sigma[first:], d.actions, d.width, d.width)
			}
		}
	}
	w.ends(p.player, k, on, t)
}

// ends values the ends of a batch.
func (w *worker) ends(player, k, on int, t *batch) {
	b, f, nodes := w.boards[k][on], &w.frames[k], w.streets[k].nodes
	own, other := b.hands[player].width, b.hands[1-player].width
	value := func(node int32) []float32 { return f.value[int(node-t.first)*own:][:own] }
	for list := range slices.Chunk(t.ends[player], lanes) {
		w.list = w.list[:0]
		for _, x := range list {
			e := end{
				reach:  f.reach[1-player][int(nodes[x.node].slot[1-player])*other:][:other],
				value:  value(x.node),
				payoff: w.payoffs[k][x.node][player],
			}
			if x.fold != noFold {
				e.folded, e.loss = value(x.fold), w.payoffs[k][x.fold][player].all
			}
			w.list = append(w.list, e)
		}
		w.tiles.ends(b, player, w.list, nodes[list[0].node].kind == showdown)
	}
}

// up computes the values of all decisions of a batch from those of its ends and deals, and
// updates the player's entries.
func (w *worker) up(p *pass, k, on int, t *batch) {
	st, b, f := &w.streets[k], w.boards[k][on], &w.frames[k]
	width := b.hands[p.player].width
	for i := t.last - 1; i >= t.first; i-- {
		n := &st.nodes[i]
		value := f.value[int(i-t.first)*width:][:width]
		if n.acts() {
			child, actions := f.value[int(n.first-t.first)*width:], int(n.actions)
			if int(n.actor) == p.player {
				w.decide(p, k, on, i, f.sigma[int(st.nodes[n.first].slot[p.player])*width:], child, value)
			} else {
				kernels.SumOther(child, value, actions, width)
			}
		}
		if c := p.capture; c != nil && c.street == k && c.board == on && c.node == i {
			c.keep(st, f, t, b, p.player)
		}
	}
}

// decide computes the values of a decision of the player from those of the actions, and
// updates its entries.
func (w *worker) decide(p *pass, k, on int, i int32, sigma, child, value []float32) {
	n := &w.streets[k].nodes[i]
	l := w.locks[lockKey{k, on, i}]
	switch p.mode {
	case improve:
		d := w.decision(k, on, n)
		regrets := w.regrets.load(d, w.scratch[0])
		kernels.UpdateOwn(regrets, sigma, child, value, d.actions, d.width, d.width, p.discounts)
		if l != nil {
			l.apply(regrets)
		}
		w.regrets.store(d, regrets)
	case respond:
		best(value, child, int(n.actions))
		if l != nil {
			l.value(value, child)
		}
	case average:
		kernels.Mean(sigma, child, value, int(n.actions), len(value))
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
