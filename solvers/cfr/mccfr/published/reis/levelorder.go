package reis

import "gamebots/solvers/cfr/mccfr"

// LevelOrder trains as Reis's second program does: as DepthFirst, but level by
// level in two passes, with several threads. The pass down computes the strategies
// and the reach of every decision, the pass up values and regrets. The results have
// the bits of DepthFirst for any number of threads. A game whose levels are all
// small is trained by one thread. A LevelOrder is used by one goroutine at a time.
type LevelOrder struct {
	trainer
	*passes

	parents []parent  // parent of each decision
	sigma   []float32 // strategy, by action
	others  []float32 // product of the others' reach to each decision
	// reach is by decision of a level and player. A level needs only the one
	// before it, so even levels share one array and odd levels the other.
	reach [2][]float32
	// values are first by terminal and player, then by decision and player for
	// even and for odd levels, which start at levelValues. after has, by action,
	// the place of its child's values.
	values      []float32
	levelValues [2]int
	after       []int32
}

// parent is the action that leads to a decision.
type parent struct {
	node, action int32
	actor        int32
}

// NewLevelOrder returns a trainer that has done no step. It copies the game into
// level order, so that other trainers may share it.
func NewLevelOrder(g *mccfr.Game, seed uint64, threads int) *LevelOrder {
	g = g.LevelOrder()
	players := g.Rules.NumPlayers
	t := &LevelOrder{
		trainer: newTrainer(g, "iterative", seed),
		passes:  newPasses(g, 1, threads),
		parents: make([]parent, len(g.Nodes)),
		sigma:   make([]float32, len(g.Children)),
		others:  make([]float32, len(g.Nodes)),
		after:   make([]int32, len(g.Children)),
	}
	next := len(g.Terminals.Spent)
	for i, widest := range g.WidestLevels() {
		t.reach[i] = make([]float32, widest*players)
		t.levelValues[i] = next
		next += widest * players
	}
	t.values = make([]float32, next)
	t.link()
	return t
}

// NewGPUReference returns the CPU reference implementation of NewGPU: a LevelOrder
// whose strategies and checkpoints bear the name of that.
func NewGPUReference(g *mccfr.Game, seed uint64, threads int) *LevelOrder {
	t := NewLevelOrder(g, seed, threads)
	t.Algorithm = GPUName
	return t
}

// link sets the parents of decisions and the places of children's values.
func (t *LevelOrder) link() {
	players := t.Rules.NumPlayers
	for level := range len(t.Levels) - 1 {
		for i := t.Levels[level]; i < t.Levels[level+1]; i++ {
			n := t.Nodes[i]
			first := t.FirstAction(&n)
			for a := first; a < first+int(n.Actions); a++ {
				child := t.Children[a]
				if child < 0 {
					t.after[a] = int32(int(^child) * players)
					continue
				}
				t.after[a] = int32(t.levelValues[(level+1)%2] + int(child-t.Levels[level+1])*players)
				t.parents[child] = parent{i, int32(a), int32(n.Actor)}
			}
		}
	}
}

// Step deals once and updates everyone's regrets.
func (t *LevelOrder) Step() {
	t.draw()
	for p := range t.utility {
		t.reach[0][p] = 1 // other even levels overwrite the root's place
	}
	t.run(t)
	t.finish(t.values[t.levelValues[0]:])
}

func (t *LevelOrder) begin(worker, workers int) {
	n := t.Terminals.Len()
	t.Terminals.Values(t.values, t.deal.Best, n*worker/workers, n*(worker+1)/workers)
}

// descend computes the reach and the strategies of some decisions of a level.
func (t *LevelOrder) descend(level int, first, last int32) {
	players := t.Rules.NumPlayers
	here, above := t.reach[level%2], t.reach[(level+1)%2]
	start, startAbove := t.Levels[level], t.Levels[max(level-1, 0)]
	for i := first; i < last; i++ {
		n := &t.Nodes[i]
		actions, actor := int(n.Actions), int(n.Actor)
		reach := here[int(i-start)*players:][:players]
		if level > 0 {
			from := &t.parents[i]
			for p, x := range above[int(from.node-startAbove)*players:][:players] {
				reach[p] = x // faster than a call of copy for so few
			}
			reach[from.actor] *= t.sigma[from.action]
		}
		own := reach[actor]
		reach[actor] = 1
		t.others[i] = product(reach)
		reach[actor] = own
		entry := t.deal.Entry(n)
		strategySum := t.StrategySum[entry:][:actions]
		sigma := t.sigma[t.FirstAction(n):][:actions]
		mccfr.RegretMatching(sigma, t.Regret[entry:][:actions])
		for a, s := range sigma {
			strategySum[a] += float32(own * s)
		}
	}
}

// ascend computes the values of some decisions of a level and updates their
// regrets.
func (t *LevelOrder) ascend(level int, first, last int32) {
	players := t.Rules.NumPlayers
	start := t.Levels[level]
	here := t.values[t.levelValues[level%2]:]
	for i := first; i < last; i++ {
		n := &t.Nodes[i]
		actions, actor := int(n.Actions), int(n.Actor)
		value := here[int(i-start)*players:][:players]
		first := t.FirstAction(n)
		sigma, after := t.sigma[first:][:actions], t.after[first:][:actions]
		for a, at := range after {
			addScaled(value, t.values[at:][:players], sigma[a], a == 0)
		}
		regret := t.Regret[t.deal.Entry(n):][:actions]
		for a, at := range after {
			regret[a] += float32(t.others[i] * (t.values[int(at)+actor] - value[actor]))
		}
	}
}
