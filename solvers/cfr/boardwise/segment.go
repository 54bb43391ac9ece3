package boardwise

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
// The kernels of kernels/boardwise does the same operations in the same order.
type segments struct {
	*cpu
	work
	r int
	*round
	*boards
	b       *board
	tile    int // its number
	program *program
	slots   [][]tile // by slot and bucket
	low     []tile   // by card: reach of the worse hands
	high    []tile   // and of those that are not better
}

func newSegments(c *cpu, w work, r int) *segments {
	s := &segments{cpu: c, work: w, r: r, round: c.rounds[r], boards: c.boards[r], low: make([]tile, c.cardsLeft(r)), high: make([]tile, c.cardsLeft(r))}
	s.program = &s.round.programs[w.player]
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
		for k := range p.ends {
			if e := &p.ends[k]; e.showdown {
				s.showdown(e)
			} else {
				s.fold(e)
			}
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

// smallest is the smallest number whose inverse is finite.
const smallest = 0x1p-126

// match turns what is not negative into probabilities.
func match(weights []tile) {
	uniform := 1 / float32(len(weights))
	for l := range tileLanes {
		total := float32(0)
		for a := range weights {
			total += weights[a][l]
		}
		scale, base := float32(0), uniform
		if total >= smallest {
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
			for _, slot := range step.slots[0] {
				s.slots[slot][row] = x
			}
			continue
		}
		sigma := s.strategy(1-s.player, row, step.choice)
		for a := range step.actions {
			reached := x
			reached.scale(&sigma[a])
			for _, slot := range step.slots[a] {
				s.slots[slot][row] = reached
			}
		}
		x.scale(&sigma[step.action])
	}
}

// cardsOf returns the sums of reach over the hands with each card of a hand.
func (s *segments) cardsOf(by []tile, hand uint32) (first, second *tile) {
	return &by[hand>>rowBits&cardMask], &by[hand>>(rowBits+cardBits)&cardMask]
}

func (s *segments) twoCards() bool { return s.Tree.Game.NumHoleCards == 2 }

// add adds the reach of a hand to sums.
func (s *segments) add(by []tile, all *tile, hand uint32, x *tile) {
	first, second := s.cardsOf(by, hand)
	for l, reach := range x {
		all[l] += reach
		first[l] += reach
		if s.twoCards() {
			second[l] += reach
		}
	}
}

// without returns the sum over the hands that share no card with a hand, less that hand's
// own reach if it is in the sums and has two cards.
func (s *segments) without(by []tile, all *tile, hand uint32) (sum tile) {
	first, second := s.cardsOf(by, hand)
	for l := range sum {
		sum[l] = all[l] - first[l]
		if s.twoCards() {
			sum[l] -= second[l]
		}
	}
	return sum
}

func (s *segments) payOf(e *end) []float32 {
	return s.program.pays[e.pay][s.tile*tileLanes:][:tileLanes]
}

// fold replaces the reach in the slot of a fold by its values.
func (s *segments) fold(e *end) {
	slot, pay := s.slots[e.slot], s.payOf(e)
	clear(s.high)
	var all tile
	for _, hand := range s.hands[s.b.hand:][:s.b.hands] {
		s.add(s.high, &all, hand, &slot[hand&rowMask])
	}
	for row := range s.b.rows {
		sum := s.without(s.high, &all, s.row[s.b.row+row])
		for l := range sum {
			if s.twoCards() { // its own reach was subtracted twice
				sum[l] += slot[row][l]
			}
			slot[row][l] = sum[l] * pay[l]
		}
	}
}

// showdown replaces the reach in the slot of a showdown by its values: the reach of worse
// hands less that of better ones. A bucket's own reach, which is missing in two sums, cancels
// out.
func (s *segments) showdown(e *end) {
	slot, pay := s.slots[e.slot], s.payOf(e)
	hands, rows := s.hands[s.b.hand:][:s.b.hands], s.row[s.b.row:]
	clear(s.low)
	clear(s.high)
	var low, high tile
	for from := 0; from < len(hands); {
		to := from
		for ; to < len(hands) && (to == from || hands[to]&higher == 0); to++ {
			s.add(s.high, &high, hands[to], &slot[hands[to]&rowMask])
		}
		for row := hands[from] & rowMask; row <= hands[to-1]&rowMask; row++ {
			worse, notBetter := s.without(s.low, &low, rows[row]), s.without(s.high, &high, rows[row])
			for l := range worse {
				slot[row][l] = worse[l] + notBetter[l]
			}
		}
		for ; from < to; from++ {
			first, second := s.cardsOf(s.low, hands[from])
			newFirst, newSecond := s.cardsOf(s.high, hands[from])
			*first, *second = *newFirst, *newSecond
		}
		low = high
	}
	for row := range s.b.rows {
		all := s.without(s.high, &high, rows[row])
		for l := range all {
			slot[row][l] = (slot[row][l] - all[l]) * pay[l]
		}
	}
}

// join computes the value of a bucket at a pass's decision, and updates it.
func (s *segments) join(p *pass, number, row int) {
	var values [maxActions]tile
	for a, sources := range p.sources {
		for _, from := range sources {
			for l := range tileLanes {
				values[a][l] += s.sourceOf(from, row, l)
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

// sourceOf returns what a source adds to a value.
func (s *segments) sourceOf(from source, row, lane int) float32 {
	if !from.deal {
		return s.slots[from.index][row][lane]
	}
	next := s.next[from.index][s.tile*tileLanes+lane]
	if next < 0 {
		return 0
	}
	return s.means[s.r+1][(s.b.row+row)*s.rounds[s.r+1].width+int(next)]
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
