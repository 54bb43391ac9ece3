package spot

import (
	"slices"

	"gamebots/solvers/internal/vectors"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// walker is the memory of a thread that values a rest.
type walker struct {
	ones   []float32
	tiles  *layout.Tiles
	frames [layout.NumStreets]walkFrame
	// weights are those of a decision, action by action over the hands, and sigma their proportions.
	weights, sigma []float32
}

// walkFrame has the vectors of a batch: those of the other player's reach by slot, and those of values by node.
type walkFrame struct{ reach, value []float32 }

// A walk values a rest on a board for a player: the other one's reach goes down the tree, and
// values come up.
type walk struct {
	*walker
	*rest
	on     *runout
	player int
}

// newWalker returns a walker for a rest and vectors of a width.
func newWalker(r *rest, width int) *walker {
	w := &walker{ones: slices.Repeat([]float32{1}, width), tiles: layout.NewTiles(width)}
	actions := 0
	for k := range r.streets {
		st := &r.streets[k]
		slots, nodes := st.LargestBatch()
		w.frames[k] = walkFrame{make([]float32, max(slots[0], slots[1])*width), make([]float32, nodes*width)}
		for i := range st.Nodes {
			actions = max(actions, int(st.Nodes[i].Actions))
		}
	}
	w.weights, w.sigma = make([]float32, actions*width), make([]float32, actions*width)
	return w
}

// values returns the values of the player's hands for the reach of the other player's hands on the flop. They are
// valid until the next walk.
func (w *walk) values(reach []float32) []float32 {
	f, q := &w.frames[w.first], 1-w.player
	w.on.Hands[q].Gather(f.reach[:w.on.Hands[q].Width], reach)
	w.batch(w.first, &w.streets[w.first].Batches[0])
	return f.value[:w.on.Hands[w.player].Width]
}

// batch values the nodes of a batch.
func (w *walk) batch(k int, t *layout.Batch) {
	w.down(k, t)
	w.tiles.Batch(&w.streets[k], t, w.on.Board, w.player, w.payoffs[k], w.frames[k].reach, w.frames[k].value)
	if len(t.Deals) > 0 {
		w.deals(k, t)
	}
	w.up(k, t)
}

// deals values the deals of a batch, after which the hands are the same.
func (w *walk) deals(k int, t *layout.Batch) {
	from, to := &w.frames[k], &w.frames[k+1]
	other, own := w.on.Hands[1-w.player].Width, w.on.Hands[w.player].Width
	for b := t.Next[0]; b < t.Next[1]; b++ {
		next := &w.streets[k+1].Batches[b]
		deals := t.Deals[next.Segment-w.streets[k].Nodes[t.Deals[0]].First:]
		for j, root := range next.Roots {
			slot := int(w.streets[k+1].Nodes[root].Slot[1-w.player])
			in := int(w.streets[k].Nodes[deals[j]].Slot[1-w.player])
			copy(to.reach[slot*other:][:other], from.reach[in*other:])
		}
		w.batch(k+1, next)
		for j, root := range next.Roots {
			copy(from.value[int(deals[j]-t.First)*own:][:own], to.value[int(root-next.First)*own:])
		}
	}
}

// down computes the other player's reach at all nodes of a batch from that of its roots.
func (w *walk) down(k int, t *layout.Batch) {
	nodes, f, q := w.streets[k].Nodes, &w.frames[k], 1-w.player
	width := w.on.Hands[q].Width
	for i := t.First; i < t.Last; i++ {
		n := &nodes[i]
		if n.Kind != layout.Decision || int(n.Actor) != q {
			continue
		}
		in, out := int(n.Slot[q])*width, int(nodes[n.First].Slot[q])*width
		w.look(k, i, q)
		vectors.MatchOther(w.weights, f.reach[in:][:width], f.reach[out:], int(n.Actions), width, width)
	}
}

// look sets the weights of a player at a decision.
func (w *walk) look(k int, node int32, player int) {
	width, actions := w.on.Hands[player].Width, int(w.streets[k].Nodes[node].Actions)
	for i, of := range w.plays[k][node] {
		vectors.LookUp(of, w.on.buckets[player][k], w.weights[4*i*width:], min(actions-4*i, 4), width)
	}
}

// up computes the values of all decisions of a batch from those of its ends and deals.
func (w *walk) up(k int, t *layout.Batch) {
	nodes, f := w.streets[k].Nodes, &w.frames[k]
	width := w.on.Hands[w.player].Width
	for i := t.Last - 1; i >= t.First; i-- {
		n := &nodes[i]
		if n.Kind != layout.Decision {
			continue
		}
		child, value := f.value[int(n.First-t.First)*width:], f.value[int(i-t.First)*width:][:width]
		if int(n.Actor) != w.player {
			vectors.SumOther(child, value, int(n.Actions), width)
			continue
		}
		w.look(k, i, w.player)
		vectors.MatchOther(w.weights, w.ones[:width], w.sigma, int(n.Actions), width, width)
		vectors.Mean(w.sigma, child, value, int(n.Actions), width)
	}
}
