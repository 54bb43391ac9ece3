package mccfr

// Recursive trains as the seed's first program does: a step deals once and goes
// through the whole betting tree depth first, in one thread, and updates the
// regrets of all players on the way. It is chance sampling (Zinkevich et al.,
// NIPS 2007) with simultaneous updates and uniform averaging. A Recursive is
// used by one goroutine at a time.
type Recursive struct {
	dealer
	values []float32 // by end and player
	reach  []float32 // by player, to the decision that is visited
	stack  []float32
}

// NewRecursive returns a trainer that has done no step.
func NewRecursive(g *Game, seed uint64) *Recursive {
	players := g.Rules.NumPlayers
	r := &Recursive{
		dealer: newDealer(g, "recursive", seed),
		values: make([]float32, len(g.ends.spent)),
		reach:  make([]float32, players),
		stack:  make([]float32, (g.depth+1)*(players+2*g.widest)),
	}
	for p := range r.reach {
		r.reach[p] = 1
	}
	return r
}

// Step deals once and updates everyone's regrets.
func (r *Recursive) Step() {
	r.draw()
	r.ends.values(r.values, r.deal.best, 0, r.ends.len())
	r.visit(0, r.stack)
	r.done(r.stack)
}

// visit sets the first items of the stack to the values of a decision, by
// player, and updates it and all that follow it. It uses the rest of the stack.
func (r *Recursive) visit(i int32, stack []float32) {
	n := &r.nodes[i]
	players, actions, actor := len(r.reach), int(n.actions), int(n.actor)
	value, stack := stack[:players], stack[players:]
	sigma, stack := stack[:actions], stack[actions:]
	gain, stack := stack[:actions], stack[actions:]
	at := r.deal.rows[actor][n.round] + int(n.row)
	regret := r.regret[at:][:actions]
	average := r.average[at:][:actions]

	own := r.reach[actor]
	match(sigma, regret)
	for a, s := range sigma {
		average[a] += float32(own * s)
	}
	for a, child := range r.children[r.action(n):][:actions] {
		var after []float32
		if child < 0 {
			after = r.values[int(^child)*players:][:players]
		} else {
			r.reach[actor] = own * sigma[a]
			r.visit(child, stack)
			after = stack[:players]
		}
		gain[a] = after[actor]
		blend(value, after, sigma[a], a == 0)
	}
	r.reach[actor] = 1
	others := product(r.reach)
	r.reach[actor] = own
	for a := range regret {
		regret[a] += float32(others * (gain[a] - value[actor]))
	}
}

// blend adds the values after an action to those before it, in proportion to how
// often it is played. The first action of a decision sets them.
func blend(value, after []float32, sigma float32, first bool) {
	if first {
		for p, v := range after {
			value[p] = sigma * v
		}
		return
	}
	for p, v := range after {
		value[p] += float32(sigma * v)
	}
}

// product returns the product of the players' reach.
func product(reach []float32) float32 {
	x := float32(1)
	for _, r := range reach {
		x *= r
	}
	return x
}
