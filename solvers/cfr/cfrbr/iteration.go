package cfrbr

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// iteration trains a player on a unit.
type iteration struct {
	*cpu
	*unit
	update           pcsgpu.Update
	player, opponent int
	learned          [][]float32 // the player's strategy, by part
	// By player and round: the reach at the start, by hand and lane.
	reach [2][][]float32
	// Of the opponent: its probabilities in the rounds before the last, by part, and by hand, column
	// and lane; and its choices in the last, by part, tile and river.
	table   [][]float32
	choices map[int][][]*choices
}

// respond lets the opponent respond to the player's strategy. It returns its values at the
// root, by hand and lane.
func (t *iteration) respond() []float32 {
	t.reach[t.player] = t.descend(t.player, t.buckets, t.learned)
	values := t.respondLast()
	t.table = make([][]float32, len(t.layout.Parts))
	for r := t.last - 1; r >= 0; r-- {
		values = t.respondIn(r, values)
	}
	return values
}

// learn trains the player against the response. It returns its values at the root, by hand and
// lane.
func (t *iteration) learn() []float32 {
	t.reach[t.opponent] = t.descend(t.opponent, t.apart, t.table)
	values := t.learnLast()
	for r := t.last - 1; r >= 0; r-- {
		values = t.learnIn(r, values)
	}
	return values
}

// descend returns the reach of a player at the start of all rounds, by hand and lane, from its
// tables by part, and bucket of an order.
func (t *iteration) descend(player int, orders [][]uint64, tables [][]float32) [][]float32 {
	widths := t.layout.Widths
	start := make([]float32, t.hands*widths[0])
	for hand := range t.hands {
		start[hand*widths[0]] = 1
	}
	reach := [][]float32{start}
	for r := range t.last {
		out := make([]float32, t.hands*widths[r+1])
		parallel.For(t.threads, t.hands, func(_, hand int) {
			for _, i := range t.parts[r] {
				p := &t.layout.Parts[i]
				row := tables[i][int(orders[r][hand]>>vectors.BucketBit)*p.Columns[player]*p.Width:]
				segment.Follow(p, player, row, reach[r][hand*widths[r]:], out[hand*widths[r+1]:])
			}
		})
		reach = append(reach, out)
	}
	return reach
}

// tiles calls f with each part of a round, and the number and the first lane of each of its tiles.
func (t *iteration) tiles(r int, f func(part, tile, lane int)) {
	var all [][2]int // part and tile
	for _, i := range t.parts[r] {
		for tile := range t.layout.Parts[i].Width / vectors.TileLanes {
			all = append(all, [2]int{i, tile})
		}
	}
	parallel.For(t.threads, len(all), func(_, k int) { f(all[k][0], all[k][1], all[k][1]*vectors.TileLanes) })
}

// values returns those of a player in a tile of a part.
func (t *iteration) values(part, player, lane int) *values {
	hands := t.hands
	if t.layout.Parts[part].Round == t.last {
		hands = t.layout.Hands
	}
	return newValues(t.Game, part, player, hands, lane)
}

// from returns what starts at a lane in an array by row, column and lane, of which there is none where
// nobody decides.
func from(table []float32, lane int) []float32 { return table[min(lane, len(table)):] }

// played returns how a player plays a part.
func (t *iteration) played(part, player, lane int, board river, table []float32) *segment.Play {
	p := &t.layout.Parts[part]
	return &segment.Play{Order: board.order, Down: board.down, Reach: t.reach[player][p.Round][p.First+lane:],
		ReachWidth: t.layout.Widths[p.Round], Strategy: from(table, lane), Width: p.Width}
}

// respondLast chooses the opponent's actions in the last round. It returns the mean values at
// its start, by hand and lane.
func (t *iteration) respondLast() []float32 {
	t.choices = map[int][][]*choices{}
	for _, i := range t.parts[t.last] {
		t.choices[i] = make([][]*choices, t.layout.Parts[i].Width/vectors.TileLanes)
	}
	sum := make([]float32, t.hands*t.layout.Widths[t.last])
	t.tiles(t.last, func(part, tile, lane int) {
		v := t.values(part, t.opponent, lane)
		for _, river := range t.rivers {
			v.play(t.played(part, t.player, lane, river, t.learned[part]))
			c := newChoices(v.program, len(river.order))
			v.add(sum, river.order, nil, c)
			t.choices[part][tile] = append(t.choices[part][tile], c)
		}
	})
	return t.mean(sum)
}

// mean turns sums over the boards of the last round into means.
func (t *iteration) mean(sum []float32) []float32 {
	for i := range sum {
		sum[i] *= t.scale
	}
	return sum
}

