package mccfr

import (
	"fmt"

	"gamebots/cudalib"
	"gamebots/solvers/cfr"
)

// Deals trains as Recursive does, but by a batch of deals at once: all of them
// see the regrets as they were before the batch. A batch of one deal gives the
// bits of Recursive, and larger ones their own, which do not depend on the number
// of threads and which a DeviceDeals has too. A Deals is used by one goroutine at
// a time.
type Deals struct {
	dealer
	*phases
	batch int
	feed  []uint32
	feeder
	views []cudalib.DealsView // by round and player
	best  []uint32

	// states are by decision of a level, player and deal: reach on the way down
	// and values on the way up, for levels with an even number and for others.
	states      [2][]float32
	others, own []float32 // by decision and deal: the others' reach and the player's
	scratch     chan []float32
}

// DefaultDeals is the size of a batch when nobody says: the largest with which
// Leduc's NashConv after a million deals is within a tenth of that of single
// deals, see docs/benchmarks/reis-gpu.md. A GPU wants hundreds.
const DefaultDeals = 8

// maxDeals bounds a batch.
const maxDeals = 1 << 12

// ParseDeals reads what DealsName writes, or the name alone.
func ParseDeals(text string) (batch int, err error) {
	if text == "deals" {
		return DefaultDeals, nil
	}
	if n, err := fmt.Sscanf(text, "deals(%d)", &batch); err == nil && n == 1 && DealsName(batch) == text && batch >= 1 && batch <= maxDeals {
		return batch, nil
	}
	return 0, fmt.Errorf("%q: want the size of a batch in brackets, up to %d, as in deals(64)", text, maxDeals)
}

// DealsName is what strategy files call training by such batches.
func DealsName(batch int) string { return fmt.Sprintf("deals(%d)", batch) }

// NewDeals returns a trainer that has done no step. The game is copied into level
// order.
func NewDeals(g *Game, batch int, seed uint64, threads int) *Deals {
	g = g.byLevel()
	t := &Deals{
		dealer: newDealer(g, DealsName(batch), seed),
		phases: newPhases(g, batch, threads),
		batch:  batch,
		feeder: *newFeeder(g, batch, seed, 1),
		others: make([]float32, batch*len(g.nodes)),
		own:    make([]float32, batch*len(g.nodes)),
	}
	t.feed = make([]uint32, t.shape.Words())
	for r := range t.shape.Rounds {
		for p := range t.shape.Players {
			t.views = append(t.views, t.shape.View(t.feed, r, p))
		}
	}
	t.best = t.shape.Best(t.feed)
	for i, widest := range g.widestLevels() {
		t.states[i] = make([]float32, widest*t.shape.Players*batch)
	}
	t.scratch = make(chan []float32, t.threads)
	for range t.threads {
		t.scratch <- make([]float32, batch*(2*g.widest+1)+g.widest)
	}
	return t
}

// widestLevels returns the numbers of decisions of the widest level with an even
// number and of the widest other one.
func (g *Game) widestLevels() (widest [2]int) {
	for level := range len(g.levels) - 1 {
		widest[level%2] = max(widest[level%2], int(g.levels[level+1]-g.levels[level]))
	}
	return widest
}

// DealsBytes returns how much memory a Deals takes for its states.
func (g *Game) DealsBytes(batch int) float64 {
	g = g.byLevel()
	widest := g.widestLevels()
	return 4 * float64(batch) * float64((widest[0]+widest[1])*g.Rules.NumPlayers+2*len(g.nodes))
}

// deviceGain is how many decisions of deals a batch must have for a GPU to gain:
// see docs/benchmarks/reis-gpu.md.
const deviceGain = 1000

// DeviceGains says whether a GPU is likely to train by batches of deals faster
// than a CPU, and why.
func (g *Game) DeviceGains(batch int) (gains bool, why string) {
	n := batch * len(g.nodes)
	return n >= deviceGain, fmt.Sprintf("%d decisions of deals a batch, and a GPU gains from %d on", n, deviceGain)
}

// Step does a batch of deals, and updates everyone's regrets.
func (t *Deals) Step() {
	t.feeder.batch(t.hands[0], t.feed, t.iterations)
	t.walk(t)
	t.won(t.states[0][:t.shape.Players*t.batch], t.batch)
}

// won ends a batch in which the players won some values, by player and deal.
func (d *dealer) won(values []float32, batch int) {
	for p := range d.utility {
		for _, x := range values[p*batch:][:batch] {
			d.utility[p] += float64(x)
		}
	}
	d.iterations += uint64(batch)
}

func (t *Deals) begin(int, int) {}

// state returns a decision's states in a level, by player and deal.
func (t *Deals) state(level int, node int32) []float32 {
	width := t.shape.Players * t.batch
	return t.states[level%2][int(node-t.levels[level])*width:][:width]
}

func (t *Deals) view(n *node) *cudalib.DealsView {
	return &t.views[int(n.round)*t.shape.Players+int(n.actor)]
}

