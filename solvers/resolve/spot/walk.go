package spot

import "gamebots/solvers/resolve/spot/internal/loops"
import "gamebots/solvers/resolve/spot/internal/layout"
import "gamebots/solvers/internal/kernels"

// walker is the memory of a thread that values rests.
type walker struct {
	ones   []float32
	tiles  *loops.Tiles
	list   []loops.End
	frames [layout.NumStreets]walkFrame
	// weights are those of a decision, action by action over the hands, and plain a copy.
	weights, plain []float32
	sigma          []float32
	reach          []float32 // reach of all ways together, by lane
}

// walkFrame has the vectors of a batch: by way to go on, those of the other player's reach by slot,
// and those of values by node.
type walkFrame struct{ reach, value vectors }

// vectors are as many floats for each way to go on.
type vectors struct {
	all    []float32
	stride int
}

func newVectors(size int) vectors { return vectors{make([]float32, numWays*size), size} }

// of returns those of a way from one on.
func (v *vectors) of(way, at int) []float32 { return v.all[way*v.stride+at : (way+1)*v.stride] }

// A walk values a rest on a board for a player: the other one's reach goes down the tree, and
// values come up. Each of them is there as often as the player whose it is has ways to go on.
type walk struct {
	*walker
	*rest
	on     *runout
	player int
	ways   [2]int // number of ways of each player
}

func newWalker(ones []float32, rests []*rest) *walker {
	width := len(ones)
	w := &walker{
		ones: ones, tiles: loops.NewTiles(width),
		list: make([]loops.End, 0, layout.Lanes), reach: make([]float32, layout.Lanes*width),
	}
	slots, nodes, actions := sizes(rests)
	for k := range w.frames {
		w.frames[k] = walkFrame{newVectors(slots[k] * width), newVectors(nodes[k] * width)}
	}
	for _, x := range []*[]float32{&w.weights, &w.plain, &w.sigma} {
		*x = make([]float32, actions*width)
	}
	return w
}

// sizes returns the most vectors of reach and nodes of a batch, by street, and actions of a decision.
func sizes(rests []*rest) (slots, nodes [layout.NumStreets]int, actions int) {
	for _, r := range rests {
		for k := range r.streets {
			st := &r.streets[k]
			reach, values := st.LargestBatch()
			slots[k], nodes[k] = max(slots[k], reach[0], reach[1]), max(nodes[k], values)
			for i := range st.Nodes {
				actions = max(actions, int(st.Nodes[i].Actions))
			}
		}
	}
	return slots, nodes, actions
}

// values computes the values of the player's hands, and passes them to a function by way to go on.
// Another one sets the reach of the other player's hands.
func (w *walk) values(reach, values func(way int, hands []float32)) {
	f := &w.frames[w.first]
	for way := range w.ways[1-w.player] {
		reach(way, f.reach.of(way, 0)[:w.on.Hands[1-w.player].Width])
	}
	w.batch(w.first, &w.streets[w.first].Batches[0])
	for way := range w.ways[w.player] {
		values(way, f.value.of(way, 0)[:w.on.Hands[w.player].Width])
	}
}

// batch values the nodes of a batch.
func (w *walk) batch(k int, t *layout.Batch) {
	w.down(k, t)
	w.ends(k, t)
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
			for way := range w.ways[1-w.player] {
				copy(to.reach.of(way, slot*other)[:other], from.reach.of(way, in*other))
			}
		}
		w.batch(k+1, next)
		for j, root := range next.Roots {
			for way := range w.ways[w.player] {
				copy(from.value.of(way, int(deals[j]-t.First)*own)[:own], to.value.of(way, int(root-next.First)*own))
			}
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
		w.eachWay(k, i, q, func(way int) {
			from, to := f.reach.of(way, in)[:width], f.reach.of(way, out)
			kernels.MatchOther(w.weights, from, to, int(n.Actions), width, width)
		})
	}
}

// eachWay calls match with the weights of a decision for each way in which its player goes on.
func (w *walk) eachWay(k int, node int32, player int, match func(way int)) {
	play, width, actions := w.plays[k][node], w.on.Hands[player].Width, int(w.streets[k].Nodes[node].Actions)
	for i, of := range play.of {
		kernels.LookUp(of, w.on.buckets[player][k], w.weights[4*i*width:], min(actions-4*i, 4), width)
	}
	match(0)
	for way := 1; way < w.ways[player]; way++ {
		rows := w.weights[play.biased[way][0]*width : play.biased[way][1]*width]
		plain := w.plain[:len(rows)]
		copy(plain, rows)
		for i, x := range plain {
			rows[i] = bias * x
		}
		match(way)
		copy(rows, plain)
	}
}

// ends values the ends of a batch.
func (w *walk) ends(k int, t *layout.Batch) {
	nodes, f, q := w.streets[k].Nodes, &w.frames[k], 1-w.player
	own, other := w.on.Hands[w.player].Width, w.on.Hands[q].Width
	value := func(way int, node int32) []float32 { return f.value.of(way, int(node-t.First)*own)[:own] }
	for from := 0; from < len(t.Ends[w.player]); from += layout.Lanes {
		list := t.Ends[w.player][from:min(from+layout.Lanes, len(t.Ends[w.player]))]
		w.list = w.list[:0]
		for lane, x := range list {
			e := loops.End{
				Reach: w.together(lane, int(nodes[x.Node].Slot[q])*other, f, other), Value: value(0, x.Node),
				Payoff: w.payoffs[k][x.Node][w.player],
			}
			if x.Fold != layout.NoFold {
				e.Folded, e.Loss = value(0, x.Fold), w.payoffs[k][x.Fold][w.player].All
			}
			w.list = append(w.list, e)
		}
		w.tiles.Ends(w.on.Board, w.player, w.list, nodes[list[0].Node].Kind == layout.Showdown)
		for way := 1; way < w.ways[w.player]; way++ {
			for _, x := range list {
				copy(value(way, x.Node), value(0, x.Node))
				if x.Fold != layout.NoFold {
					copy(value(way, x.Fold), value(0, x.Fold))
				}
			}
		}
	}
}

// together returns the other player's reach in all ways together.
func (w *walk) together(lane, at int, f *walkFrame, width int) []float32 {
	reach, ways := f.reach.of(0, at)[:width], w.ways[1-w.player]
	if ways == 1 {
		return reach
	}
	sum := w.reach[lane*width:][:width]
	kernels.SumOther(f.reach.all[at:], sum, ways, f.reach.stride)
	return sum
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
		at, child, actions := int(i-t.First)*width, int(n.First-t.First)*width, int(n.Actions)
		if int(n.Actor) != w.player {
			for way := range w.ways[w.player] {
				kernels.SumOther(f.value.of(way, child), f.value.of(way, at)[:width], actions, width)
			}
			continue
		}
		w.eachWay(k, i, w.player, func(way int) {
			kernels.MatchOther(w.weights, w.ones[:width], w.sigma, actions, width, width)
			kernels.Mean(w.sigma, f.value.of(way, child), f.value.of(way, at)[:width], actions, width)
		})
	}
}