// respondIn chooses the opponent's actions in a round before the last, or trains it in one of the
// trunk. After has the values of the next round. It returns those at the start of this one. In the
// trunk the player meets the opponent as it was before the unit: one that had learned from it would
// know which boards come.
func (t *iteration) respondIn(r int, after []float32) []float32 {
	trunk := r < t.last-1
	for _, i := range t.parts[r] {
		p := &t.layout.Parts[i]
		t.table[i] = make([]float32, t.hands*p.Columns[t.opponent]*p.Width)
		if trunk {
			t.matchTrunk(i)
		}
	}
	sum := make([]float32, t.hands*t.layout.Widths[r])
	t.tiles(r, func(part, _, lane int) {
		p := &t.layout.Parts[part]
		columns := p.Columns[t.opponent]
		v := t.values(part, t.opponent, lane)
		v.play(t.played(part, t.player, lane, river{order: t.buckets[r]}, t.learned[part]))
		table := from(t.table[part], lane)
		if trunk {
			l := &learner{
				strategy: table, width: p.Width, order: t.apart[r], sets: t.sets[r],
				sigma: make([]vectors.Tile, columns), number: make([]int32, t.trunk[r].Size()),
			}
			v.add(sum, t.apart[r], after, l)
			regrets, _ := t.trunkTable(t.player, part)
			l.updateTrunk(regrets, p.Lanes, lane, t.update)
			return
		}
		c := newChoices(v.program, t.hands)
		v.add(sum, t.apart[r], after, c)
		c.write(table, columns, p.Width)
	})
	return sum
}

// matchTrunk computes the opponent's strategy in a part of the trunk from its regrets.
func (t *iteration) matchTrunk(part int) {
	p := &t.layout.Parts[part]
	regrets, _ := t.trunkTable(t.player, part)
	lanes, columns := p.Lanes, p.Columns[t.opponent]
	for hand, set := range t.sets[p.Round] {
		row := t.table[part][hand*columns*p.Width:]
		for c := range columns {
			copy(row[c*p.Width:], regrets[(int(set)*columns+c)*lanes:][:lanes])
		}
		for _, d := range p.Programs[t.opponent].Decisions {
			for lane := 0; lane < p.Width; lane += vectors.TileLanes {
				at := row[int(d.Column)*p.Width+lane:]
				pcs.MatchTile(at, at, int(d.Actions), p.Width)
			}
		}
	}
}

// learner returns the player that learns in a part, in a tile.
func (t *iteration) learner(part, lane int) *learner {
	p := &t.layout.Parts[part]
	return &learner{
		strategy: from(t.learned[part], lane), width: p.Width, reach: t.reach[t.player][p.Round][p.First+lane:],
		reachWidth: t.layout.Widths[p.Round], sigma: make([]vectors.Tile, p.Columns[t.player]),
		number: make([]int32, t.layout.Buckets[p.Round][0]),
	}
}

// learnLast trains the player in the last round. It returns the mean values at its start.
func (t *iteration) learnLast() []float32 {
	width := t.layout.Widths[t.last]
	sum := make([]float32, t.hands*width)
	t.tiles(t.last, func(part, tile, lane int) {
		p := &t.layout.Parts[part]
		columns := p.Columns[t.opponent]
		v := t.values(part, t.player, lane)
		l := t.learner(part, lane)
		reach := make([]float32, t.hands*vectors.TileLanes)
		table := make([]float32, t.layout.Hands*columns*vectors.TileLanes)
		for hand := range t.hands {
			copy(reach[hand*vectors.TileLanes:][:vectors.TileLanes],
				t.reach[t.opponent][t.last][hand*width+p.First+lane:])
		}
		for i, river := range t.rivers {
			t.choices[part][tile][i].write(table, columns, vectors.TileLanes)
			apart := river.apart()
			v.play(&segment.Play{Order: apart.order, Down: apart.down, Reach: reach, ReachWidth: vectors.TileLanes,
				Strategy: table, Width: vectors.TileLanes})
			l.order = river.order
			v.add(sum, river.order, nil, l)
		}
		l.update(t.local.Rows(t.player, part), lane, t.update)
	})
	return t.mean(sum)
}

// learnIn trains the player in a round before the last. After has the values of the next round.
// It returns those at the start of this one.
func (t *iteration) learnIn(r int, after []float32) []float32 {
	sum := make([]float32, t.hands*t.layout.Widths[r])
	t.tiles(r, func(part, _, lane int) {
		v := t.values(part, t.player, lane)
		v.play(t.played(part, t.opponent, lane, river{order: t.apart[r]}, t.table[part]))
		l := t.learner(part, lane)
		l.order = t.buckets[r]
		v.add(sum, l.order, after, l)
		l.update(t.local.Rows(t.player, part), lane, t.update)
	})
	return sum
}