// strategies sets sigma to the strategies at a decision, by deal and action.
func (t *Deals) strategies(n *node, sigma []float32) {
	actions := int(n.actions)
	for k, base := range t.view(n).Base {
		match(sigma[k*actions:][:actions], t.regret[int(base)+int(n.row):][:actions])
	}
}

// each visits some decisions, with memory that nobody else has meanwhile.
func (t *Deals) each(first, last int32, visit func(i int32, n *node, scratch []float32)) {
	scratch := <-t.scratch
	defer func() { t.scratch <- scratch }()
	for i := first; i < last; i++ {
		visit(i, &t.nodes[i], scratch)
	}
}

// descend computes the reach of some decisions of a level and hands it on.
func (t *Deals) descend(level int, first, last int32) {
	batch := t.batch
	t.each(first, last, func(i int32, n *node, scratch []float32) {
		actor, actions := int(n.actor), int(n.actions)
		reach := t.state(level, i)
		if level == 0 {
			for k := range reach {
				reach[k] = 1
			}
		}
		own := reach[actor*batch:][:batch]
		copy(t.own[int(i)*batch:], own)
		others := t.others[int(i)*batch:][:batch]
		for k := range others {
			others[k] = 1
		}
		for p := range t.shape.Players {
			if p != actor {
				for k, x := range reach[p*batch:][:batch] {
					others[k] *= x
				}
			}
		}
		sigma := scratch[:batch*actions]
		t.strategies(n, sigma)
		for a, child := range t.children[t.action(n):][:actions] {
			if child < 0 {
				continue
			}
			below := t.state(level+1, child)
			copy(below, reach)
			for k, x := range own {
				below[actor*batch+k] = x * sigma[k*actions+a]
			}
		}
	})
}

// ascend computes the values of some decisions of a level and updates their
// regrets and averages.
func (t *Deals) ascend(level int, first, last int32) {
	batch := t.batch
	t.each(first, last, func(i int32, n *node, scratch []float32) {
		actor, actions := int(n.actor), int(n.actions)
		sigma, found := scratch[:batch*actions], scratch[batch*actions:][:batch*actions]
		t.strategies(n, sigma)
		value := t.state(level, i)
		for a, child := range t.children[t.action(n):][:actions] {
			for p := range t.shape.Players {
				after := scratch[2*batch*actions:][:batch]
				if child >= 0 {
					after = t.state(level+1, child)[p*batch:][:batch]
				} else {
					t.endValues(after, ^child, p)
				}
				if p == actor {
					copy(found[a*batch:][:batch], after)
				}
				sum := value[p*batch:][:batch]
				for k, x := range after {
					if a == 0 {
						sum[k] = sigma[k*actions] * x
					} else {
						sum[k] += float32(sigma[k*actions+a] * x)
					}
				}
			}
		}
		others := t.others[int(i)*batch:][:batch]
		for a := range actions {
			gain := found[a*batch:][:batch]
			for k, mean := range value[actor*batch:][:batch] {
				gain[k] = others[k] * (gain[k] - mean)
			}
		}
		t.update(n, found, t.own[int(i)*batch:][:batch], scratch[(2*actions+1)*batch:][:actions])
	})
}

// endValues sets out to what a player wins at an end, by deal.
func (t *Deals) endValues(out []float32, end int32, player int) {
	e := &t.ends
	for k := range out {
		out[k] = -e.spent[int(end)*e.players+player]
	}
	for _, pot := range e.pots[e.first[end]:e.first[end+1]] {
		for k, won := range t.best[int(pot.in)*t.batch:][:t.batch] {
			if won>>player&1 != 0 {
				out[k] += pot.share(players(won))
			}
		}
	}
}

// update adds what was found to a decision's entries, by action and deal for the
// regrets, and the player's reach for the averages. Deals with the same bucket
// are summed up first, in their pieces. Sigma has room for a strategy.
func (t *Deals) update(n *node, found, own, sigma []float32) {
	v := t.view(n)
	actions := int(n.actions)
	for s := range v.Counts[1] {
		pieces := v.Pieces[v.Segments[s] : v.Segments[s+1]+1]
		total := func(column []float32) float32 {
			sum := float32(0)
			for i, from := range pieces[:len(pieces)-1] {
				deals := v.Order[from:pieces[i+1]]
				part := column[deals[0]]
				for _, k := range deals[1:] {
					part += column[k]
				}
				if i == 0 {
					sum = part
				} else {
					sum += part
				}
			}
			return sum
		}
		at := int(v.Base[v.Order[pieces[0]]]) + int(n.row)
		average, regret := t.average[at:][:actions], t.regret[at:][:actions]
		match(sigma, regret)
		reach := total(own)
		for a := range average {
			average[a] += float32(reach * sigma[a])
		}
		for a := range regret {
			regret[a] += total(found[a*t.batch:])
		}
	}
}

var _ cfr.Learner = (*Deals)(nil)
