package cfrbr

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/tiles"
)

// iteration trains a player on a unit.
type iteration struct {
	*cpu
	*unit
	update           pcsgpu.Update
	player, opponent int
	learned          [][]float32 // the player's strategy, by round
	// By player and round: the reach at the start, by hand and lane.
	reach [2][][]float32
	// Of the opponent: its probabilities in the rounds before the last, by hand, column and
	// lane, and its choices in the last, by tile and river.
	table   [][]float32
	choices [][]*choices
}

// respond lets the opponent respond to the player's strategy. It returns its values at the
// root, by hand and lane.
func (t *iteration) respond() []float32 {
	t.reach[t.player] = t.descend(t.player, t.buckets, t.learned)
	values := t.respondLast()
	t.table = make([][]float32, t.last)
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
// tables by bucket of an order.
func (t *iteration) descend(player int, orders [][]uint64, tables [][]float32) [][]float32 {
	rounds := t.layout.Parts
	start := make([]float32, t.hands*rounds[0].Width)
	for hand := range t.hands {
		start[hand*rounds[0].Width] = 1
	}
	reach := [][]float32{start}
	for r := range t.last {
		from, to := &rounds[r], &rounds[r+1]
		out := make([]float32, t.hands*to.Width)
		parallel.For(t.threads, t.hands, func(_, hand int) {
			row := tables[r][int(orders[r][hand]>>tiles.BucketBit)*from.Columns[player]*from.Width:]
			segment.Follow(from, player, row, reach[r][hand*from.Width:], out[hand*to.Width:])
		})
		reach = append(reach, out)
	}
	return reach
}

// tiles calls f with the number and the first lane of each tile of a round.
func (t *iteration) tiles(r int, f func(tile, lane int)) {
	parallel.For(t.threads, t.layout.Parts[r].Width/tiles.Lanes, func(_, tile int) { f(tile, tile*tiles.Lanes) })
}

// values returns those of a player in a round, in a tile, and a sum of them by hand and lane.
func (t *iteration) values(r, player, lane int) *values {
	hands := t.hands
	if r == t.last {
		hands = t.layout.Hands
	}
	return newValues(t.Game, r, player, hands, lane)
}

// played returns how a player plays a round.
func (t *iteration) played(r, player, lane int, board river, table []float32) *segment.Play {
	width := t.layout.Parts[r].Width
	return &segment.Play{Order: board.order, Down: board.down, Reach: t.reach[player][r][lane:], ReachWidth: width,
		Strategy: table[lane:], Width: width}
}

// respondLast chooses the opponent's actions in the last round. It returns the mean values at
// its start, by hand and lane.
func (t *iteration) respondLast() []float32 {
	round := &t.layout.Parts[t.last]
	t.choices = make([][]*choices, round.Width/tiles.Lanes)
	sum := make([]float32, t.hands*round.Width)
	t.tiles(t.last, func(tile, lane int) {
		v := t.values(t.last, t.opponent, lane)
		for _, river := range t.rivers {
			v.play(t.played(t.last, t.player, lane, river, t.learned[t.last]))
			c := newChoices(v.program, len(river.order))
			v.add(sum[lane:], river.order, nil, c)
			t.choices[tile] = append(t.choices[tile], c)
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
	round := &t.layout.Parts[r]
	columns := round.Columns[t.opponent]
	t.table[r] = make([]float32, t.hands*columns*round.Width)
	trunk := r < t.last-1
	var regrets []float32
	if trunk {
		regrets, _ = t.trunkTable(t.player, r)
		t.matchTrunk(r, regrets)
	}
	sum := make([]float32, t.hands*round.Width)
	t.tiles(r, func(_, lane int) {
		v := t.values(r, t.opponent, lane)
		v.play(t.played(r, t.player, lane, river{order: t.buckets[r]}, t.learned[r]))
		if trunk {
			l := &learner{
				strategy: t.table[r][lane:], width: round.Width, order: t.apart[r], sets: t.sets[r],
				sigma: make([]tiles.Tile, columns), number: make([]int32, t.trunk[r].Size()),
			}
			v.add(sum[lane:], t.apart[r], after, l)
			l.updateTrunk(regrets, t.layout.Parts[r].Lanes, lane, t.update)
			return
		}
		c := newChoices(v.program, t.hands)
		v.add(sum[lane:], t.apart[r], after, c)
		c.write(t.table[r][lane:], columns, round.Width)
	})
	return sum
}

// matchTrunk computes the opponent's strategy in a round of the trunk from its regrets.
func (t *iteration) matchTrunk(r int, regrets []float32) {
	round := &t.layout.Parts[r]
	lanes, columns := round.Lanes, round.Columns[t.opponent]
	for hand, set := range t.sets[r] {
		row := t.table[r][hand*columns*round.Width:]
		for c := range columns {
			copy(row[c*round.Width:], regrets[(int(set)*columns+c)*lanes:][:lanes])
		}
		for _, d := range round.Programs[t.opponent].Decisions {
			for lane := 0; lane < round.Width; lane += tiles.Lanes {
				at := row[int(d.Column)*round.Width+lane:]
				pcs.MatchTile(at, at, int(d.Actions), round.Width)
			}
		}
	}
}

// learner returns the player that learns in a round, in a tile.
func (t *iteration) learner(r, lane int) *learner {
	round := &t.layout.Parts[r]
	return &learner{
		strategy: t.learned[r][lane:], width: round.Width, reach: t.reach[t.player][r][lane:],
		sigma: make([]tiles.Tile, round.Columns[t.player]), number: make([]int32, t.layout.Buckets[r][0]),
	}
}

// learnLast trains the player in the last round. It returns the mean values at its start.
func (t *iteration) learnLast() []float32 {
	round := &t.layout.Parts[t.last]
	columns := round.Columns[t.opponent]
	sum := make([]float32, t.hands*round.Width)
	t.tiles(t.last, func(tile, lane int) {
		v := t.values(t.last, t.player, lane)
		l := t.learner(t.last, lane)
		reach, table := make([]float32, t.hands*tiles.Lanes), make([]float32, t.layout.Hands*columns*tiles.Lanes)
		for hand := range t.hands {
			copy(reach[hand*tiles.Lanes:][:tiles.Lanes], t.reach[t.opponent][t.last][hand*round.Width+lane:])
		}
		for i, river := range t.rivers {
			t.choices[tile][i].write(table, columns, tiles.Lanes)
			apart := river.apart()
			v.play(&segment.Play{Order: apart.order, Down: apart.down, Reach: reach, ReachWidth: tiles.Lanes,
				Strategy: table, Width: tiles.Lanes})
			l.order = river.order
			v.add(sum[lane:], river.order, nil, l)
		}
		l.update(t.local.Rows(t.player, t.last), lane, t.update)
	})
	return t.mean(sum)
}

// learnIn trains the player in a round before the last. After has the values of the next round.
// It returns those at the start of this one.
func (t *iteration) learnIn(r int, after []float32) []float32 {
	sum := make([]float32, t.hands*t.layout.Parts[r].Width)
	t.tiles(r, func(_, lane int) {
		v := t.values(r, t.player, lane)
		v.play(t.played(r, t.opponent, lane, river{order: t.apart[r]}, t.table[r]))
		l := t.learner(r, lane)
		l.order = t.buckets[r]
		v.add(sum[lane:], l.order, after, l)
		l.update(t.local.Rows(t.player, r), lane, t.update)
	})
	return sum
}
