package boardwise

import (
	"gamebots/cudalib/boardwisegpu"
	"gamebots/solvers/internal/kernels"
	"gamebots/solvers/internal/tiles"
)

// segments values and updates the segments of a round on a board, a tile of lanes at a time.
// The kernels of cudalib/boardwisegpu do the same operations in the same order.
type segments struct {
	*cpu
	boardwisegpu.Work
	r int
	*round
	*boards
	b         *board
	tile      int // its number
	passes    *boardwisegpu.Passes
	pays      []float32      // the player's chips by value at an end, and lane
	slots     [][]tiles.Tile // vectors by slot and bucket
	reachSums []tiles.Tile   // sums of the pass's vectors, see sumsOf
}

func newSegments(c *cpu, w boardwisegpu.Work, r int) *segments {
	s := &segments{cpu: c, Work: w, r: r, round: c.rounds[r], boards: c.boards[r]}
	s.passes, s.pays = &s.Passes[w.Player], s.Programs[w.Player].Pays
	s.reachSums = make([]tiles.Tile, s.passes.Sums)
	for range s.passes.Slots {
		s.slots = append(s.slots, make([]tiles.Tile, s.most))
	}
	return s
}

// value does a board and a tile.
func (s *segments) value(b *board, number int) {
	s.b, s.tile = b, number
	for i := range s.passes.List {
		p := &s.passes.List[i]
		for row := range b.rows {
			s.reachEnds(p, row)
		}
		for k := range p.Vectors[:p.NumVectors] {
			s.addUp(&p.Vectors[k])
		}
		for row := range b.rows {
			s.join(p, i, row)
		}
	}
}

// entry returns the index of the first action of a decision, in the first lane of the tile.
func (s *segments) entry(player, row int, c boardwisegpu.Choice) int {
	before := (s.b.row*s.Width + s.tile*tileLanes*s.b.rows) * s.Columns[player]
	return before + (int(c.Column)*s.b.rows+row*int(c.Actions))*tileLanes
}

// strategy returns the probabilities at a decision: by regrets or, to evaluate, by sums.
func (s *segments) strategy(player, row int, c boardwisegpu.Choice) (sigma [maxActions]tiles.Tile) {
	from := &s.regret[player][s.r]
	if s.Purpose != boardwisegpu.Train {
		from = &s.sums[player][s.r]
	}
	at := s.entry(player, row, c)
	for a := range int(c.Actions) {
		for l := range tileLanes {
			sigma[a][l] = max(from.load(at+a*tileLanes+l), 0)
		}
	}
	match(sigma[:c.Actions])
	return sigma
}

