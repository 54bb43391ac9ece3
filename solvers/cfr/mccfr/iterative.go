package mccfr

// Iterative trains as the seed's second program does: as Recursive, but level by
// level in two phases, by several goroutines. On the way down it computes the
// strategies and the reach of every decision, on the way up values and regrets.
// The results have the same bits as those of Recursive, for any number of
// threads; where every level is small it uses one. An Iterative is used by one
// goroutine at a time.
type Iterative struct {
	dealer
	*phases

	by     []origin  // by decision
	sigma  []float32 // by action: the strategy
	others []float32 // by decision: the product of the others' reach
	// reach is by decision of a level and player. A level needs only the one
	// before it, so there is one for levels with an even number and one for
	// the others.
	reach [2][]float32
	// values are by end and player, then as reach by decision and player:
	// those of the levels start at levelValues. What follows an action has its
	// values at after.
	values      []float32
	levelValues [2]int
	after       []int32
}

// origin is the action that leads to a decision.
type origin struct {
	parent, action int32
	actor          int32
}

// NewIterative returns a trainer that has done no step. The game may be the one
// that a Recursive uses: it is copied into level order.
func NewIterative(g *Game, seed uint64, threads int) *Iterative {
	g = g.byLevel()
	players := g.Rules.NumPlayers
	t := &Iterative{
		dealer: newDealer(g, "iterative", seed),
		phases: newPhases(g, 1, threads),
		by:     make([]origin, len(g.nodes)),
		sigma:  make([]float32, len(g.children)),
		others: make([]float32, len(g.nodes)),
		after:  make([]int32, len(g.children)),
	}
	var widest [2]int
	for level := range len(g.levels) - 1 {
		widest[level%2] = max(widest[level%2], int(g.levels[level+1]-g.levels[level]))
	}
	next := len(g.ends.spent)
	for i := range widest {
		t.reach[i] = make([]float32, widest[i]*players)
		t.levelValues[i] = next
		next += widest[i] * players
	}
	t.values = make([]float32, next)
	t.link()
	return t
}

// link sets where decisions come from, and where what follows an action has its
// values.
func (t *Iterative) link() {
	players := t.Rules.NumPlayers
	for level := range len(t.levels) - 1 {
		for i := t.levels[level]; i < t.levels[level+1]; i++ {
			n := t.nodes[i]
			first := t.action(&n)
			for a := first; a < first+int(n.actions); a++ {
				child := t.children[a]
				if child < 0 {
					t.after[a] = int32(int(^child) * players)
					continue
				}
				t.after[a] = int32(t.levelValues[(level+1)%2] + int(child-t.levels[level+1])*players)
				t.by[child] = origin{i, int32(a), int32(n.actor)}
			}
		}
	}
}

// Step deals once and updates everyone's regrets.
func (t *Iterative) Step() {
	t.draw()
	for p := range t.utility {
		t.reach[0][p] = 1 // of the root, whose place other levels use too
	}
	t.walk(t)
	t.done(t.values[t.levelValues[0]:])
}

func (t *Iterative) begin(worker, workers int) {
	ends := t.ends.len()
	t.ends.values(t.values, t.deal.best, ends*worker/workers, ends*(worker+1)/workers)
}

// descend computes the reach and the strategies of some decisions of a level.
func (t *Iterative) descend(level int, first, last int32) {
	players := t.Rules.NumPlayers
	here, above := t.reach[level%2], t.reach[(level+1)%2]
	start, startAbove := t.levels[level], t.levels[max(level-1, 0)]
	for i := first; i < last; i++ {
		n := &t.nodes[i]
		actions, actor := int(n.actions), int(n.actor)
		reach := here[int(i-start)*players:][:players]
		if level > 0 {
			by := &t.by[i]
			for p, x := range above[int(by.parent-startAbove)*players:][:players] {
				reach[p] = x // quicker than a call of copy for so few
			}
			reach[by.actor] *= t.sigma[by.action]
		}
		own := reach[actor]
		reach[actor] = 1
		t.others[i] = product(reach)
		reach[actor] = own
		at := t.deal.rows[actor][n.round] + int(n.row)
		average := t.average[at:][:actions]
		sigma := t.sigma[t.action(n):][:actions]
		match(sigma, t.regret[at:][:actions])
		for a, s := range sigma {
			average[a] += float32(own * s)
		}
	}
}

// ascend computes the values of some decisions of a level and updates their
// regrets.
func (t *Iterative) ascend(level int, first, last int32) {
	players := t.Rules.NumPlayers
	start := t.levels[level]
	here := t.values[t.levelValues[level%2]:]
	for i := first; i < last; i++ {
		n := &t.nodes[i]
		actions, actor := int(n.actions), int(n.actor)
		value := here[int(i-start)*players:][:players]
		first := t.action(n)
		sigma, after := t.sigma[first:][:actions], t.after[first:][:actions]
		for a, at := range after {
			blend(value, t.values[at:][:players], sigma[a], a == 0)
		}
		regret := t.regret[t.deal.rows[actor][n.round]+int(n.row):][:actions]
		for a, at := range after {
			regret[a] += float32(t.others[i] * (t.values[int(at)+actor] - value[actor]))
		}
	}
}
