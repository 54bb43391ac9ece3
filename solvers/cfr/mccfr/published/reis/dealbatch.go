package reis

import (
	"fmt"

	"gamebots/cudalib/mccfrgpu"
	"gamebots/solvers/cfr/mccfr"
)

// DealBatch trains as DepthFirst does, but by a batch of deals at once: all of them
// see the regrets as they were before the batch. A batch of one deal gives the bits
// of DepthFirst. Larger batches give bits of their own, which do not depend on the
// number of threads and are those of a GPU too. A DealBatch is used by one goroutine
// at a time.
type DealBatch struct {
	trainer
	*passes
	batch  int
	dealer *dealer
	buffer []uint32        // the batch,
	views  []mccfrgpu.View // views of the buffer, by round and player
	best   []uint32        // see mccfrgpu.BatchShape.Best; a part of the buffer

	// states are by decision of a level, player and deal: reach in the pass down
	// and values in the pass up. Even levels share one array and odd levels the
	// other.
	states      [2][]float32
	others, own []float32 // reach of the others and of the actor, by decision and deal
	scratch     chan *scratch
}

// scratch is memory for the work on one decision.
type scratch struct {
	sigma []float32 // strategies, by deal and action
	gain  []float32 // gains, by action and deal
	after []float32 // terminal values, one a deal
	row   []float32 // strategy of one bucket, by action
}

// DefaultDealBatch is the default size of a batch: the largest with which Leduc's
// NashConv after a million deals is within a tenth of that of single deals, see
// docs/benchmarks/reis-gpu.md. A GPU wants hundreds.
const DefaultDealBatch = 8

// MaxDealBatch bounds a batch.
const MaxDealBatch = 1 << 12

// DealBatchName returns the algorithm's name in strategy files, as in "deals(64)".
func DealBatchName(batch int) string { return fmt.Sprintf("deals(%d)", batch) }

// NewDealBatch returns a trainer that has done no step. It copies the game into
// level order, so that other trainers may share it.
func NewDealBatch(g *mccfr.Game, batch int, seed uint64, threads int) *DealBatch {
	g = g.LevelOrder()
	t := &DealBatch{
		trainer: newTrainer(g, DealBatchName(batch), seed),
		passes:  newPasses(g, batch, threads),
		batch:   batch,
		dealer:  newDealer(g, batch, seed, 1),
		others:  make([]float32, batch*len(g.Nodes)),
		own:     make([]float32, batch*len(g.Nodes)),
	}
	shape := t.dealer.shape
	t.buffer = make([]uint32, shape.Words())
	for r := range shape.Rounds {
		for p := range shape.Players {
			t.views = append(t.views, shape.View(t.buffer, r, p))
		}
	}
	t.best = shape.Best(t.buffer)
	for i, widest := range g.WidestLevels() {
		t.states[i] = make([]float32, widest*shape.Players*batch)
	}
	t.scratch = make(chan *scratch, t.threads)
	for range t.threads {
		t.scratch <- &scratch{
			sigma: make([]float32, batch*g.MaxActions),
			gain:  make([]float32, batch*g.MaxActions),
			after: make([]float32, batch),
			row:   make([]float32, g.MaxActions),
		}
	}
	return t
}

// DealBatchBytes returns the memory that a DealBatch takes beside its table.
func DealBatchBytes(g *mccfr.Game, batch int) int64 {
	g = g.LevelOrder()
	widest := g.WidestLevels()
	return 4 * int64(batch) * (int64(widest[0]+widest[1])*int64(g.Rules.NumPlayers) + 2*int64(len(g.Nodes)))
}

// Step does a batch of deals, and updates everyone's regrets.
func (t *DealBatch) Step() {
	t.dealer.batch(t.dealer.workers[0], t.buffer, t.Done)
	t.run(t)
	t.finishBatch(t.states[0], t.batch)
}

func (t *DealBatch) begin(int, int) {}

