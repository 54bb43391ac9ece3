package boardwise

import (
	"gamebots/cudalib/boardwisegpu"
	"gamebots/solvers/internal/kernels"
)

// tile is a value for each of tileLanes lanes.
type tile [tileLanes]float32

// purpose is what a traversal is for.
type purpose uint32

const (
	train   purpose = iota // updates the regrets and the sums of the player
	respond                // values the best response to the average strategy
	average                // values the average strategy of both
)

// work is what a traversal does.
type work struct {
	purpose
	player                         int
	positive, negative, floor, sum float32 // of train: see kernels.Discounts
	salt                           uint32
}

// segments values and updates the segments of a round on a board, a tile of lanes at a time.
// The kernels of cudalib/boardwisegpu do the same operations in the same order.
type segments struct {
	*cpu
	work
	r int
	*round
	*boards
	b         *board
	tile      int // its number
	program   *program
	slots     [][]tile // by slot and bucket
	reachSums []tile   // of the pass's vectors, see sumsOf
}

func newSegments(c *cpu, w work, r int) *segments {
	s := &segments{cpu: c, work: w, r: r, round: c.rounds[r], boards: c.boards[r]}
	s.program = &s.round.programs[w.player]
	s.reachSums = make([]tile, s.program.sums)
	for range s.program.slots {
		s.slots = append(s.slots, make([]tile, s.most))
	}
	return s
}

// value does a board and a tile.
func (s *segments) value(b *board, number int) {
	s.b, s.tile = b, number
	for i := range s.program.passes {
		p := &s.program.passes[i]
		for row := range b.rows {
			s.reachEnds(p, row)
		}
		for k := range p.vectors {
			s.addUp(&p.vectors[k])
		}
		for row := range b.rows {
			s.join(p, i, row)
		}
	}
}

// entry returns the index of the first action of a decision, in the first lane of the tile.
func (s *segments) entry(player, row int, c choice) int {
	before := (s.b.row*s.width + s.tile*tileLanes*s.b.rows) * s.counts[player]
	return before + (c.column*s.b.rows+row*c.actions)*tileLanes
}

// strategy returns the probabilities at a decision: by regrets or, to evaluate, by sums.
func (s *segments) strategy(player, row int, c choice) (sigma [maxActions]tile) {
	from := &s.regret[player][s.r]
	if s.purpose != train {
		from = &s.sums[player][s.r]
	}
	at := s.entry(player, row, c)
	for a := range c.actions {
		for l := range tileLanes {
			sigma[a][l] = max(from.load(at+a*tileLanes+l), 0)
		}
	}
	match(sigma[:c.actions])
	return sigma
}

// match turns what is not negative into probabilities.
func match(weights []tile) {
	uniform := 1 / float32(len(weights))
	for l := range tileLanes {
		total := float32(0)
		for a := range weights {
			total += weights[a][l]
		}
		scale, base := float32(0), uniform
		if total >= kernels.Smallest {
			scale, base = 1/total, 0
		}
		for a := range weights {
			weights[a][l] = float32(weights[a][l]*scale) + base
		}
	}
}

// startReach returns a player's reach at the start of the round.
func (s *segments) startReach(player, row int) (x tile) {
	copy(x[:], s.reach[player][s.r][int(s.up[s.b.row+row])*s.width+s.tile*tileLanes:])
	return x
}

func (x *tile) scale(by *tile) {
	for l, p := range by {
		x[l] *= p
	}
}

// reachEnds stores the opponent's reach of a bucket at the ends of a pass.
func (s *segments) reachEnds(p *pass, row int) {
	var x tile
	for i := range p.steps {
		step := &p.steps[i]
		if step.fresh {
			x = s.startReach(1-s.player, row)
		}
		if step.actions == 0 {
			s.slots[step.slots[0]][row] = x
			continue
		}
		sigma := s.strategy(1-s.player, row, step.choice)
		for a, slot := range step.slots {
			if slot >= 0 {
				to := &s.slots[slot][row]
				*to = x
				to.scale(&sigma[a])
			}
		}
		x.scale(&sigma[step.action])
	}
}

// sumsOf returns the sums of a vector: of folds, the last of each list, and else all of them,
// each columns long.
func (s *segments) sumsOf(v *vector) (sums []tile, columns int) {
	if !v.showdown {
		return s.reachSums[v.sums:][:s.cards+1], 1
	}
	columns = s.list + 1
	return s.reachSums[v.sums:][:s.cards*columns+s.b.hands+1], columns
}

// addUp computes the sums of a vector: by card, and then over all hands, those up to each hand
// in the order of ranks, or of folds only the last.
func (s *segments) addUp(v *vector) {
	sums, columns := s.sumsOf(v)
	slot := s.slots[v.slot]
	sumUp(slot, s.hands[s.b.hand:][:s.b.hands], sums[s.cards*columns:])
	if s.list == 0 {
		return
	}
	for card := range s.cards {
		sumUp(slot, s.lists[(s.b.number*s.cards+card)*s.list:][:s.list], sums[card*columns:][:columns])
	}
}