// match turns what is not negative into probabilities.
func match(weights []tiles.Tile) {
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
func (s *segments) startReach(player, row int) (x tiles.Tile) {
	copy(x[:], s.reach[player][s.r][int(s.up[s.b.row+row])*s.Width+s.tile*tileLanes:])
	return x
}

func scale(x, by *tiles.Tile) {
	for l, p := range by {
		x[l] *= p
	}
}

// reachEnds stores the opponent's reach of a bucket at the ends of a pass.
func (s *segments) reachEnds(p *boardwisegpu.Pass, row int) {
	var x tiles.Tile
	for i := range p.Steps[:p.NumSteps] {
		step := &p.Steps[i]
		if step.Fresh == 1 {
			x = s.startReach(1-s.Player, row)
		}
		if step.Actions == 0 {
			s.slots[step.Slots[0]][row] = x
			continue
		}
		sigma := s.strategy(1-s.Player, row, step.Choice)
		for a, slot := range step.Slots {
			if slot != boardwisegpu.None {
				to := &s.slots[slot][row]
				*to = x
				scale(to, &sigma[a])
			}
		}
		scale(&x, &sigma[step.Action])
	}
}

// sumsOf returns the sums of a vector: of folds, the last of each list, and else all of them,
// each columns long.
func (s *segments) sumsOf(v *boardwisegpu.Vector) (sums []tiles.Tile, columns int) {
	if v.Showdown == 0 {
		return s.reachSums[v.Sums:][:s.cards+1], 1
	}
	columns = s.list + 1
	return s.reachSums[v.Sums:][:s.cards*columns+s.b.hands+1], columns
}

// addUp computes the sums of a vector: by card, and then over all hands, those up to each hand
// in the order of ranks, or of folds only the last.
func (s *segments) addUp(v *boardwisegpu.Vector) {
	sums, columns := s.sumsOf(v)
	slot := s.slots[v.Slot]
	sumUp(slot, s.hands[s.b.hand:][:s.b.hands], sums[s.cards*columns:])
	if s.list == 0 {
		return
	}
	for card := range s.cards {
		sumUp(slot, s.lists[(s.b.number*s.cards+card)*s.list:][:s.list], sums[card*columns:][:columns])
	}
}

// sumUp adds up the reach of hands, and stores the sums up to each if there is room for them.
func sumUp(slot []tiles.Tile, hands []uint32, to []tiles.Tile) {
	var sum tiles.Tile
	to[0] = sum
	for k, hand := range hands {
		for l, x := range slot[hand] {
			sum[l] += x
		}
		to[min(k+1, len(to)-1)] = sum
	}
}

// fold returns the reach of the hands that share no card with a bucket.
func (s *segments) fold(v *boardwisegpu.Vector, row int) (reach tiles.Tile) {
	sums, _ := s.sumsOf(v)
	reach, own := sums[len(sums)-1], &s.slots[v.Slot][row]
	if s.list == 0 {
		for l, x := range own {
			reach[l] -= x
		}
		return reach
	}
	for _, card := range s.positions[s.b.row+row].Cards {
		all := card.Number
		if v.Showdown == 1 {
			all = card.All
		}
		for l, x := range sums[all] {
			reach[l] -= x
		}
	}
	for l, x := range own { // the own reach was subtracted twice
		reach[l] += x
	}
	return reach
}

// showdown returns the reach of the worse hands less that of the better ones.
func (s *segments) showdown(v *boardwisegpu.Vector, row int) (reach tiles.Tile) {
	sums, _ := s.sumsOf(v)
	p := &s.positions[s.b.row+row]
	worse, better, notBetter := sums[p.Worse], sums[len(sums)-1], &sums[p.NotBetter]
	for l := range better {
		better[l] -= notBetter[l]
	}
	for _, card := range p.Cards {
		if s.list == 0 {
			break
		}
		cardWorse, all, cardNotBetter := &sums[card.Worse], &sums[card.All], &sums[card.NotBetter]
		for l := range worse {
			worse[l] -= cardWorse[l]
			better[l] -= all[l] - cardNotBetter[l]
		}
	}
	for l := range reach {
		reach[l] = worse[l] - better[l]
	}
	return reach
}

// join computes the value of a bucket at a pass's decision, and updates it.
func (s *segments) join(p *boardwisegpu.Pass, number, row int) {
	var values [maxActions]tiles.Tile
	for a := range values {
		for _, from := range p.Sources[a][:p.NumSources[a]] {
			x := s.sourceOf(p, from, row)
			for l := range x {
				values[a][l] += x[l]
			}
		}
	}
	if p.Own.Actions == 0 {
		copy(s.values[s.r][(s.b.row+row)*s.Width+s.tile*tileLanes:], values[0][:])
		return
	}
	sigma, result := s.strategy(s.Player, row, p.Own), &s.slots[p.Result][row]
	*result = tiles.Tile{}
	if s.Purpose == boardwisegpu.Respond {
		*result = values[0]
	}
	for a := range p.Own.Actions {
		for l, v := range values[a] {
			if s.Purpose == boardwisegpu.Respond {
				result[l] = max(result[l], v)
			} else {
				result[l] += float32(sigma[a][l] * v)
			}
		}
	}
	if s.Purpose == boardwisegpu.Train {
		s.update(p, number, row, &sigma, &values, result)
	}
}

// sourceOf returns what a source adds to the value of a bucket.
func (s *segments) sourceOf(p *boardwisegpu.Pass, from boardwisegpu.Source, row int) (x tiles.Tile) {
	switch from.Kind {
	case boardwisegpu.Joined:
		return s.slots[from.Index][row]
	case boardwisegpu.Deal:
		means := s.means[s.r+1][(s.b.row+row)*s.rounds[s.r+1].Width:]
		for l, next := range s.Next[int(from.Index)*s.Width+s.tile*tileLanes:][:tileLanes] {
			if next != boardwisegpu.None {
				x[l] = means[next]
			}
		}
		return x
	case boardwisegpu.Fold:
		x = s.fold(&p.Vectors[from.Index], row)
	case boardwisegpu.Showdown:
		x = s.showdown(&p.Vectors[from.Index], row)
	}
	for l, pay := range s.pays[int(from.Pay)*s.Width+s.tile*tileLanes:][:tileLanes] {
		x[l] *= pay
	}
	return x
}

// update changes the regrets and the sums of a decision.
func (s *segments) update(p *boardwisegpu.Pass, number, row int, sigma, values *[maxActions]tiles.Tile,
	value *tiles.Tile) {
	reach := s.startReach(s.Player, row)
	for _, c := range p.Path[:p.NumPath] {
		before := s.strategy(s.Player, row, c)
		scale(&reach, &before[c.Action])
	}
	regrets, sums := &s.regret[s.Player][s.r], &s.sums[s.Player][s.r]
	at := s.entry(s.Player, row, p.Own)
	for l := range tileLanes {
		random := newNoise(uint32((s.b.row+row)*s.Width+s.tile*tileLanes+l), number)
		for a := range int(p.Own.Actions) {
			i := at + a*tileLanes + l
			regret := regrets.load(i)
			discount := s.Negative
			if regret > 0 {
				discount = s.Positive
			}
			regrets.store(i, max(float32(regret*discount)+(values[a][l]-value[l]), s.Floor), random.next(s.Salt))
			sums.store(i, float32(sums.load(i)*s.Sum)+float32(reach[l]*sigma[a][l]), random.next(s.Salt))
		}
	}
}