// state returns a decision's states in a level, by player and deal.
func (t *DealBatch) state(level int, node int32) []float32 {
	width := t.Rules.NumPlayers * t.batch
	return t.states[level%2][int(node-t.Levels[level])*width:][:width]
}

func (t *DealBatch) view(n *mccfr.Node) *mccfrgpu.View {
	return &t.views[int(n.Round)*t.Rules.NumPlayers+int(n.Actor)]
}

// strategies sets sigma to the strategies at a decision, by deal and action.
func (t *DealBatch) strategies(n *mccfr.Node, sigma []float32) {
	actions := int(n.Actions)
	for k, base := range t.view(n).Base {
		mccfr.RegretMatching(sigma[k*actions:][:actions], t.Regret[int(base)+int(n.Offset):][:actions])
	}
}

// each visits some decisions with scratch memory that no other thread uses
// meanwhile.
func (t *DealBatch) each(first, last int32, visit func(i int32, n *mccfr.Node, s *scratch)) {
	s := <-t.scratch
	defer func() { t.scratch <- s }()
	for i := first; i < last; i++ {
		visit(i, &t.Nodes[i], s)
	}
}

// descend sets the reach of some decisions of a level, and of their children.
func (t *DealBatch) descend(level int, first, last int32) {
	batch := t.batch
	t.each(first, last, func(i int32, n *mccfr.Node, s *scratch) {
		actor, actions := int(n.Actor), int(n.Actions)
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
		for p := range t.Rules.NumPlayers {
			if p != actor {
				for k, x := range reach[p*batch:][:batch] {
					others[k] *= x
				}
			}
		}
		sigma := s.sigma[:batch*actions]
		t.strategies(n, sigma)
		for a, child := range t.ChildrenOf(n) {
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
// entries.
func (t *DealBatch) ascend(level int, first, last int32) {
	batch := t.batch
	t.each(first, last, func(i int32, n *mccfr.Node, s *scratch) {
		actor, actions := int(n.Actor), int(n.Actions)
		sigma, gain := s.sigma[:batch*actions], s.gain[:batch*actions]
		t.strategies(n, sigma)
		value := t.state(level, i)
		for a, child := range t.ChildrenOf(n) {
			for p := range t.Rules.NumPlayers {
				after := s.after
				if child >= 0 {
					after = t.state(level+1, child)[p*batch:][:batch]
				} else {
					t.terminalValues(after, ^child, p)
				}
				if p == actor {
					copy(gain[a*batch:][:batch], after)
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
			gain := gain[a*batch:][:batch]
			for k, mean := range value[actor*batch:][:batch] {
				gain[k] = others[k] * (gain[k] - mean)
			}
		}
		t.update(n, gain, t.own[int(i)*batch:][:batch], s.row[:actions])
	})
}

// terminalValues sets out to a player's values at a terminal, by deal.
func (t *DealBatch) terminalValues(out []float32, terminal int32, player int) {
	for k := range out {
		out[k] = -t.Terminals.SpentBy(terminal, player)
	}
	for _, pot := range t.Terminals.PotsOf(terminal) {
		for k, won := range t.best[int(pot.Contenders)*t.batch:][:t.batch] {
			if won>>player&1 != 0 {
				out[k] += pot.Share(mccfr.PlayerSet(won))
			}
		}
	}
}

// update updates a decision's entries: the regrets by gain, which is by action and
// deal, and the strategy sums by own, the actor's reach by deal. Deals with the same
// bucket are summed first, piece by piece as their view says. Sigma has room for a
// strategy.
func (t *DealBatch) update(n *mccfr.Node, gain, own, sigma []float32) {
	v := t.view(n)
	actions := int(n.Actions)
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
		entry := int(v.Base[v.Order[pieces[0]]]) + int(n.Offset)
		strategySum, regret := t.StrategySum[entry:][:actions], t.Regret[entry:][:actions]
		mccfr.RegretMatching(sigma, regret)
		reach := total(own)
		for a := range strategySum {
			strategySum[a] += float32(reach * sigma[a])
		}
		for a := range regret {
			regret[a] += total(gain[a*t.batch:])
		}
	}
}