// sumUp adds up the reach of hands, and stores the sums up to each if there is room for them.
func sumUp(slot []tile, hands []uint32, to []tile) {
	var sum tile
	to[0] = sum
	for k, hand := range hands {
		for l, x := range slot[hand] {
			sum[l] += x
		}
		to[min(k+1, len(to)-1)] = sum
	}
}

// fold returns the reach of the hands that share no card with a bucket.
func (s *segments) fold(v *vector, row int) (reach tile) {
	sums, columns := s.sumsOf(v)
	reach, own := sums[len(sums)-1], &s.slots[v.slot][row]
	if s.list == 0 {
		for l, x := range own {
			reach[l] -= x
		}
		return reach
	}
	for _, card := range s.positions[s.b.row+row].cards {
		for l, x := range sums[(card+1)*columns-1] {
			reach[l] -= x
		}
	}
	for l, x := range own { // which was subtracted twice
		reach[l] += x
	}
	return reach
}

// showdown returns the reach of the worse hands less that of the better ones.
func (s *segments) showdown(v *vector, row int) (reach tile) {
	sums, columns := s.sumsOf(v)
	p, all := &s.positions[s.b.row+row], sums[s.cards*columns:]
	worse, better, notBetter := all[p.worse], all[s.b.hands], &all[p.notBetter]
	for l := range better {
		better[l] -= notBetter[l]
	}
	for i, card := range p.cards {
		if s.list == 0 {
			break
		}
		own := sums[card*columns:][:columns]
		for l := range worse {
			worse[l] -= own[p.cardWorse[i]][l]
			better[l] -= own[s.list][l] - own[p.cardNotBetter[i]][l]
		}
	}
	for l := range reach {
		reach[l] = worse[l] - better[l]
	}
	return reach
}

// join computes the value of a bucket at a pass's decision, and updates it.
func (s *segments) join(p *pass, number, row int) {
	var values [maxActions]tile
	for a, sources := range p.sources {
		for _, from := range sources {
			x := s.sourceOf(p, from, row)
			for l := range x {
				values[a][l] += x[l]
			}
		}
	}
	if p.own.actions == 0 {
		copy(s.values[s.r][(s.b.row+row)*s.width+s.tile*tileLanes:], values[0][:])
		return
	}
	sigma, result := s.strategy(s.player, row, p.own), &s.slots[p.result][row]
	*result = tile{}
	if s.purpose == respond {
		*result = values[0]
	}
	for a := range p.own.actions {
		for l, v := range values[a] {
			if s.purpose == respond {
				result[l] = max(result[l], v)
			} else {
				result[l] += float32(sigma[a][l] * v)
			}
		}
	}
	if s.purpose == train {
		s.update(p, number, row, &sigma, &values, result)
	}
}

// sourceOf returns what a source adds to the value of a bucket.
func (s *segments) sourceOf(p *pass, from source, row int) (x tile) {
	switch from.kind {
	case boardwisegpu.Joined:
		return s.slots[from.index][row]
	case boardwisegpu.Deal:
		means := s.means[s.r+1][(s.b.row+row)*s.rounds[s.r+1].width:]
		for l, next := range s.next[from.index][s.tile*tileLanes:][:tileLanes] {
			if next >= 0 {
				x[l] = means[next]
			}
		}
		return x
	case boardwisegpu.Fold:
		x = s.fold(&p.vectors[from.index], row)
	case boardwisegpu.Showdown:
		x = s.showdown(&p.vectors[from.index], row)
	}
	for l, pay := range s.program.pays[from.pay][s.tile*tileLanes:][:tileLanes] {
		x[l] *= pay
	}
	return x
}

// update changes the regrets and the sums of a decision.
func (s *segments) update(p *pass, number, row int, sigma, values *[maxActions]tile, value *tile) {
	reach := s.startReach(s.player, row)
	for _, c := range p.path {
		before := s.strategy(s.player, row, c)
		reach.scale(&before[c.action])
	}
	regrets, sums := &s.regret[s.player][s.r], &s.sums[s.player][s.r]
	at := s.entry(s.player, row, p.own)
	for l := range tileLanes {
		random := newNoise(uint32((s.b.row+row)*s.width+s.tile*tileLanes+l), s.salt, number)
		for a := range p.own.actions {
			i := at + a*tileLanes + l
			regret := regrets.load(i)
			discount := s.negative
			if regret > 0 {
				discount = s.positive
			}
			regrets.store(i, max(float32(regret*discount)+(values[a][l]-value[l]), s.floor), random.next())
			sums.store(i, float32(sums.load(i)*s.sum)+float32(reach[l]*sigma[a][l]), random.next())
		}
	}
}
